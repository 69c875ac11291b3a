package file

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
)

// attempts is how often an update is tried when other programs keep changing the
// files that it is about.
const attempts = 4

// Update runs fn on the board as it is and commits what it returns. The check
// of every file is done before the lock is taken; under the lock only what
// changed since is looked at again.
func (s *Store) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	defer s.fs.Hold()()
	s.use()
	return s.carryOut(ctx, func(r *reader) (*plan, error) {
		commit, err := fn(r)
		if err != nil || r.moved || commit.Empty() {
			return nil, err
		}
		if !r.locked {
			return &plan{}, nil // it is worked out once more, on a board that exists
		}
		return newPlan(r, &commit)
	})
}

// carryOut commits what decide plans for the board as it is; no plan changes
// nothing. It may ask several times, the first time without the lock, where
// there is no board yet.
func (s *Store) carryOut(ctx context.Context, decide func(*reader) (*plan, error)) (pawl.Revision, error) {
	var sc *scan
	if !s.informed() || s.loaded.unwritten() { // an unwritten board is decided on from a scan
		if err := s.refresh(ctx); err != nil {
			return 0, err
		}
		var err error
		if sc, err = s.scan(s.shown()); err != nil {
			return 0, err
		}
	}
	if !s.loaded.exists || s.loaded.unwritten() {
		// Nothing may come into being for a commit that is empty.
		t := s.shown()
		r := s.reader(t.with(s.merged(t, sc.found)))
		r.revision, r.origin = s.birth()
		p, err := decide(r)
		if err == nil && p != nil {
			if err := s.found(); err != nil {
				return 0, err
			}
		} else { // the answer, unless the board's first commit was under way
			if err := s.refresh(ctx); err != nil {
				return 0, err
			}
			if !s.loaded.exists || s.loaded.unwritten() {
				return r.revision, err
			}
			sc = nil
		}
	}
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return 0, err
	}
	defer unlock()
	for n := 1; ; n++ {
		rev, err := s.transact(ctx, decide, sc)
		if err != errAgain || n == attempts {
			return rev, err
		}
		sc = nil
	}
}

// found makes the folders of a board.
func (s *Store) found() error {
	if err := s.fs.Mkdir("."); err != nil {
		return unmade(err)
	}
	if err := makeState(s.fs); err != nil {
		return unwritable(err)
	}
	for _, dir := range []string{journalDir, tmpDir, lostDir} {
		if err := s.fs.Mkdir(dir); err != nil {
			return unwritable(err)
		}
	}
	return nil
}

// transact decides once under the lock. sc is how the files differed a moment
// ago, nil when they have to be looked at now.
func (s *Store) transact(ctx context.Context, decide func(*reader) (*plan, error), sc *scan) (pawl.Revision, error) {
	sc, err := s.ready(ctx, sc)
	if err != nil {
		return 0, err
	}
	t := s.loaded.table
	if sc.busy {
		// A checkout is under way: what it has done so far is shown, as to any
		// reader, and not recorded.
		t = t.with(s.merged(t, sc.found))
	} else {
		if err := s.external(sc); err != nil {
			return 0, err
		}
		t = s.loaded.table
	}
	r := s.reader(t)
	r.locked = true
	p, err := decide(r)
	if r.moved {
		return 0, errAgain
	}
	if err != nil {
		return 0, err
	}
	if p == nil {
		return r.revision, nil
	}
	return s.commit(p, sc)
}

// ready brings what is loaded up to date under the lock, and says how the files
// differ from it. sc is how they did a moment ago, if somebody has looked.
func (s *Store) ready(ctx context.Context, sc *scan) (*scan, error) {
	if err := s.load(); err != nil {
		return nil, err
	}
	if !s.loaded.exists { // removed while we waited, or another clone's
		if err := s.own(ctx); err != nil {
			return nil, err
		}
		if err := s.load(); err != nil {
			return nil, err
		}
		sc = nil
	}
	if err := s.settle(); err != nil {
		return nil, err
	}
	var err error
	if sc == nil {
		sc, err = s.scan(s.shown())
	} else {
		err = s.reconcile(s.shown(), sc)
	}
	if err != nil {
		return nil, err
	}
	if len(sc.found) > 0 && !s.loaded.rebuilt {
		waited, busy := s.awaitGit(ctx)
		if waited && !busy {
			return nil, errAgain
		}
		sc.busy = busy
	}
	return sc, nil
}

// gitPatience is how long a git command under way is waited for.
const (
	gitPatience = time.Second
	gitPause    = 20 * time.Millisecond
)

// awaitGit waits while git changes files.
func (s *Store) awaitGit(ctx context.Context) (waited, busy bool) {
	for pause := time.Duration(0); s.fs.GitBusy(); pause += gitPause {
		if pause >= gitPatience || ctx.Err() != nil {
			return waited, true
		}
		waited = true
		s.pause(gitPause)
	}
	return waited, false
}
