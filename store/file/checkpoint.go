package file

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A checkpoint limits how much of the journal is read after a crash.
const (
	checkpointRecords = 64
	checkpointBytes   = 1 << 20
	syncEach          = 64 // files: with more of them, one sync of everything is cheaper
)

// checkpoint makes the files survive by themselves, and says so in the journal.
func (s *Store) checkpoint() error {
	h := &s.loaded
	s.reserve()
	if h.tail.end.offset >= s.size || s.decayed() {
		if err := s.newSegment(h.mark.revision); err != nil {
			return err
		}
		return s.logMark()
	}
	if err := s.syncNamed(); err != nil {
		return err
	}
	at, err := s.append(s.checkpointRecord(h.mark.revision))
	if err != nil {
		return err
	}
	h.mark.applied, h.mark.checkpoint, h.mark.since = at.end, at.at, 0
	return s.logMark()
}

// decayed reports whether a line of the segment is not as it was written. A writer
// reads only the records after the index, so it would never see damage further up;
// a pass over all of it costs less than the sync that follows.
func (s *Store) decayed() bool {
	text, _, err := readFrom(s.fs, position{segment: s.loaded.tail.end.segment})
	if err != nil {
		return false // to write will fail too, and says why
	}
	for line := range bytes.Lines(text) {
		if _, ok := bodyOf(line); !ok {
			return true
		}
	}
	return false
}

func (s *Store) logMark() error {
	if err := s.log(nil, nil); err != nil {
		s.forget()
		return unwritable(err)
	}
	return nil
}

// syncNamed syncs the files that records since the last checkpoint name.
func (s *Store) syncNamed() error {
	h := &s.loaded
	if h.mark.checkpoint.segment == 0 {
		return nil // the journal has no record yet
	}
	ids, all, err := s.namedSince()
	if err != nil {
		return s.unreadable(err)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > syncEach || !all {
		if err := s.fs.SyncAll(); err != nil {
			return unwritable(err)
		}
		return nil
	}
	names := make([]string, len(ids), len(ids)+1)
	for i, id := range ids {
		names[i] = taskName(id)
	}
	if s.isThere(waterName) {
		names = append(names, waterName)
	}
	if err := s.fs.SyncEach(names); err != nil {
		return unwritable(err)
	}
	if err := s.fs.Sync("."); err != nil {
		return unwritable(err)
	}
	return nil
}

// namedSince lists the files that records since the last checkpoint name, as far
// as they can be read.
func (s *Store) namedSince() (ids []pawl.ID, all bool, err error) {
	h := &s.loaded
	if h.named.since == h.mark.checkpoint && h.named.records == h.mark.since {
		return slices.Clone(h.named.ids), true, nil // all of them are our own
	}
	t, err := readTail(s.fs, &mark{applied: h.mark.checkpoint})
	for _, r := range t.records {
		for _, f := range r.Files {
			ids = append(ids, f.ID)
		}
	}
	return ids, !t.broken, err
}

func (s *Store) checkpointRecord(rev pawl.Revision) *journalRecord {
	h := &s.loaded
	rec := &journalRecord{
		Format: format, Kind: checkpointRecord, Boot: s.fs.Boot(), Clock: h.fsTime,
		Rev: rev, LastID: h.mark.lastID, Origin: h.mark.origin, Epoch: h.mark.epoch,
	}
	h.table.eachBusy(func(e *entry) {
		if e.claim.Live() || e.expired > 0 {
			rec.Claims = append(rec.Claims, claimOf(e))
		}
	})
	rec.Ended = s.endedClaims()
	return rec
}

// newSegment begins the next segment of the journal with a checkpoint. It is
// there for good before anything is committed in it.
func (s *Store) newSegment(rev pawl.Revision) error {
	h := &s.loaded
	if err := s.syncNamed(); err != nil {
		return err
	}
	all, err := segments(s.fs)
	if err != nil {
		return s.unreadable(err)
	}
	n := h.mark.applied.segment + 1 // of a journal that was removed, no number comes again
	if len(all) > 0 {
		n = max(n, all[len(all)-1]+1)
	}
	line, err := s.checkpointRecord(rev).line()
	if err != nil {
		return pawl.Errorf(pawl.Internal, "a record of the journal could not be made: %w", err)
	}
	name := segmentName(n)
	if _, err := s.fs.Create(name, line); err != nil {
		_ = s.fs.Remove(name)
		return unwritable(err)
	}
	for _, place := range []string{name, journalDir} {
		if err := s.fs.Sync(place); err != nil {
			_ = s.fs.Remove(name)
			return unwritable(err)
		}
	}
	if len(all) == 0 { // so far nothing says that there is a board
		for _, place := range []string{stateDir, "."} {
			if err := s.fs.Sync(place); err != nil {
				_ = s.fs.Remove(name)
				return unwritable(err)
			}
		}
	}
	h.known = n
	h.tail = tail{end: position{n, int64(len(line))}}
	h.mark.revision = rev
	h.mark.applied, h.mark.checkpoint, h.mark.since = h.tail.end, position{segment: n}, 0
	return s.prune(append(all, n))
}

// prune removes the oldest segments, but none that may hold the result of an
// op id of the last day.
func (s *Store) prune(all []int) error {
	for len(all) > s.keep {
		info, err := s.fs.Stat(segmentName(all[0]))
		if err != nil || info.Mtime > s.loaded.fsTime-int64(s.day) {
			return nil
		}
		if err := s.fs.Remove(segmentName(all[0])); err != nil {
			return nil // it is merely in the way; the next rotation tries again
		}
		all = all[1:]
	}
	return nil
}
