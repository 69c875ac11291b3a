package file

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// settle brings journal and files together before anything new is done. The
// lock is held.
func (s *Store) settle() error {
	h := &s.loaded
	if h.tail.end.segment == 0 {
		return s.begin()
	}
	if h.known != h.tail.end.segment {
		if err := knows(s.fs, h.tail.end.segment); err != nil {
			return s.unreadable(err)
		}
		h.known = h.tail.end.segment
	}
	if h.tail.torn {
		if err := s.cut(h.tail.end); err != nil {
			return unwritable(err)
		}
		h.tail.torn = false
	}
	if len(h.pending) > 0 || h.mark.boot != s.fs.Boot() || !h.marked {
		if err := s.recover(); err != nil {
			return err
		}
	}
	if h.tail.broken || h.tail.unbegun || h.tail.end.offset == 0 {
		from := max(h.mark.revision, h.tail.highest)
		if !h.marked { // what cannot be read may have had any revision: count on as a new board does
			born, origin := s.birth()
			if from = max(from, born); h.mark.origin == 0 {
				h.mark.origin = origin
			}
		}
		if err := s.newSegment(from); err != nil {
			return err
		}
	}
	return nil
}

// begin starts the journal of a board that has none.
func (s *Store) begin() error {
	if err := s.found(); err != nil { // a part of it may be gone
		return err
	}
	_ = s.fs.Remove(readIndexName) // nobody needs it once there is an index
	from, origin := s.birth()
	s.loaded.mark.origin = origin
	if err := s.newSegment(from); err != nil {
		return err
	}
	s.reserve()
	s.loaded.mark.boot = s.fs.Boot()
	s.loaded.rebuilt = true
	return nil
}

// cut removes what was never committed from the end of the journal.
func (s *Store) cut(at position) error {
	file, err := s.fs.Open(segmentName(at.segment), true)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Truncate(at.offset)
}

// syncPending makes the records that are to be done again survive a power cut
// before anything is done: the process that wrote the last one may have died between
// writing and syncing it, and files must never be ahead of the journal.
func (s *Store) syncPending() error {
	last := 0
	for i := range s.loaded.pending {
		n := s.loaded.pending[i].at.segment
		if n == last {
			continue
		}
		last = n
		file, err := s.fs.Open(segmentName(n), true)
		if err != nil {
			return err
		}
		err = file.Sync()
		file.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// recover does again what was committed and then lost, and nothing else. It
// may itself be cut short, and is then done again.
func (s *Store) recover() error {
	h := &s.loaded
	s.tracker.distrust()
	if err := s.found(); err != nil {
		return err
	}
	if err := s.syncPending(); err != nil {
		return unknown(err)
	}
	if err := s.tidy(); err != nil {
		return unwritable(err)
	}
	// The process that died may not have reached the point where its segment, or the
	// board itself, survives a power cut.
	places := []string{journalDir}
	if !h.marked {
		places = append(places, stateDir, ".")
	}
	for _, place := range places {
		if err := s.fs.Sync(place); err != nil {
			return unwritable(err)
		}
	}
	infos := map[pawl.ID]fileInfo{}
	for _, id := range slices.Sorted(maps.Keys(h.unsettled)) {
		info, err := s.repair(id, h.unsettled[id])
		if err != nil {
			return unwritable(err)
		}
		infos[id] = info
	}
	for i := range h.pending {
		rec := &h.pending[i]
		if !s.indexed(rec) {
			changes, err := fold(h.table, rec, func(id pawl.ID) fileInfo { return infos[id] })
			if err != nil {
				return s.unreadable(err)
			}
			h.table = h.table.with(changes)
			s.addUnlogged(changes)
			h.logOps = append(h.logOps, opsOf(rec, s.now())...)
		}
		if rec.Kind == checkpointRecord {
			h.mark.checkpoint = rec.at
		}
		if err := s.writeMark(rec.journalRecord); err != nil {
			return unwritable(err)
		}
	}
	h.mark.applied = h.tail.end
	h.pending, h.unsettled, h.overlay = nil, nil, nil
	h.mark.folderRacy = true
	if !h.marked {
		if err := s.recall(); err != nil {
			return err
		}
		h.mark.boot = s.fs.Boot()
		h.rebuilt = true
		return nil // the scan that follows rebuilds the index, and then comes the checkpoint
	}
	h.mark.boot = s.fs.Boot()
	if h.tail.broken || h.tail.unbegun || h.tail.end.offset == 0 {
		return nil // a new segment begins with one
	}
	h.logEnd = 0 // ops and entries go into a new snapshot
	return s.checkpoint()
}

// repair decides about one file and carries that out. It returns how the
// file looks, or that nobody knows: then it is looked at as another program's.
func (s *Store) repair(id pawl.ID, t *pendingFile) (fileInfo, error) {
	e, text, info, err := s.examine(id, t)
	if err != nil {
		return fileInfo{}, err
	}
	name := taskName(id)
	switch s.rules.decide(e) {
	case done:
		return info, nil
	case keep:
		return fileInfo{}, nil
	}
	tmp := tmpName(t.record.first(), id)
	if e.present && !t.knows(text) {
		if err := s.setAside(name, id, tmp); err != nil {
			return fileInfo{}, err
		}
		info = fileInfo{}
	}
	// As in a commit, what comes out is looked at: somebody may have written
	// since.
	if t.file.After == "" {
		return fileInfo{}, s.takeAway(tmp, t.file, info)
	}
	if _, err := s.createTmp(tmp, []byte(*t.file.Text)); err != nil {
		return fileInfo{}, err
	}
	if err := s.rules.place(s, tmp, t.file, info); err != nil {
		return fileInfo{}, err
	}
	return s.fs.Stat(name)
}

// recall goes through the whole journal, when the index was lost, for the op
// ids of the last day and for the texts that files were given.
func (s *Store) recall() error {
	h := &s.loaded
	all, err := segments(s.fs)
	if err != nil {
		return s.unreadable(err)
	}
	since := s.now().Add(-s.day)
	h.logOps, h.ours = nil, map[pawl.ID]written{}
	for _, n := range all {
		st, err := readStretch(s.fs, position{segment: n})
		if err != nil {
			return s.unreadable(err)
		}
		for i := range st.records {
			rec := &st.records[i]
			if n := len(rec.Sets); n > 0 && rec.Sets[n-1].At.After(since) {
				h.logOps = append(h.logOps, opsOf(rec, rec.Sets[0].At)...)
			}
			for _, f := range rec.Files {
				h.ours[f.ID] = written{f.After, rec.at, f.Left}
			}
		}
	}
	return nil
}
