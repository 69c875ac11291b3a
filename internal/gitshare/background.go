package gitshare

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/share"
)

// Syncs that run by themselves do so in a process of their own, so that nobody waits
// for the network. They are bounded in time and number:
const (
	gather    = time.Second      // waits so long, so that done and the next claim are one push
	apart     = 20 * time.Second // between the beginnings of two
	periodic  = time.Minute      // older than this, the board is synced when somebody looks at it
	longest   = time.Minute      // one takes at most
	mostPause = 30 * time.Minute // after failures, which double it
	patient   = time.Minute      // a process waits no longer for such a pause to end
	glimpse   = time.Second      // a process that runs on looks no more often whether one is due
)

// next is when the next sync may run by itself after failures. Where the last one
// began in the future the clock was set back since, and nothing has to be waited for.
func (r *record) next(now time.Time) time.Time {
	n := r.State.Failures
	if n == 0 || r.Tried.After(now) {
		return time.Time{}
	}
	return r.Tried.Add(min(mostPause, apart<<min(n-1, 8)))
}

// Changed implements [query.Syncer].
func (s *Sharing) Changed(_ context.Context, soon bool) { s.consider(soon, true) }

// Looked implements [query.Syncer].
func (s *Sharing) Looked(context.Context) { s.consider(false, false) }

// consider starts a sync in the background if one is due. The next call makes up
// for a failure here.
func (s *Sharing) consider(soon, changed bool) {
	now := s.o.Now()
	s.mu.Lock()
	if !soon && !changed && now.Sub(s.looked) < glimpse && !now.Before(s.looked) {
		s.mu.Unlock()
		return
	}
	s.looked = now
	s.mu.Unlock()
	r, err := s.record()
	if err != nil || s.o.Spawn == nil {
		return
	}
	if s.due(r, now, soon, changed) && s.allowed(r, s.o.Getenv) && s.start(waitName) || !changed {
		return
	}
	s.start(keepName) // no sync begins soon, so that git's folder would lack the change
}

// due reports whether a sync should run in the background.
func (s *Sharing) due(r *record, now time.Time, soon, changed bool) bool {
	old := !within(periodic, r.State.Synced, now)
	next := r.next(now)
	switch mode := s.o.Mode(); {
	case s.halted(r) != nil, now.Add(patient).Before(next), !soon && now.Before(next):
		return false
	case old && len(r.State.Agreed) > 0 && r.State.Due(instant(now)):
		return true
	case mode == Manual:
		return false
	case changed && (soon || mode == Always):
		return true
	default:
		return old && !within(apart, r.Tried, now)
	}
}

// within reports whether something was less than d ago. A time in the future was not:
// the clock was set back since.
func within(d time.Duration, then, now time.Time) bool {
	ago := now.Sub(then)
	return ago >= 0 && ago < d
}

// start starts a process in the background, and reports whether it did: none, if one of
// its kind is about to begin.
func (s *Sharing) start(name string) bool {
	return !filelock.Held(s.File(name)) && s.o.Spawn(s.Board, name == keepName) == nil
}

// Keep is the process that [Options.Spawn] starts for changes that no sync takes up soon:
// it makes a commit of them in git's folder, and uses no network.
func (s *Sharing) Keep(ctx context.Context, by pawl.Actor) error {
	begin := s.try(keepName)
	if begin == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var r *record
	unlock := func() {}
	err := share.Sleep(ctx, gather)
	if err == nil {
		r, unlock, err = s.loadLocked(ctx)
	}
	begin() // what is changed from now on is for the next one
	if err != nil {
		return err
	}
	defer unlock()
	if over, err := s.overrun(ctx, r); over || err != nil || gone(s.Board) {
		return err
	}
	return s.keep(ctx, r, by)
}

func (s *Sharing) keep(ctx context.Context, r *record, by pawl.Actor) error {
	sharer, done, err := s.alone(ctx, r, by)
	if err != nil {
		return err
	}
	defer done()
	if err := sharer.Keep(ctx, by); err != nil {
		return err
	}
	store, done, err := s.store()
	if err != nil {
		return err
	}
	defer done()
	rev, _, err := store.Revision(ctx)
	if err != nil || r.Sent < rev {
		return err
	}
	r.Sent = rev - 1 // what a backup undid is put back, and that is to be sent
	return s.save(r)
}

// Recover implements [query.Syncer].
func (s *Sharing) Recover(ctx context.Context, by pawl.Actor) error {
	if s.o.Hook {
		if s.o.Spawn != nil {
			s.start(keepName)
		}
		return pawl.Errorf(pawl.Unavailable, "a backup was restored, and a hook does not wait until what it undid is back").Next(pawl.HintRetry)
	}
	r, unlock, err := s.loadLocked(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	store, done, err := s.store()
	if err != nil {
		return err
	}
	defer done()
	rev, _, err := store.Revision(ctx)
	if err != nil || rev >= r.Sent { // a sync has since put it back
		return err
	}
	return s.keep(ctx, r, by)
}

// Background is the process that [Options.Spawn] starts. It ends by itself and
// prints nothing: faults are in the status.
func (s *Sharing) Background(ctx context.Context, by pawl.Actor) error {
	begin := s.try(waitName)
	if begin == nil {
		return nil // another one is about to sync what this one would
	}
	r, err := s.load()
	if err == nil && r.wait(s.o.Now()) > gather {
		_ = s.Keep(ctx, by) // the sync takes up what it could not
	}
	if err == nil {
		err = share.Sleep(ctx, r.wait(s.o.Now()))
	}
	if err != nil {
		begin()
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	r, unlock, err := s.loadLocked(ctx)
	begin() // what is changed from now on is for the next one
	if err != nil {
		return err
	}
	defer unlock()
	now := s.o.Now()
	if s.halted(r) != nil || !s.allowed(r, s.o.Getenv) || now.Before(r.next(now)) || s.settled(ctx, r) {
		return nil
	}
	_, err = s.locking(ctx, r, request{Options: share.Options{By: by}, alone: true})
	return err
}

// wait is how long a process in the background waits before it syncs.
func (r *record) wait(now time.Time) time.Duration {
	if next := r.next(now); !next.IsZero() {
		return max(gather, min(patient, next.Sub(now)))
	}
	return max(gather, min(apart, r.Tried.Add(apart).Sub(now)))
}

// settled reports whether somebody has synced all of the board a moment ago.
func (s *Sharing) settled(ctx context.Context, r *record) bool {
	store, done, err := s.store()
	if err != nil {
		return false
	}
	defer done()
	rev, edited, err := store.Revision(ctx)
	return err == nil && !edited && rev == r.Sent && within(apart, r.State.Synced, s.o.Now())
}
