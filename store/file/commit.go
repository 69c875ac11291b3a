package file

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
)

// commit carries out a plan. Once the record is in the journal and synced, it
// has happened; the next writer repairs what fails after that.
func (s *Store) commit(p *plan, sc *scan) (pawl.Revision, error) {
	s.keepOut()
	rec := p.record(s)
	if err := p.stage(s, rec); err != nil {
		s.unstage(rec)
		return 0, err
	}
	at, err := s.append(rec)
	if err != nil {
		s.unstage(rec)
		return 0, err
	}
	s.loaded.wrote++
	defer s.tracker.hint()
	infos, err := s.place(p, rec)
	if err != nil {
		s.forget()
		return rec.Rev, nil
	}
	s.finish(at, infos, sc)
	return rec.Rev, nil
}

// append writes a record to the journal and syncs it.
func (s *Store) append(rec *journalRecord) (*located, error) {
	line, err := rec.line()
	if err != nil {
		return nil, pawl.Errorf(pawl.Internal, "a record of the journal could not be made: %w", err)
	}
	h := &s.loaded
	if h.tail.end.offset >= s.size {
		if err := s.newSegment(h.mark.revision); err != nil {
			return nil, err
		}
	}
	at := h.tail.end
	file, err := s.fs.Open(segmentName(at.segment), true)
	if err != nil {
		return nil, unwritable(err)
	}
	defer file.Close()
	if n, err := file.Write(line); err != nil || n < len(line) {
		if err == nil {
			err = errors.New("it was written in part")
		}
		if file.Truncate(at.offset) != nil && n == len(line) {
			return nil, unknown(err)
		}
		return nil, unwritable(err)
	}
	if err := file.Sync(); err != nil {
		// Nothing tells how much of it has reached the disk, not even a second
		// sync. The record is taken back, and this descriptor is not used again.
		_ = file.Truncate(at.offset)
		_ = s.newSegment(h.mark.revision)
		s.forget()
		return nil, unknown(err)
	}
	h.tail.end.offset += int64(len(line))
	made := &located{journalRecord: rec, at: at, end: h.tail.end}
	h.named.add(made)
	return made, nil
}

func unknown(err error) error {
	return pawl.Errorf(pawl.Unavailable, "the disk failed while the change was written, so its outcome is unknown: look whether it is there before you repeat it: %w", err)
}

// forget makes the next load start from nothing.
func (s *Store) forget() { s.loaded.index, s.loaded.exists = fileInfo{}, false }

// place puts the staged files in their places and says how they look there.
func (s *Store) place(p *plan, rec *journalRecord) (map[pawl.ID]fileInfo, error) {
	infos := map[pawl.ID]fileInfo{}
	for i := range rec.Files {
		f := &rec.Files[i]
		var saw fileInfo
		tg := p.targets[f.ID]
		if tg.stays {
			if f.After != "" {
				infos[f.ID] = tg.text.info
			}
			continue
		}
		if tg.text != nil {
			if saw = tg.text.info; tg.text.racy {
				saw = fileInfo{Kind: saw.Kind} // what comes out is known by its text alone
			}
		}
		tmp := tmpName(rec.first(), f.ID)
		var err error
		if f.After == "" {
			err = s.takeAway(tmp, f, saw)
		} else {
			err = s.rules.place(s, tmp, f, saw)
		}
		if err != nil {
			return nil, err
		}
		if f.After != "" {
			if infos[f.ID], err = s.fs.Stat(taskName(f.ID)); err != nil {
				return nil, err
			}
		}
	}
	return infos, s.writeMark(rec)
}

// putInPlace exchanges a temporary file and the task's. The file that the exchange
// takes out is compared with the one seen before the commit: if another program was
// faster, its text is kept aside.
func (s *Store) putInPlace(tmp string, f *journalFile, saw fileInfo) error {
	name := taskName(f.ID)
	if saw.Kind == kindAbsent {
		err := s.fs.RenameNew(tmp, name)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	switch err := s.fs.Exchange(tmp, name); {
	case absent(err):
		return s.fs.RenameNew(tmp, name)
	case errors.Is(err, errors.ErrUnsupported):
		ours, err := s.isBefore(name, f, saw)
		if err != nil && !absent(err) {
			return err
		}
		if err == nil && !ours {
			if err := s.setAside(name, f.ID, tmp); err != nil {
				return err
			}
		}
		return s.fs.Rename(tmp, name)
	case err != nil:
		return err
	}
	return s.dispose(tmp, f, saw)
}

// takeAway removes a task's file in the same way.
func (s *Store) takeAway(tmp string, f *journalFile, saw fileInfo) error {
	if err := s.fs.Rename(taskName(f.ID), tmp); err != nil {
		if absent(err) {
			return nil
		}
		return err
	}
	return s.dispose(tmp, f, saw)
}

// dispose removes what was displaced, unless somebody had written it in the
// last moment.
func (s *Store) dispose(tmp string, f *journalFile, saw fileInfo) error {
	ours, err := s.isBefore(tmp, f, saw)
	if err != nil {
		return err
	}
	if !ours {
		return s.setAside(tmp, f.ID, tmp)
	}
	return s.fs.Remove(tmp)
}

// isBefore reports whether a file is the one that a commit replaces: as it looked
// before, or by its text. While a text cannot be read, nobody knows: the commit is
// repaired later, and only a file that still cannot be read then counts as another's.
func (s *Store) isBefore(name string, f *journalFile, saw fileInfo) (bool, error) {
	now, err := s.fs.Stat(name)
	if err != nil || sameFile(now, saw) {
		return err == nil, err
	}
	text, _, err := s.fs.Read(name, pawl.MaxTask)
	if errors.Is(err, errTooLarge) || errors.Is(err, errMoved) || errors.Is(err, errIrregular) {
		return false, nil
	}
	return err == nil && hashText(hashOf(text)) == f.Before, err
}

// sameFile compares without the ctime, which a rename moves.
func sameFile(a, b fileInfo) bool {
	return a.Kind == b.Kind && a.Inode == b.Inode && a.Size == b.Size && a.Mtime == b.Mtime
}

// setAside keeps a file in lost+found, under a name that nothing has yet. tmp
// is the temporary name that tells the revision.
func (s *Store) setAside(name string, id pawl.ID, tmp string) error {
	rev := tmp[len(tmpDir)+1:]
	rev = rev[:len(rev)-len(strconv.FormatInt(int64(id), 10))-1]
	err := s.fs.RenameNew(name, lostName(id, rev))
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		err = s.fs.RenameNew(name, lostName(id, rev+"-"+strconv.Itoa(n)))
	}
	return err
}

// lostName is where a displaced file is kept: task_12.1763700000.json.
func lostName(id pawl.ID, rev string) string {
	return lostDir + "/task_" + strconv.FormatInt(int64(id), 10) + "." + rev + ".json"
}

// writeMark does to .highwatermark what a record says, or what follows from it. A
// record that is carried out again does nothing that somebody has overtaken.
func (s *Store) writeMark(rec *journalRecord) error {
	if rec.Mark == nil {
		return s.raiseWater(rec)
	}
	is, _, err := s.fs.Read(waterName, maxWater)
	switch {
	case absent(err):
		is = nil
	case err != nil:
		return nil // what cannot be read is left alone; the journal has the number too
	case is == nil:
		is = []byte{}
	}
	asBefore := (is == nil) == (rec.Mark.Was == nil) && bytes.Equal(is, rec.Mark.Was)
	has, _ := waterOf(is)
	shall, _ := waterOf(rec.Mark.Text)
	if !asBefore && has >= shall && (is == nil || !torn(is, string(rec.Mark.Text))) {
		return s.raiseWater(rec) // somebody wrote it since
	}
	if rec.Mark.Text != nil {
		tmp := tmpDir + "/water"
		if _, err := s.createTmp(tmp, rec.Mark.Text); err != nil {
			return err
		}
		return s.fs.Rename(tmp, waterName)
	}
	if err := s.fs.Remove(waterName); !absent(err) {
		return err
	}
	return nil
}

// raiseWater writes down the highest id when the file that showed it goes.
func (s *Store) raiseWater(rec *journalRecord) error {
	gone := func(f journalFile) bool { return f.After == "" && f.ID == rec.LastID }
	if rec.LastID > pawl.MaxForeignID || !slices.ContainsFunc(rec.Files, gone) { // see water
		return nil
	}
	tmp := tmpDir + "/water"
	if _, err := s.createTmp(tmp, strconv.AppendInt(nil, int64(rec.LastID), 10)); err != nil {
		return err
	}
	return s.fs.Rename(tmp, waterName)
}

// finish records in the index what a commit has made of the board. It is a
// cache: what cannot be written now is found out again.
func (s *Store) finish(rec *located, infos map[pawl.ID]fileInfo, sc *scan) {
	h := &s.loaded
	changes, err := fold(h.table, rec, func(id pawl.ID) fileInfo { return infos[id] })
	if err != nil {
		s.forget()
		return
	}
	h.mark.revision = rec.Rev
	h.mark.lastID = max(h.mark.lastID, rec.LastID)
	h.mark.applied = rec.end
	h.mark.since++
	h.mark.acyclic = h.mark.acyclic && rec.Kind == commitRecord
	h.mark.boot = s.fs.Boot()
	if len(infos) > 0 || len(rec.Files) > 0 {
		h.mark.folderRacy = true
		if !sc.busy {
			h.mark.folder, _ = s.fs.Stat(".")
		}
	}
	if err := s.log(changes, opsOf(rec, s.now())); err != nil {
		s.forget()
		return
	}
	if h.mark.since >= checkpointRecords || h.mark.applied.offset-h.mark.checkpoint.offset >= checkpointBytes {
		if err := s.checkpoint(); err != nil {
			s.forget()
		}
	}
}

// opsOf lists the op ids of a record.
func opsOf(rec *located, now time.Time) []opRef {
	var ops []opRef
	for _, set := range rec.Sets {
		if set.Op != "" {
			ops = append(ops, opRef{hashOf(string(set.Op)), now.Unix(), rec.at})
		}
	}
	return ops
}

const (
	keepResults = 24 * time.Hour
	// How many bytes a log may have: this part of the snapshot, within these
	// bounds. Every process reads it whole.
	logShare = 16
	logLeast = 16 << 10
	logMost  = 256 << 10

	segmentLimit = 8 << 20
)

// logLimit is how many bytes the log may have.
func (h *loaded) logLimit() int {
	return min(max(logLeast, (len(h.table.base.records)+len(h.table.base.blobs))/logShare), logMost) + len(h.summary)
}

// log appends to the index log, or makes a new snapshot when that has grown
// too long.
func (s *Store) log(changes map[pawl.ID]*entry, ops []opRef) error {
	h := &s.loaded
	s.addUnlogged(changes)
	h.table = h.table.with(changes)
	h.logOps = append(h.logOps, ops...)
	h.count()
	var w logWriter
	w.tasks(h.unlogged)
	w.ops(ops)
	if h.logEnd == 0 || int(h.logEnd)+len(w.buf) > h.logLimit() {
		return s.snapshot()
	}
	if h.outdated() {
		h.summarise()
		w.summary(h.summary)
	}
	w.mark(&h.mark)
	file, err := s.fs.Open(logName, true)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(h.logEnd); err != nil {
		return err
	}
	if n, err := file.Write(w.buf); err != nil || n < len(w.buf) {
		return errors.Join(err, errMoved)
	}
	if h.log, err = file.Stat(); err != nil {
		return err
	}
	h.logEnd = h.log.Size
	h.fsTime = max(h.fsTime, h.log.Mtime)
	h.unlogged, h.marked, h.logged, h.sure = nil, true, h.table, h.mark.revision
	return nil
}

// snapshot replaces the index, and starts its log again.
func (s *Store) snapshot() error {
	h := &s.loaded
	generation := h.generation
	if text, _, err := s.fs.Read(logName, 1<<40); err == nil {
		if g, ok, _ := logGeneration(text); ok {
			generation = max(generation, g)
		}
	}
	generation++
	old := s.now().Add(-s.day).Unix()
	var ops []opRef
	for at := 0; at < len(h.table.base.ops); at += opSize {
		ops = append(ops, parseOp(h.table.base.ops[at:]))
	}
	ops = slices.DeleteFunc(append(ops, h.logOps...), func(o opRef) bool { return o.at < old })
	h.summarise()
	text := appendSnapshot(generation, h.table, ops, &h.mark)
	base, _, err := parseSnapshot(text)
	if err != nil {
		return err
	}
	if err := s.replace(indexName, text); err != nil {
		return err
	}
	w := logWriter{newLog(generation)}
	w.summary(h.summary)
	w.mark(&h.mark)
	if err := s.replace(logName, w.buf); err != nil {
		return err
	}
	if h.index, err = s.fs.Stat(indexName); err != nil {
		return err
	}
	if h.log, err = s.fs.Stat(logName); err != nil {
		return err
	}
	kept := newTable(base)
	kept.active = h.table.active // it is the same board
	h.generation, h.table, h.logOps, h.logEnd = generation, kept, nil, h.log.Size
	h.fsTime = max(h.fsTime, h.log.Mtime)
	h.unlogged, h.marked, h.logged, h.sure = nil, true, kept, h.mark.revision
	return nil
}

// replace puts a new file in the place of an old one.
func (s *Store) replace(name string, text []byte) error {
	tmp := tmpDir + name[len(stateDir):]
	if _, err := s.createTmp(tmp, text); err != nil {
		return err
	}
	return s.fs.Rename(tmp, name)
}
