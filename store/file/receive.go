package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A copy of another board comes in parts; see [pawl.Receiver]. Each part is one or
// more records of the journal, which are carried out and recovered as all others
// are. What makes the board unfinished is a file of its own: while it is there,
// nothing but the next part is let in.
//
//	.pawl/copying: {"run":"…","origin":1790000000000,"since":1790000000004}
const copyingName = stateDir + "/copying"

var _ pawl.Receiver = (*Store)(nil)

// copying is what that file says.
type copying struct {
	Run    string        `json:"run"`
	Origin pawl.Revision `json:"origin"`
	Since  pawl.Revision `json:"since"`
}

// maxCopying bounds the file.
const maxCopying = 4 << 10

// readCopying returns what the file says; nil: the board is whole.
func (s *Store) readCopying() (*copying, error) {
	text, _, err := s.fs.Read(copyingName, maxCopying)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, s.unreadable(err)
	}
	is := &copying{}
	if json.Unmarshal(text, is) != nil || is.Run == "" {
		return &copying{Run: "?"}, nil // torn by a power cut, before anything came
	}
	return is, nil
}

// whole fails while the board is the unfinished copy of another one.
func (s *Store) whole() error {
	if s.receiving || !s.isThere(copyingName) {
		return nil
	}
	return pawl.UnfinishedError()
}

// Receiving returns the copy that has not ended.
func (s *Store) Receiving(ctx context.Context) (*pawl.Receiving, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	defer s.fs.Hold()()
	if !s.isThere(copyingName) || s.IsForeign() {
		return nil, nil
	}
	s.receiving = true
	defer func() { s.receiving = false }()
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	c, err := s.readCopying()
	if err != nil || c == nil {
		return nil, err
	}
	is := &pawl.Receiving{Run: c.Run, Origin: c.Origin, Revision: c.Since}
	if s.loaded.mark.revision < c.Since {
		return is, nil // killed before the journal began
	}
	is.Revision = s.loaded.mark.revision
	h, err := s.loadedHistory()
	if err != nil {
		return nil, err
	}
	h.span, h.upTo = pawl.Span{After: is.Revision - 1, Backward: true}, is.Revision
	h.backward(func(set pawl.ChangeSet, failed error) bool {
		if is.Last = set; !errors.Is(failed, pawl.Gone) { // of the first sets, none is here yet
			err = failed
		}
		return false
	})
	return is, err
}

// Receive takes the next part of a copy.
func (s *Store) Receive(ctx context.Context, part pawl.Part) error {
	if err := part.Check(); err != nil {
		return err
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	defer s.fs.Hold()()
	s.receiving = true
	defer func() { s.receiving = false }()
	if part.Begin != nil {
		if err := s.found(); err != nil { // what the lock needs
			return err
		}
	} else if !s.isThere(copyingName) {
		return pawl.OtherRunError()
	}
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.own(ctx); err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := s.receive(ctx, &part)
		if err != errAgain || n == attempts {
			return err
		}
		if part.Begin == nil { // who was it?
			if _, err := s.copyScan(ctx, true); err != nil && err != errAgain {
				return err
			}
		}
	}
}

// receive takes a part under the lock.
func (s *Store) receive(ctx context.Context, part *pawl.Part) error {
	is, err := s.readCopying()
	if err != nil {
		return err
	}
	if part.Begin != nil {
		return s.beginCopy(ctx, part, is)
	}
	if is == nil || is.Run != part.Run {
		return pawl.OtherRunError()
	}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	sc, err := s.copyScan(ctx, part.End != nil)
	if err != nil {
		return err
	}
	if err := part.Follows(s.loaded.mark.revision); err != nil {
		return err
	}
	switch {
	case len(part.Sets) > 0:
		return s.receiveSets(part.Sets, sc)
	case part.Tasks != nil:
		return s.receiveTasks(part.Tasks, sc)
	}
	return s.endCopy(part.End, sc)
}

// copyScan looks what other programs have done to the folder: at the end of a copy, when
// the index was lost, and where a part meets what it does not know. To look at all files
// for each part would take longer the more parts there are.
func (s *Store) copyScan(ctx context.Context, whole bool) (*scan, error) {
	if !whole && !s.loaded.rebuilt {
		return &scan{}, nil
	}
	sc, err := s.ready(ctx, nil)
	if err != nil {
		return nil, err
	}
	if s.loaded.rebuilt {
		return sc, s.external(sc)
	}
	if len(sc.found) > 0 {
		return nil, pawl.Errorf(pawl.Conflict, "another program has changed %s while the board is being copied", taskName(sc.found[0].id)).
			Say("copy to an empty place")
	}
	return sc, nil
}

// beginCopy makes the board unfinished. is is the copy that was begun before.
func (s *Store) beginCopy(ctx context.Context, part *pawl.Part, is *copying) error {
	begin := part.Begin
	next := copying{Run: part.Run, Origin: begin.Origin, Since: begin.Since}
	if err := s.load(); err != nil {
		return err
	}
	h := &s.loaded
	if is != nil && h.mark.revision < is.Since { // killed before the journal began
		if err := begin.Fits(false, is.Origin, is.Since); err != nil {
			return err
		}
		return s.beginHistory(next)
	}
	if !h.unwritten() && h.tail.end.segment != 0 {
		sc, err := s.ready(ctx, nil)
		if err != nil {
			return err
		}
		if is == nil || h.rebuilt {
			if err := s.external(sc); err != nil {
				return err
			}
		}
	}
	empty, err := s.isEmpty()
	if err != nil {
		return err
	}
	if err := begin.Fits(is == nil && empty, s.origin(), h.mark.revision); err != nil {
		return err
	}
	if begin.Empty {
		return s.beginHistory(next)
	}
	next.Since = h.mark.revision
	if is != nil {
		next.Since = is.Since
	}
	return s.writeCopying(next)
}

// isEmpty reports whether the board has neither a task nor history.
func (s *Store) isEmpty() (bool, error) {
	h := &s.loaded
	if h.table.len() > 0 || h.mark.revision != s.origin() {
		return false, nil
	}
	empty := true
	err := s.fs.List(".", func(name []byte) {
		if _, ok := parseTaskName(name); ok {
			empty = false
		}
	})
	if err != nil {
		return false, s.unreadable(err)
	}
	return empty, nil
}

func (s *Store) writeCopying(c copying) error {
	text, err := json.Marshal(c)
	if err != nil {
		return pawl.Errorf(pawl.Internal, "%w", err)
	}
	tmp := tmpDir + "/copying"
	if _, err := s.createTmp(tmp, text); err != nil {
		return unwritable(err)
	}
	if err := s.fs.Sync(tmp); err != nil {
		return unwritable(err)
	}
	if err := s.fs.Rename(tmp, copyingName); err != nil {
		return unwritable(err)
	}
	for _, place := range []string{stateDir, "."} {
		if err := s.fs.Sync(place); err != nil {
			return unwritable(err)
		}
	}
	return nil
}

// beginHistory starts a journal from where the history of the other board begins.
// The one of an empty board has no set to lose.
func (s *Store) beginHistory(c copying) error {
	if err := s.writeCopying(c); err != nil {
		return err
	}
	all, err := segments(s.fs)
	if err != nil {
		return s.unreadable(err)
	}
	names := []string{indexName, logName, readIndexName}
	for _, n := range all {
		names = append(names, segmentName(n))
	}
	for _, name := range names {
		if err := s.fs.Remove(name); err != nil && !absent(err) {
			return unwritable(err)
		}
	}
	s.tracker.distrust()
	epoch := s.loaded.mark.epoch + 1 // the revisions may be lower from now on
	s.loaded = loaded{exists: true, wrote: s.loaded.wrote, table: newTable(&snapshot{}), fsTime: s.loaded.fsTime}
	h := &s.loaded
	h.mark.revision, h.mark.origin, h.mark.epoch, h.mark.boot = c.Since, c.Origin, epoch, s.fs.Boot()
	if c.Since > c.Origin {
		h.mark.applied.segment = 1 // the first segment would say that nothing was before it
	}
	if err := s.newSegment(c.Since); err != nil {
		s.forget()
		return err
	}
	h.mark.folderRacy = true
	return s.logMark()
}

// setsPerRecord is how many change sets one record of the journal has: whoever
// reads one of them reads them all.
const setsPerRecord = 64

func (s *Store) receiveSets(sets []pawl.ChangeSet, sc *scan) error {
	for some := range slices.Chunk(sets, setsPerRecord) {
		rec := s.copyRecord()
		for i := range some {
			rec.Sets = append(rec.Sets, packSet(trimmed(&some[i])))
			rec.Rev = some[i].Revision
		}
		if err := s.appendCopy(rec, sc); err != nil {
			return err
		}
	}
	return nil
}

// trimmed returns a set as history keeps it.
func trimmed(set *pawl.ChangeSet) *pawl.ChangeSet {
	kept := *set
	kept.Changes = slices.Clone(set.Changes)
	for i, c := range kept.Changes {
		kept.Changes[i] = c.Trim()
	}
	return &kept
}

func (s *Store) copyRecord() *journalRecord {
	h := &s.loaded
	return &journalRecord{
		Kind: copyRecord, Boot: s.fs.Boot(), Clock: h.fsTime, Rev: h.mark.revision, LastID: h.mark.lastID,
	}
}

// appendCopy commits a record that has no part in files.
func (s *Store) appendCopy(rec *journalRecord, sc *scan) error {
	at, err := s.append(rec)
	if err != nil {
		return err
	}
	s.loaded.wrote++
	s.finish(at, nil, sc)
	if !s.loaded.exists {
		return s.load() // the index could not be written, and is found out again
	}
	return nil
}

// receiveTasks makes the files of a stretch those of the other board.
func (s *Store) receiveTasks(part *pawl.Stretch, sc *scan) error {
	r := s.reader(s.loaded.table)
	r.locked = true
	p := &plan{reader: r, kind: copyRecord, targets: map[pawl.ID]*target{}}
	rec := s.copyRecord()
	add := func(was *entry, t *pawl.Task) error {
		if err := p.copy(rec, was, t); err != nil {
			if r.moved {
				return errAgain
			}
			return err
		}
		return nil
	}
	next := 0 // of the tasks that come
	rows := s.loaded.table.cursor()
	rows.seek(part.After)
	for row, more := rows.next(); ; row, more = rows.next() {
		if more && row.id() > part.UpTo {
			more = false
		}
		for ; next < len(part.Tasks) && (!more || part.Tasks[next].ID < row.id()); next++ {
			if err := add(nil, &part.Tasks[next]); err != nil {
				return err
			}
		}
		if !more {
			break
		}
		var t *pawl.Task
		if next < len(part.Tasks) && part.Tasks[next].ID == row.id() {
			t = &part.Tasks[next]
			next++
		}
		if err := add(row.open(), t); err != nil {
			return err
		}
	}
	if len(rec.Files) == 0 && len(rec.Claims) == 0 && len(rec.Ties) == 0 {
		return nil
	}
	p.made = rec
	_, err := s.commit(p, sc)
	return err
}

// copy plans what becomes of a task, was it there or not; t is nil where it goes.
func (p *plan) copy(rec *journalRecord, was *entry, t *pawl.Task) error {
	f := journalFile{}
	tg := &target{was: was, file: true}
	if was != nil {
		txt, err := p.reader.text(was)
		if err != nil {
			return err
		}
		tg.text = txt
		f.ID, f.CreatedAt, f.Before = was.id, was.createdAt, hashText(was.hash)
	}
	if t != nil {
		var err error
		if was == nil {
			tg.next = taskjson.Encode(t)
		} else if tg.next, err = taskjson.Patch(tg.text.bytes, t); err != nil {
			return pawl.Errorf(pawl.Invalid, "%s cannot be written: %w", t.ID, err)
		}
		if len(tg.next) > pawl.MaxTask {
			return pawl.Errorf(pawl.Invalid, "%s would take more than 1 MiB as a file", t.ID)
		}
		e := &entry{id: t.ID, createdAt: millis(t.CreatedAt), claim: t.Claim, expired: t.Expired}
		e.claim.Until, e.claim.Confirmed = fromMillis(millis(t.Claim.Until)), fromMillis(millis(t.Claim.Confirmed))
		old := was
		if old == nil {
			old = &entry{}
		}
		same := was != nil && bytes.Equal(tg.next, tg.text.bytes)
		if e.claim != old.claim || e.expired != old.expired || !same && (e.claim.Live() || e.expired > 0) {
			rec.Claims = append(rec.Claims, claimOf(e))
		}
		rec.LastID = max(rec.LastID, counted(t.ID))
		if ties := tiesOf(t); !same || !ties.of(old) {
			rec.Ties = append(rec.Ties, ties)
		}
		if same {
			return nil
		}
		next := string(tg.next)
		f.ID, f.CreatedAt, f.After, f.Text = t.ID, e.createdAt, hashText(hashOf(tg.next)), &next
	}
	rec.Files = append(rec.Files, f)
	p.targets[f.ID] = tg
	return nil
}

// endCopy makes the board whole, and able to do without the journal.
func (s *Store) endCopy(end *pawl.End, sc *scan) error {
	h := &s.loaded
	rec := s.copyRecord()
	rec.LastID = max(rec.LastID, end.LastID)
	if !s.loaded.table.has(rec.LastID) { // else its file shows it
		rec.Mark = s.markOf(rec.LastID)
	}
	if rec.LastID > h.mark.lastID || rec.Mark != nil {
		if _, err := s.commit(&plan{made: rec}, sc); err != nil {
			return err
		}
		if !h.exists {
			if err := s.load(); err != nil {
				return err
			}
			if err := s.settle(); err != nil {
				return err
			}
		}
	}
	seen := s.seen(sc) // the files are old enough now to be known by their times
	h.table = h.table.with(seen)
	s.addUnlogged(seen)
	if int(h.logEnd) > h.logLimit() {
		h.logEnd = 0 // a new snapshot
	}
	if err := s.checkpoint(); err != nil {
		return err
	}
	if err := s.fs.Remove(copyingName); err != nil {
		return unwritable(err)
	}
	if err := s.fs.Sync(stateDir); err != nil {
		return unwritable(err)
	}
	s.tracker.hint()
	return nil
}

// copiedLeftover reports whether a temporary file was prepared for a part of a copy
// that was not committed: those have the number of the revision that the board is at.
func (s *Store) copiedLeftover(l leftover) bool {
	return s.receiving && l.rev == s.loaded.mark.revision
}
