package supervise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/process"
)

// Ended reports whether the program has ended, and how. It is true also if neither it nor
// its keeper runs and no exit.json exists: then How is Unknown, At is the time of the
// call, and what the program started may still run, until Stop is called.
func (p *Process) Ended() (End, bool, error) {
	for last := false; ; last = true {
		var end End
		if found, err := read(p.dir, exitFile, &end); found || err != nil {
			return end, found, err
		}
		if last { // the keeper did not write it just before it ended
			return End{How: Unknown, Exit: -1, At: time.Now()}, true, nil
		}
		for _, id := range []process.ID{p.Keeper, p.Program} {
			switch runs, known := id.Runs(); {
			case !known:
				return End{}, false, fmt.Errorf("this system does not tell whether process %v runs", id)
			case runs:
				return End{}, false, nil
			}
		}
	}
}

// Wait waits until the program has ended. It may have been started by another process.
func (p *Process) Wait(ctx context.Context) (End, error) { return p.wait(ctx, nil) }

// wait calls step between two looks; it may be nil.
func (p *Process) wait(ctx context.Context, step func() error) (End, error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	over := p.over
	for {
		if end, ended, err := p.Ended(); ended || err != nil {
			return end, err
		}
		if step != nil {
			if err := step(); err != nil {
				return End{}, err
			}
		}
		select {
		case <-over:
			over = nil
		case <-look.C:
		case <-ctx.Done():
			return End{}, context.Cause(ctx)
		}
	}
}

// lookAgain is the time between two looks at a process that is nobody's child here.
const lookAgain = 50 * time.Millisecond

// Stop ends the program and all that it started, and returns how it ended: it is asked to
// (SIGTERM), and after the grace of its spec it is killed. Why is kept in the End. The
// keeper does it; if that is gone, Stop does. Of a program that has ended it changes
// nothing. When ctx ends, the keeper goes on ending the program.
func (p *Process) Stop(ctx context.Context, why string) (End, error) {
	end, ended, err := p.Ended()
	if err != nil || ended && end.How != Unknown {
		return end, err
	}
	if err := write(p.dir, stopFile, stop{why}); err != nil {
		return End{}, err
	}
	if err := p.askKeeper(); err != nil {
		return End{}, err
	}
	end, err = p.wait(ctx, func() error {
		if runs, _ := p.Keeper.Runs(); runs {
			return nil
		}
		return p.endStrays(ctx)
	})
	if err != nil || end.How != Unknown {
		return end, err
	}
	if err := p.endStrays(ctx); err != nil { // what is left of a program that has ended
		return End{}, err
	}
	end.Why = why
	return end, write(p.dir, exitFile, end)
}

// askKeeper tells the keeper to look for stop.json. One that cannot be told looks by
// itself.
func (p *Process) askKeeper() error {
	if !tells {
		return nil
	}
	if err := p.Keeper.Signal(asked); err != nil && !errors.Is(err, process.ErrGone) {
		return fmt.Errorf("the keeper %v cannot be asked to end the program: %w", p.Keeper, err)
	}
	return nil
}

// endStrays ends what a keeper that was killed has left. Each is signalled as the very
// process that it was found to be. One that was found once is looked after until it has
// ended: while it ends, it has no environment by which it would be found again.
func (p *Process) endStrays(ctx context.Context) error {
	found := map[process.ID]bool{}
	left := func() (ids []process.ID) {
		for _, id := range p.strays() {
			found[id] = true
		}
		for id := range found {
			if runs, _ := id.Runs(); runs {
				ids = append(ids, id)
			}
		}
		return ids
	}
	stuck := end(p.grace, func() bool { return ctx.Err() == nil && len(left()) > 0 }, func(s os.Signal) { signalAll(left(), s) })
	ids := left()
	switch {
	case !stuck && ctx.Err() == nil, len(ids) == 0:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("process %v cannot be ended", ids[0])
}

// end asks processes to end, kills what is left of them after the grace, and reports whether
// something could not be ended.
func end(grace time.Duration, runs func() bool, signal func(os.Signal)) (stuck bool) {
	signal(polite)
	if process.Gone(runs, grace) {
		return false
	}
	for until := time.Now().Add(stubborn); time.Now().Before(until); {
		signal(os.Kill) // again: processes that were just being started
		if process.Gone(runs, again) {
			return false
		}
	}
	return true
}

// stubborn is how long it is tried to kill a process. One that runs as another user, as
// what sudo starts, cannot be.
const stubborn = 5 * time.Second

func signalAll(ids []process.ID, s os.Signal) {
	for _, id := range ids {
		_ = id.Signal(s) // it has ended, or is not ours to end: the next look shows
	}
}
