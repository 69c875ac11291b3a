package file

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// loaded is what a process has in memory of a board's state folder.
type loaded struct {
	exists bool     // there is a state folder, and it is ours
	whose  whose    // it says it is
	index  fileInfo // of the files that were read
	log    fileInfo
	logEnd int64 // up to where the log is whole; zero: it must be made again

	generation uint64
	table      *table // as the journal and the log have it
	logged     *table // as the log alone has it, with the mark
	summary    []byte // the last one in the log; nil: there is none
	logOps     []opRef
	mark       mark
	marked     bool          // there is a mark: the index was not lost
	sure       pawl.Revision // of the last mark in the index: up to it, all is in the files
	fsTime     int64         // a time of the file system's clock that has passed

	tail      tail
	pending   []located                // committed, but not known to be applied
	unsettled map[pawl.ID]*pendingFile // of the files that they name
	claims    map[pawl.ID]journalClaim // known from the journal alone, when the index was lost
	overlay   map[pawl.ID]*entry       // what they will make of the table
	wrote     int                      // commits of this process
	known     int                      // the segment whose head was read
	named     named                    // what the next checkpoint has to sync
	// unlogged are changes of the table that go into the log with the next mark.
	unlogged map[pawl.ID]*entry
	rebuilt  bool                // the index was lost: everything there is gets adopted
	ours     map[pawl.ID]written // then: what the journal says of the files
}

// named are the files that this process has written since a checkpoint.
type named struct {
	since   position // the checkpoint
	records int
	ids     []pawl.ID
}

// add notes a record that was appended.
func (n *named) add(rec *located) {
	if rec.Kind == checkpointRecord {
		*n = named{since: rec.at}
		return
	}
	n.records++
	for _, f := range rec.Files {
		n.ids = append(n.ids, f.ID)
	}
}

// remote is the kind of network file system that the board is on, or empty.
func (s *Store) remote() string {
	s.remoteOnce.Do(func() { s.remoteKind = s.fs.Remote() })
	return s.remoteKind
}

// merged works out what is shown with what was found in the files.
func (s *Store) merged(t *table, found []finding) map[pawl.ID]*entry {
	changes := s.rules.merge(t, found)
	for id, c := range s.loaded.claims {
		switch e := changes[id]; {
		case e == nil || e.claim.Live() || e.createdAt != c.CreatedAt:
		case e.status == pawl.InProgress:
			c.restore(e)
		default:
			e.expired = c.Expired
		}
	}
	s.giveBack(changes, &s.loaded.mark)
	followed(t, changes)
	return changes
}

// followed lets claims go with tasks that have come under another number, as a pull
// brings them: a colleague has merged, and was says which number they had here.
func followed(t *table, changes map[pawl.ID]*entry) {
	for _, e := range changes {
		if e == nil || len(e.was) == 0 || e.createdAt == 0 || e.damage != "" || e.claim.Live() {
			continue
		}
		for _, id := range slices.Backward(e.was) {
			old, now := t.get(id), changes[id]
			_, changed := changes[id]
			if old == nil || !changed || id == e.id || !old.isTask(e) || now != nil && (now.damage != "" || now.isTask(e)) {
				continue
			}
			e.inherit(old)
			break
		}
	}
}

// isTask reports whether two entries have the same identity, under whatever number.
func (e *entry) isTask(other *entry) bool {
	is, as := e.identity(), other.identity()
	return is.first == as.first && is.made == as.made
}

// written is the last text that Pawl gave a task's file.
type written struct {
	hash string
	at   position
	left []pawl.Evidence // that it has not
}

// shown is the table as readers see it.
func (s *Store) shown() *table { return s.loaded.table.with(s.loaded.overlay) }

// refresh loads under the shared lock. Where there is nothing that a writer
// could be at, or where nothing can be written anyway, there is no lock.
func (s *Store) refresh(ctx context.Context) error {
	unlock, err := s.share(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.load()
}

// share takes the shared lock, where there is one to be taken. On a board that
// nobody has locked yet it makes nothing.
func (s *Store) share(ctx context.Context) (unlock func(), err error) {
	if info, err := s.fs.Stat(stateDir); err == nil && info.Kind == kindFolder && s.isThere(lockName) {
		unlock, err := s.lock(ctx, false)
		if err == nil || !withoutLock(err) {
			return unlock, err
		}
	}
	return func() {}, nil
}

func (s *Store) isThere(name string) bool {
	_, err := s.fs.Stat(name)
	return err == nil
}

// load brings what is loaded up to what the state folder says.
func (s *Store) load() error {
	info, err := s.fs.Stat(stateDir)
	of, foreign, errOf := s.whose(s.loaded.whose)
	if absent(err) || foreign {
		s.loaded = loaded{table: newTable(&snapshot{})}
		s.tracker.distrust()
		return nil
	}
	if err != nil {
		return s.unreadable(err)
	}
	if info.Kind != kindFolder {
		return s.unreadable(fail("open", stateDir, errIrregular))
	}
	if errOf != nil {
		return errOf
	}
	index, err := s.fs.Stat(indexName)
	if err != nil && !absent(err) {
		return s.unreadable(err)
	}
	log, err := s.fs.Stat(logName)
	if err != nil && !absent(err) {
		return s.unreadable(err)
	}
	h := &s.loaded
	same := h.exists && h.index == index && h.log.Inode == log.Inode && h.log.Device == log.Device && log.Size >= h.logEnd
	if !same {
		s.tracker.distrust()
		wrote := h.wrote
		*h = loaded{exists: true, index: index, wrote: wrote, table: newTable(&snapshot{})}
		if err := s.loadIndex(); err != nil {
			return s.unreadable(err)
		}
	}
	if log.Size > h.logEnd || !same {
		if err := s.loadLog(log); err != nil {
			return s.unreadable(err)
		}
	}
	h.log, h.whose = log, of
	h.fsTime = max(h.fsTime, log.Mtime, index.Mtime)
	return s.loadTail()
}

func (s *Store) loadIndex() error {
	h := &s.loaded
	if h.index.Kind == kindAbsent {
		return nil
	}
	text, info, err := s.fs.Read(indexName, 1<<40)
	if err != nil {
		return err
	}
	base, m, err := parseSnapshot(text)
	if err != nil {
		return err
	}
	h.index = info
	if base != nil {
		h.generation, h.table, h.mark, h.marked = base.generation, newTable(base), *m, true
		h.logged, h.sure = h.table, m.revision
	}
	return nil
}

func (s *Store) loadLog(info fileInfo) error {
	h := &s.loaded
	if info.Kind == kindAbsent || !h.marked {
		return nil
	}
	file, err := s.fs.Open(logName, false)
	if err != nil {
		return err
	}
	defer file.Close()
	text := make([]byte, info.Size-h.logEnd)
	n, err := file.ReadAt(text, h.logEnd)
	if err != nil && err != io.EOF {
		return err
	}
	text = text[:n]
	if h.logEnd == 0 {
		generation, ok, err := logGeneration(text)
		if err != nil {
			return err
		}
		if !ok || generation != h.generation {
			return nil
		}
		text = text[logHeader:]
		h.logEnd = logHeader
	}
	log := readFrames(text)
	h.logEnd += int64(log.end)
	if same := h.logged == h.table; same {
		h.table = h.table.with(log.changes)
		h.logged = h.table
	} else {
		h.table, h.logged = h.table.with(log.changes), h.logged.with(log.changes)
	}
	if log.summary != nil {
		h.summary = bytes.Clone(log.summary)
	}
	for id := range log.changes {
		delete(h.unlogged, id) // somebody else knew better
	}
	h.logOps = append(h.logOps, log.ops...)
	if log.mark != nil {
		h.mark, h.sure = *log.mark, log.mark.revision
	}
	return nil
}

// loadTail finds what was committed but is not known to be in the files, and
// what that will make of the table.
func (s *Store) loadTail() error {
	h := &s.loaded
	var err error
	h.tail, err = readTail(s.fs, &h.mark)
	if err != nil {
		return s.unreadable(err)
	}
	h.overlay = nil
	if h.mark.boot != s.fs.Boot() && h.marked {
		// Files that were in place may no longer be there.
		m := mark{}
		if h.mark.checkpoint.segment != 0 {
			m.applied = h.mark.checkpoint
		}
		if h.tail, err = readTail(s.fs, &m); err != nil {
			return s.unreadable(err)
		}
	}
	for _, r := range h.tail.records {
		if r.Format > format {
			return newerFormat("journal", r.Format)
		}
		h.mark.lastID = max(h.mark.lastID, r.LastID)
		h.mark.revision = max(h.mark.revision, r.Rev)
		if r.Origin != 0 {
			h.mark.origin = r.Origin
		}
		h.mark.epoch = max(h.mark.epoch, r.Epoch)
	}
	h.pending = h.tail.records
	if h.tail.other && h.marked { // nothing of an older journal is done again
		h.pending = slices.DeleteFunc(h.pending, func(r located) bool { return r.Rev <= h.sure })
	}
	h.unsettled, h.claims = pendingFiles(h.pending), map[pawl.ID]journalClaim{}
	if !h.marked {
		s.clearPending()
		for _, r := range h.pending {
			if r.gap {
				clear(h.claims) // what became of them is not known
			}
			for _, c := range r.Claims {
				h.claims[c.ID] = c
			}
		}
	}
	if len(h.pending) == 0 {
		return nil
	}
	h.mark.acyclic = false
	h.overlay, err = s.foresee()
	if err != nil {
		return s.unreadable(err)
	}
	return nil
}

// clearPending forgets the pending files that were in place when the index was
// lost.
// A writer brings the record before its own into the files first. So on a
// machine that has run since only the last record can be missing there, and not
// even that one where something was written after it.
func (s *Store) clearPending() {
	h := &s.loaded
	if len(h.pending) == 0 {
		return
	}
	last := &h.pending[len(h.pending)-1]
	if last.Boot != s.fs.Boot() {
		return // the power may have been cut since the checkpoint
	}
	maps.DeleteFunc(h.unsettled, func(_ pawl.ID, t *pendingFile) bool {
		return h.tail.rest || t.record.Rev != last.Rev
	})
}
