package file

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/epoch"
)

// Jump lets the numbers of a board go on behind all that may have been given, after a
// backup of it was restored (see package epoch). History before the jump can be read, but
// not followed on by a watcher that has seen more of it than is left.
func (s *Store) Jump(ctx context.Context) (epoch.High, error) {
	if err := s.enter(ctx); err != nil {
		return epoch.High{}, err
	}
	defer s.leave()
	defer s.fs.Hold()()
	if err := s.found(); err != nil {
		return epoch.High{}, err
	}
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return epoch.High{}, err
	}
	defer unlock()
	for n := 1; ; n++ {
		high, err := s.jump(ctx)
		if err != errAgain || n == attempts {
			return high, err
		}
	}
}

// jump does it under the lock, with one record.
func (s *Store) jump(ctx context.Context) (high epoch.High, err error) {
	sc, err := s.ready(ctx, nil)
	if err != nil {
		return high, err
	}
	if !sc.busy {
		if err := s.external(sc); err != nil {
			return high, err
		}
	}
	h := &s.loaded
	high = epoch.High{Revision: h.mark.revision, LastID: s.lastID(h.table), Epoch: h.mark.epoch}
	next := high.Past(high, s.now(), s.lastUpdate())
	if err := s.syncNamed(); err != nil {
		return high, err
	}
	epoch := h.mark.epoch
	h.mark.epoch = next.Epoch
	rec := s.checkpointRecord(next.Revision)
	rec.Jumped, rec.LastID, rec.Mark = high.Revision, next.LastID, s.markOf(next.LastID)
	at, err := s.append(rec)
	if err != nil {
		h.mark.epoch = epoch
		return high, err
	}
	defer s.tracker.hint()
	h.mark.revision, h.mark.lastID = next.Revision, next.LastID
	h.mark.applied, h.mark.checkpoint, h.mark.since = at.end, at.at, 0
	if err := s.writeMark(rec); err != nil {
		s.forget() // the next writer does it
		return next, nil
	}
	return next, s.logMark()
}

// lastUpdate is when a task was changed last; zero: not known.
func (s *Store) lastUpdate() time.Time {
	var last int64
	rows := s.loaded.table.cursor()
	for row, more := rows.next(); more; row, more = rows.next() {
		last = max(last, row.open().times.updated)
	}
	return fromMillis(last)
}
