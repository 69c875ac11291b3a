package file

import "github.com/pawl-dev/pawl"

// The read index is an index that readers save of a board that Pawl has never
// written to, as in a fresh clone: without it each of them would have to open every
// file. It has the form of a snapshot, in a file of its own that no writer uses:
// the first write takes the files in as if nobody had read them.
//
// It only ever says what a reader without it would find. When a single file
// differs, all files are read again, because what an edge means after an edit
// depends on what Pawl remembers, and without a journal it remembers nothing.
const (
	readIndexName = stateDir + "/index.read"
	readIndexTmp  = tmpDir + "/index.read"
	readIndexLock = stateDir + "/index.read.lock" // among readers; writers never wait for it
)

// unwritten reports whether the board has neither an index nor a journal.
func (h *loaded) unwritten() bool {
	return h.exists && !h.marked && h.tail.end.segment == 0 && !h.tail.unbegun
}

// presentUnwritten returns a reader of a board that Pawl has never written to,
// and leaves the read index for the next one if that saves it work.
func (s *Store) presentUnwritten() (*reader, error) {
	h := &s.loaded
	if t, m := s.loadReadIndex(); t != nil {
		sc, err := s.scanKnowing(t, m.folder, m.folderRacy)
		if err != nil {
			return nil, err
		}
		if len(sc.found) == 0 {
			if sc.worthKeeping() {
				if unlock := s.mayKeepReadIndex(); unlock != nil {
					s.keepReadIndex(t.with(seenIn(t, sc)), sc)
					unlock()
				}
			}
			return s.reader(t), nil
		}
	}
	var unlock func()
	if s.manyFiles() {
		unlock = s.mayKeepReadIndex()
	}
	if unlock != nil {
		defer unlock()
		// The clock is read before the files: what is older than it now cannot
		// still change and keep its times.
		if info, err := s.createReadTmp(nil); err == nil {
			h.fsTime = max(h.fsTime, info.Mtime)
		}
	}
	t := h.table
	sc, err := s.scan(t)
	if err != nil {
		return nil, err
	}
	t = t.with(s.merged(t, sc.found))
	if unlock != nil {
		s.keepReadIndex(t, sc)
	}
	return s.reader(t), nil
}

// manyFiles reports whether the board has so many tasks that an index saves the
// next reader more than it costs this one.
func (s *Store) manyFiles() bool {
	n := 0
	_ = s.fs.List(".", func(name []byte) {
		if _, ok := parseTaskName(name); ok {
			n++
		}
	})
	return n > saveFromFiles
}

// loadReadIndex returns the read index, or nil if there is none of use.
func (s *Store) loadReadIndex() (*table, *mark) {
	text, info, err := s.fs.Read(readIndexName, 1<<40)
	if err != nil {
		return nil, nil
	}
	base, m, err := parseSnapshot(text)
	if err != nil || base == nil || m.boot != s.fs.Boot() { // a power cut may have changed files and kept their times
		return nil, nil
	}
	s.loaded.fsTime = max(s.loaded.fsTime, info.Mtime)
	t := newTable(base)
	t.last = m.lastID
	return t, m
}

// mayKeepReadIndex takes the lock among readers, if it is free and the state folder
// keeps itself out of git; nil means that this reader leaves nothing. A process that
// runs on leaves nothing either, and keeps nothing in memory: until Pawl first
// writes to the board it reads all files for each view. To know which of them
// can no longer change and look the same it would have to ask the file system's
// clock, which is done by writing.
func (s *Store) mayKeepReadIndex() (unlock func()) {
	if s.tracker != nil || s.fs.GitBusy() || !s.isThere(stateIgnoreName) {
		return nil
	}
	unlock, err := s.fs.Lock(ended, readIndexLock, true)
	if err != nil {
		return nil
	}
	return unlock
}

// keepReadIndex writes the read index. If that fails, the next reader tries again.
func (s *Store) keepReadIndex(t *table, sc *scan) {
	m := mark{boot: s.fs.Boot(), lastID: t.last, folder: sc.folder, folderRacy: s.racy(sc.folder)}
	if _, err := s.createReadTmp(appendSnapshot(1, t, nil, &m)); err == nil {
		_ = s.fs.Rename(readIndexTmp, readIndexName)
	}
}

// createReadTmp makes the temporary file again: one that is there was left by a
// reader that died.
func (s *Store) createReadTmp(text []byte) (fileInfo, error) {
	if err := s.fs.Mkdir(tmpDir); err != nil {
		return fileInfo{}, err
	}
	if err := s.fs.Remove(readIndexTmp); err != nil && !absent(err) {
		return fileInfo{}, err
	}
	return s.fs.Create(readIndexTmp, text)
}

// seenIn returns the entries of t whose files were read again and found
// unchanged, with the file times of now.
func seenIn(t *table, sc *scan) map[pawl.ID]*entry {
	changes := map[pawl.ID]*entry{}
	for id, l := range sc.looks {
		if e := t.get(id); e != nil && e.hash == l.hash {
			changes[id] = l.of(e)
		}
	}
	return changes
}

// Prepare makes the state folder of an existing board, so that even readers may save an
// index in it. It never makes a board. A link in the place of the folder fails: it came
// with somebody's project, and leads out of the board.
func Prepare(dir string) error {
	dir, err := locate(dir)
	if err != nil {
		return err
	}
	return prepare(newFS(dir))
}

func prepare(f fileSystem) error {
	_, err := f.Stat(stateIgnoreName)
	if absent(err) {
		err = makeState(f)
	}
	if err == nil || absent(err) {
		return nil
	}
	return unwritable(err)
}
