package file

import "time"

// A reader saves the index if it read so many files, or listed so many names of the
// folder.
const (
	saveFromFiles = 64
	saveFromNames = 500
)

// worthKeeping reports whether the next reader would be spared much.
func (sc *scan) worthKeeping() bool {
	return len(sc.found)+len(sc.looks) > saveFromFiles || sc.listed && sc.manyNames()
}

// manyNames reports whether it takes long to list the folder. Names that have
// changed just now would have to be read again anyway.
func (sc *scan) manyNames() bool {
	young := time.Now().UnixNano()-sc.folder.Ctime < int64(2*slack)
	return sc.tasks > saveFromNames && !young
}

// saveIndex writes what a reader has found out into the index if the lock is free,
// and otherwise leaves it to the next reader. Nobody waits for it,
// and nothing depends on it. It reports whether what is loaded may have moved.
func (s *Store) saveIndex(sc *scan) (moved bool) {
	h := &s.loaded
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
		s.forget() // what is loaded may be half of it
		return true
	}
	if len(h.pending) > 0 || h.mark.revision != revision || h.tail.torn || h.tail.broken || h.tail.unbegun {
		return true
	}
	if sc.listed && sc.folderRacy && len(sc.found)+len(sc.looks) <= saveFromFiles {
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

// clockFirst asks the file system for the time before a reader looks at much, if
// the reader could also write the index. Only what is older than that time cannot
// have changed since and kept its times. A time that is asked for afterwards says
// nothing: a file may have been read, rewritten in the same tick, and be old by then.
func (s *Store) clockFirst() {
	h := &s.loaded
	if !h.exists || !h.marked || s.fs.GitBusy() {
		return
	}
	unlock, err := s.lock(ended, true)
	if err != nil {
		return // also in an update, which has the lock
	}
	defer unlock()
	_ = s.readClock()
}
