// Package engine completes the tasks of a board with agents' programs: it starts
// attempts, watches them, checks and integrates their work, and resumes after a
// crash.
//
//	Run ─┬→ schedule: runs.State.Pick ─→ drive (a goroutine for each attempt)
//	     ├→ controls of people
//	     └→ the board's news
//
//	drive: step by step, each by the phase that the journal has
//	       begin.go → supervise.go → integrate.go → finish.go
//
// A step acts, and then records the next phase; an action that must not happen twice is
// recorded before it. So a step may run again after a crash, and the step of a phase is
// also how that phase is recovered.
//
// The board decides who owns a task, the repository where the target is, and the
// journal which attempts were begun. Nothing of it is in memory only.
package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
)

// Options are a runner's dependencies and settings.
type Options struct {
	Board    query.Board
	Repo     Repo
	Agents   Agents
	Checks   Checks
	Journal  Journal
	Controls func() ([]runs.Control, int64, error)  // those after runs.State.Done bytes, and how far that is
	State    *runs.State                            // what the journal tells
	Run      runs.Run                               // what to do
	Folder   func(task runs.Identity, n int) string // of the work tree of an attempt
	Free     func() int64                           // bytes on the disk of the work trees
	Live     func(runs.Live)                        // writes down what people may look at
	Tell     func(line string)                      // tells a person what happens
	Now      func() time.Time
	Rules    []pawl.CheckRule // checks that the project asks of its tasks
}

// Intervals at which people see news and faults are noticed: nothing else waits for
// them.
const (
	lookEach  = time.Second      // at what runs
	sumEach   = 30 * time.Second // at the files of a work tree
	renewEach = 3 * time.Minute  // claims
	pauseEach = 2 * time.Second  // at what keeps integration from going on
)

// A Runner completes the tasks of a board.
type Runner struct {
	Options
	stop context.CancelCauseFunc

	mu       sync.Mutex
	state    *runs.State
	doing    map[runs.Key]runs.Doing
	signs    map[string]time.Time // by session: its last op
	drivers  map[runs.Key]*driver
	draining bool
	stopping bool
	began    int       // attempts that began in this call
	ends     int       // drivers that have ended
	why      string    // ready tasks do not begin
	until    time.Time // when that may have changed
	unpushed string
	carried  int // requests of people that were carried out, and are not recorded yet

	wake   chan struct{}
	queue  chan struct{} // who holds it integrates
	halted chan struct{} // closed when all was stopped
	work   sync.WaitGroup
}

// New returns a runner. It resumes the run of one that was killed; limits count from when
// that run began.
func New(o Options) *Runner {
	if o.State.Running && o.State.Run != nil {
		o.Run.Began = o.State.Run.Began
	}
	r := &Runner{Options: o, state: o.State, doing: map[runs.Key]runs.Doing{}, signs: map[string]time.Time{}, drivers: map[runs.Key]*driver{}}
	r.wake, r.queue, r.halted = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
	return r
}

// Ended is how a run ended.
type Ended struct {
	Status runs.Status
	Why    *pawl.Error // why nothing more is ready, as the board says; nil: there is more
}

// Run works until nothing is left to do, a person is needed, or ctx is over. If ctx is
// over, agents that work go on by themselves, and the next runner adopts them.
func (r *Runner) Run(ctx context.Context) (Ended, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	if err := r.record(runs.Record{Kind: runs.KindBegin, Run: &r.Options.Run}); err != nil {
		return Ended{}, err
	}
	var background sync.WaitGroup
	life, end := context.WithCancel(ctx)
	background.Go(func() { r.follow(life) })
	background.Go(func() { r.show(life) })
	live := r.snapshot().Live()
	for _, merging := range []bool{true, false} { // first one that was moving the target
		for _, a := range live {
			if (a.Phase == runs.Merging) == merging { // those that wait for a person, too: their tasks may not be on hold yet
				r.startWith(&driver{life: ctx, turn: merging && r.takeTurn()}, a.Key)
			}
		}
	}
	nothing, err := r.loop(ctx)
	if err != nil {
		stop(err)
	}
	r.work.Wait()
	end()
	background.Wait()
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	if err == nil && ctx.Err() == nil {
		if err = r.lookLast(ctx); err == nil {
			err = r.record(runs.Record{Kind: runs.KindEnd})
		}
	}
	status := r.status(false)
	status.Unpushed = r.Repo.Unpushed(context.WithoutCancel(ctx), r.Options.Run.Target)
	return Ended{status, nothing}, err
}

func (r *Runner) loop(ctx context.Context) (*pawl.Error, error) {
	for {
		ends := r.ended()
		if err := r.controls(ctx); err != nil {
			return nil, err
		}
		nothing, err := r.schedule(ctx)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil || r.idle() && ends == r.ended() {
			return nothing, nil
		}
		timer := time.NewTimer(r.nap())
		select {
		case <-r.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// nap is how long nothing may happen by itself.
func (r *Runner) nap() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	nap := lookEach
	if !r.until.IsZero() {
		nap = min(nap, max(r.until.Sub(r.Now()), time.Millisecond))
	}
	return nap
}

// idle reports whether the run is over: nothing works, and nothing will by itself.
func (r *Runner) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.drivers) == 0 && (r.draining || r.stopping || r.until.IsZero() && !r.retries())
}

// ended counts the drivers that have ended: each may have made tasks ready.
func (r *Runner) ended() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ends
}

func (r *Runner) retries() bool {
	if r.Options.Run.Once {
		return false
	}
	for _, w := range r.state.Tasks {
		if last := w.Last(); last != nil && last.Phase == runs.Released && r.Now().Before(last.Until) {
			return true
		}
	}
	return false
}

func (r *Runner) hint() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Drain keeps the run from starting further attempts.
func (r *Runner) Drain() {
	r.mu.Lock()
	r.draining = true
	r.mu.Unlock()
	r.hint()
}

// StopAll stops all agents. Their work is kept.
func (r *Runner) StopAll() {
	r.mu.Lock()
	if !r.stopping {
		close(r.halted)
	}
	r.draining, r.stopping = true, true
	all := slices.Collect(maps.Values(r.drivers))
	r.mu.Unlock()
	for _, d := range all {
		r.end(d, runs.StopAll, nil)
	}
	r.hint()
}

// record writes a record, and then lets it count. If it cannot be written, the run ends:
// what is not recorded must not happen.
func (r *Runner) record(rec runs.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec.N, rec.At = r.state.N+1, r.Now()
	if rec.Attempt != nil {
		rec.Attempt.Changed = rec.At
	}
	if err := r.Journal.Append(rec); err != nil {
		broken := &journalError{err}
		if r.stop != nil {
			r.stop(broken)
		}
		return broken
	}
	r.state.Apply(rec)
	return nil
}

func (r *Runner) move(a *runs.Attempt, to runs.Phase) error {
	a.Phase = to
	return r.record(runs.Record{Kind: runs.KindAttempt, Attempt: new(*a)})
}

// snapshot is the state; what it points to is not changed later.
func (r *Runner) snapshot() *runs.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Clone()
}

func (r *Runner) tell(a *runs.Attempt, format string, args ...any) {
	if r.Tell != nil {
		r.Tell(fmt.Sprintf("%v ", a.ID) + fmt.Sprintf(format, args...))
	}
}

// A journalError says that the journal cannot be written.
type journalError struct{ err error }

func (e *journalError) Error() string {
	return "the journal of the run cannot be written: " + e.err.Error()
}
func (e *journalError) Unwrap() error { return e.err }
