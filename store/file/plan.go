package file

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A plan is what a commit does to the files.
type plan struct {
	reader  *reader
	commit  *pawl.Commit
	kind    recordKind
	targets map[pawl.ID]*target
	order   []pawl.ID
	made    *journalRecord // where it is not made from the targets
}

// A target is a task that a commit is about.
type target struct {
	was    *entry     // nil: it was not there
	text   *text      // its file
	task   *pawl.Task // as it will be; nil: not there
	file   bool       // its file has part in the change
	next   []byte     // the file's new text; nil: it stays, or goes
	beside bool       // what is kept beside the file changed
	stays  bool       // the file is as it will be: another program's work, recorded with ours
}

// newPlan applies the changes of a commit, in order, to the tasks as they are.
func newPlan(r *reader, c *pawl.Commit) (*plan, error) {
	p := &plan{reader: r, commit: c, kind: commitRecord, targets: map[pawl.ID]*target{}}
	for _, set := range c.Sets {
		for i := range set.Changes {
			if err := p.apply(&set.Changes[i]); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(p.order)
	for _, id := range p.order {
		if err := p.targets[id].encode(id); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *plan) target(id pawl.ID) (*target, error) {
	if tg := p.targets[id]; tg != nil {
		return tg, nil
	}
	tg := &target{was: p.reader.table.get(id)}
	if tg.was != nil {
		if tg.was.damage != "" {
			return nil, pawl.Errorf(pawl.Internal, "%s cannot be written, because its file is damaged: %s", id, tg.was.damage).
				About(id).Next(pawl.HintDiagnose)
		}
		t, err := p.reader.task(tg.was)
		if err != nil {
			return nil, err
		}
		tg.task, tg.text = &t, p.reader.texts[id]
	}
	p.targets[id] = tg
	p.order = append(p.order, id)
	return tg, nil
}

func (p *plan) apply(c *pawl.Change) error {
	tg, err := p.target(c.ID)
	if err != nil {
		return err
	}
	switch {
	case c.Before == nil && c.After != nil && tg.task == nil:
		t := c.After.Clone()
		tg.task, tg.file, tg.beside = &t, true, tg.beside || t.Claim.Live() || t.Expired > 0
	case c.Before != nil && c.After == nil && tg.task != nil:
		tg.task, tg.file = nil, true
	case c.Before != nil && c.After != nil && tg.task != nil:
		pawl.CopyFields(tg.task, c.After, c.Fields...)
		tg.task.Urgency, tg.task.Height = c.After.Urgency, c.After.Height
		for _, f := range c.Fields {
			if f == pawl.FieldClaim || f == pawl.FieldExpired {
				tg.beside = true
			} else {
				tg.file = true
			}
		}
	default:
		return pawl.Errorf(pawl.Internal, "a change of %s does not fit the board", c.ID)
	}
	return nil
}

// encode makes the new text of the target's file.
func (tg *target) encode(id pawl.ID) error {
	if !tg.file || tg.task == nil {
		tg.file = tg.file && tg.was != nil
		if tg.file && (tg.was.conflicted || len(tg.was.merging) > 0) {
			return unmerged(id)
		}
		return nil
	}
	if tg.was != nil && tg.was.conflicted {
		return unmerged(id)
	}
	if tg.was == nil {
		tg.next = taskjson.Encode(tg.task)
	} else {
		next, err := taskjson.Patch(tg.text.bytes, tg.task)
		if err != nil {
			return pawl.Errorf(pawl.Invalid, "%s cannot be written: %w", id, err)
		}
		if bytes.Equal(next, tg.text.bytes) && slices.Equal(tg.task.Blocks, tg.was.blocks) && slices.Equal(tg.task.BlockedBy, tg.was.blockedBy) {
			tg.file = false // an edge, though, may end that the file does not name
			return nil
		}
		tg.next = next
	}
	if len(tg.next) > pawl.MaxTask {
		return pawl.Errorf(pawl.Invalid, "%s would take more than 1 MiB as a file", id)
	}
	return nil
}

// unmerged refuses what would lose the text of another branch. The rules of
// package pawl refuse it first, with more words.
func unmerged(id pawl.ID) error {
	return pawl.Errorf(pawl.Conflict, "%s cannot be written before the boards are merged", id).
		About(id).Next(pawl.HintMerge)
}

// record makes the plan's record for the journal.
func (p *plan) record(s *Store) *journalRecord {
	if p.made != nil {
		return p.made
	}
	c := p.commit
	r := &journalRecord{Kind: p.kind, Boot: s.fs.Boot(), Clock: s.loaded.fsTime, Rev: p.reader.revision}
	for i := range c.Sets {
		r.Rev++
		set := c.Sets[i]
		set.Revision = r.Rev
		r.Sets = append(r.Sets, packSet(&set))
	}
	r.LastID = max(c.LastID, p.reader.lastID)
	if c.LastID > p.reader.lastID && p.targets[c.LastID] == nil { // no file shows it
		r.Mark = s.markOf(c.LastID)
	}
	for _, id := range p.order {
		tg := p.targets[id]
		if tg.task != nil {
			r.LastID = max(r.LastID, counted(id))
			r.Ranks = append(r.Ranks, [3]int64{int64(id), int64(tg.task.Urgency), int64(tg.task.Height)})
			if tg.beside {
				e := entry{id: id, createdAt: millis(tg.task.CreatedAt), claim: tg.task.Claim, expired: tg.task.Expired}
				r.Claims = append(r.Claims, claimOf(&e))
			}
		}
		if !tg.file {
			continue
		}
		f := journalFile{ID: id}
		if tg.was != nil {
			f.CreatedAt, f.Before = tg.was.createdAt, hashText(tg.was.hash)
		}
		if tg.task != nil {
			next := string(tg.next)
			f.CreatedAt, f.After, f.Text = millis(tg.task.CreatedAt), hashText(hashOf(tg.next)), &next
		}
		r.Files = append(r.Files, f)
	}
	for _, rank := range c.Ranks {
		r.Ranks = append(r.Ranks, [3]int64{int64(rank.ID), int64(rank.Urgency), int64(rank.Height)})
	}
	return r
}

// markOf is what has to be done to .highwatermark for other programs to see the last id
// that was given.
func (s *Store) markOf(last pawl.ID) *journalMark {
	w, f := Rewriting{Mark: last}, &Files{}
	if text, _, err := s.fs.Read(waterName, maxWater); err == nil {
		f.MarkText = append([]byte{}, text...)
		f.Mark, _ = waterOf(text)
	}
	return w.mark(f)
}

func tmpName(rev pawl.Revision, id pawl.ID) string {
	return tmpDir + "/" + strconv.FormatInt(int64(rev), 10) + "." + strconv.FormatInt(int64(id), 10)
}

// stage writes the new texts to temporary files and makes sure that the files they
// will replace are still those that were read. The record gets the file system's
// time that it sees.
func (p *plan) stage(s *Store, r *journalRecord) error {
	if slices.ContainsFunc(r.Files, func(f journalFile) bool { return f.After == "" }) {
		if err := s.readClock(); err != nil {
			return unwritable(err)
		}
		r.Clock = s.loaded.fsTime
	}
	for i := range r.Files {
		f := &r.Files[i]
		if f.After == "" || p.targets[f.ID].stays {
			continue
		}
		info, err := s.createTmp(tmpName(r.first(), f.ID), p.targets[f.ID].next)
		if err != nil {
			return unwritable(err)
		}
		if r.Clock < info.Mtime {
			r.Clock = info.Mtime
			s.loaded.fsTime = info.Mtime
		}
	}
	for _, f := range r.Files {
		tg := p.targets[f.ID]
		info, err := s.fs.Stat(taskName(f.ID))
		switch {
		case err != nil && !absent(err):
			return unwritable(err)
		case tg.was == nil && info.Kind != kindAbsent,
			tg.was != nil && info != tg.text.info:
			s.tracker.doubt(f.ID)
			return errAgain
		}
	}
	return nil
}

// createTmp makes a temporary file in place of one that was left behind by an
// update that did not come to its end.
func (s *Store) createTmp(name string, data []byte) (fileInfo, error) {
	info, err := s.fs.Create(name, data)
	if errors.Is(err, fs.ErrExist) {
		if err := s.fs.Remove(name); err != nil {
			return info, err
		}
		info, err = s.fs.Create(name, data)
	}
	if absent(err) { // somebody tidied up
		if err := s.found(); err != nil {
			return info, err
		}
		info, err = s.fs.Create(name, data)
	}
	return info, err
}

// readClock asks the file system for its time, in the only way there is.
func (s *Store) readClock() error {
	const name = tmpDir + "/clock"
	info, err := s.createTmp(name, nil)
	if err != nil {
		return err
	}
	s.loaded.fsTime = max(s.loaded.fsTime, info.Mtime)
	return s.fs.Remove(name)
}

// unstage removes the temporary files of a record that was not committed.
func (s *Store) unstage(r *journalRecord) {
	for _, f := range r.Files {
		if f.After != "" {
			_ = s.fs.Remove(tmpName(r.first(), f.ID)) // what stays is removed by a later recovery
		}
	}
}
