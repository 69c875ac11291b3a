package file

import "time"

// What it takes for a reader to put down what it has found out: so many files
// read, or so many names of the folder.
const (
	saveFromFiles = 64
	saveFromNames = 500
)

// worthKeeping reports whether the next reader would be spared much. Names
// that have changed just now would have to be read again all the same.
func (sc *scan) worthKeeping() bool {
	young := time.Now().UnixNano()-sc.folder.Ctime < int64(2*slack)
	return len(sc.found)+len(sc.looks) > saveFromFiles || sc.listed && sc.tasks > saveFromNames && !young
}

// saveIndex writes what a reader has found out into the index if the lock is free,
// and otherwise leaves it to the next reader. Nobody waits for it,
// and nothing depends on it. It reports whether what is held may have moved.
func (s *Store) saveIndex(sc *scan) (moved bool) {
	h := &s.held
	if !h.exists || !h.marked || len(h.pending) > 0 || h.mark.boot != s.fs.Boot() || s.fs.GitBusy() {
		return false
	}
	unlock, err := s.lock(ended, true)
	if err != nil {
		return false
	}
	defer unlock()
	revision := h.mark.revision
	if s.load() != nil {
		s.forget() // what is held may be half of it
		return true
	}
	if len(h.pending) > 0 || h.mark.revision != revision || h.tail.torn || h.tail.broken || h.tail.unbegun {
		return true
	}
	if s.compareClock(sc) != nil || sc.listed && s.racy(sc.folder) && len(sc.found)+len(sc.looks) <= saveFromFiles {
		return true
	}
	if len(sc.found) > 0 && s.reconcile(s.shown(), sc) != nil {
		return true
	}
	found := len(sc.found)
	if s.external(sc) != nil {
		s.forget()
		return true
	}
	if found == 0 {
		_ = s.logMark()
	}
	sc.found, sc.looks = nil, nil // they are in the table now
	return true
}

// compareClock asks the file system for the time and then looks once more: a
// file that looks the same now, and is old, cannot change unseen any more.
func (s *Store) compareClock(sc *scan) error {
	if err := s.readClock(); err != nil {
		return err
	}
	for i := range sc.found {
		f := &sc.found[i]
		if info, err := s.fs.Stat(taskName(f.id)); err == nil && info == f.info {
			f.racy = s.racy(info)
		}
	}
	for id, l := range sc.looks {
		if info, err := s.fs.Stat(taskName(id)); err == nil && info == l.info {
			sc.looks[id] = look{info, l.hash, s.racy(info)}
		}
	}
	folder, err := s.fs.Stat(".")
	if err == nil && folder != sc.folder {
		return errMoved
	}
	return err
}
