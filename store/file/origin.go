package file

import (
	"bytes"
	"strconv"

	"github.com/pawl-dev/pawl"
)

// Short revisions, @3, count from the board's origin: @N is revision origin+N.
// Each checkpoint of the journal has the origin, so each segment begins with it,
// and the index has a copy in its mark.
//
// If .pawl/ is deleted, the origin goes with it, and the count begins again. A
// number that somebody wrote down before must not mean another change then. So the
// lock file, which is outside of .pawl/, has a number that the count has not
// reached, and a new count goes on from there:
//
//	.lock: one byte, which Windows locks, and "10000\n"
//
// Lower numbers then name revisions before the board's first one, which history
// reports as no longer kept.
const (
	reserveStep = 10_000
	// reserveLeast is more than the sets between two checkpoints: each takes more
	// than 200 bytes of [checkpointBytes].
	reserveLeast = 6_000
	reserveMost  = 1 << 50 // a higher number was not written by Pawl
)

// Origin is what short revisions count from; zero: the board has no journal yet.
func (r *reader) Origin() pawl.Revision { return min(r.origin, r.revision) }

// birth returns the revision that a new board counts from, and its origin. The
// revision is the time in milliseconds: a board that was here before has not
// committed that often, so that no token and no place in its history means anything
// in this one.
func (s *Store) birth() (from, origin pawl.Revision) {
	m := &s.loaded.mark
	counted := s.reserved()
	if m.origin != 0 { // the journal was deleted, and the index was not
		counted = max(counted, int64(m.revision-m.origin))
	}
	from = max(m.revision, pawl.Revision(s.now().UnixMilli()), pawl.Revision(counted+1))
	return from, from - pawl.Revision(counted)
}

// reserved returns the number in the lock file: earlier counts did not reach it.
func (s *Store) reserved() int64 {
	file, err := s.fs.Open(lockName, false)
	if err != nil {
		return 0
	}
	defer file.Close()
	text := make([]byte, 32)
	n, _ := file.ReadAt(text, 1)
	digits, _, whole := bytes.Cut(text[:n], []byte("\n"))
	number, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || !whole || number < 0 || number > reserveMost {
		return 0
	}
	return number
}

// reserve keeps the number in the lock file ahead of the count. If it cannot write,
// the next checkpoint tries again.
func (s *Store) reserve() {
	h := &s.loaded
	least := int64(h.mark.revision-h.mark.origin) + reserveLeast
	if s.reserved() >= least {
		return
	}
	file, err := s.fs.Open(lockName, true)
	if err != nil {
		return
	}
	defer file.Close()
	if file.Truncate(1) == nil {
		_, _ = file.Write(append(strconv.AppendInt(nil, (least/reserveStep+1)*reserveStep, 10), '\n'))
	}
}
