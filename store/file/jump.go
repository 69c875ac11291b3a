package file

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
)

// Jump lets the numbers of a board continue above all that may have been given, after a
// backup of it was restored (see package epoch). History before the jump can be read, but
// a watcher that has seen more of it than is left cannot follow it.
func (s *Store) Jump(ctx context.Context) (epoch.High, error) {
	return s.jumpTo(ctx, func(high epoch.High) (epoch.High, error) {
		return high.Past(high, s.now(), s.lastUpdate()), nil
	})
}

// Pass is Jump for the revisions of a board that is at one of them, up to another one that it
// has had. If the board has come that far, it does nothing.
func (s *Store) Pass(ctx context.Context, is, to pawl.Revision) error {
	_, err := s.jumpTo(ctx, func(high epoch.High) (epoch.High, error) {
		switch {
		case high.Revision >= to:
			return high, nil
		case high.Revision != is:
			return high, pawl.Errorf(pawl.Unavailable, "the board was changed just now").Next(pawl.HintRetry)
		}
		return epoch.High{Revision: to, LastID: high.LastID, Epoch: high.Epoch + 1}, nil
	})
	return err
}

func (s *Store) jumpTo(ctx context.Context, to func(epoch.High) (epoch.High, error)) (epoch.High, error) {
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
		high, err := s.jump(ctx, to)
		if err != errAgain || n == attempts {
			return high, err
		}
	}
}

// jump does it under the lock, with one record.
func (s *Store) jump(ctx context.Context, to func(epoch.High) (epoch.High, error)) (high epoch.High, err error) {
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
	next, err := to(high)
	if err != nil || next == high {
		return high, err
	}
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
