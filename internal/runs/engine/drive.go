package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
)

// A driver moves one attempt. Runner.mu guards all that it points to.
type driver struct {
	life   context.Context         // of the runner: when it is over, nothing more is done
	work   context.Context         // ends early when the claim is lost or a person ends the attempt
	cancel context.CancelCauseFunc // ends work
	stop   func(why string)        // ends the agent's program; nil: none runs
	asked  runs.ControlOp          // what a person asked for
	by     string                  // who
	gone   error                   // why the attempt has its task no longer
	turn   bool                    // it has the queue already
}

// A step that git, the disk or the board has failed is tried again: most such faults pass,
// such as git that was slow on a busy machine, and another attempt costs more.
const (
	maxSteps   = 4
	firstPause = time.Second // then twice as long each time
)

// errLeft says that an attempt stays in its phase: the next runner resumes it.
var errLeft = errors.New("the next runner goes on with it")

// errAsked says that a person ended the attempt.
var errAsked = errors.New("a person ended the attempt")

// start drives an attempt until it is over, or waits for a person.
func (r *Runner) start(ctx context.Context, k runs.Key) { r.startWith(&driver{life: ctx}, k) }

func (r *Runner) startWith(d *driver, k runs.Key) {
	d.work, d.cancel = context.WithCancelCause(d.life)
	r.mu.Lock()
	if r.drivers[k] != nil {
		r.mu.Unlock()
		return
	}
	if r.stopping {
		d.asked = runs.StopAll
	}
	if w := r.state.Tasks[k.Task]; w != nil && w.Asked != nil && w.Asked.N == k.N { // of a runner that was killed
		d.asked, d.by = w.Asked.Op, w.Asked.By
	}
	r.drivers[k] = d
	r.mu.Unlock()
	r.work.Go(func() {
		r.drive(d, k)
		d.cancel(nil)
		r.mu.Lock()
		delete(r.drivers, k)
		r.ends++
		delete(r.doing, k)
		r.mu.Unlock()
		r.hint()
	})
}

func (r *Runner) drive(d *driver, k runs.Key) {
	a, known := r.snapshot().Attempt(k)
	if !known {
		return
	}
	renew := func(a runs.Attempt) {
		r.work.Go(func() { r.renewing(d.work, a, func(err error) { r.end(d, "", err) }) })
	}
	if a.Phase != runs.Claiming {
		renew(a)
	}
	for tries := 1; !a.Phase.Over() && d.life.Err() == nil; {
		before := a.Phase
		err := r.step(d, &a)
		switch {
		case d.life.Err() != nil:
			return
		case err != nil && (errors.As(err, new(*journalError)) || errors.Is(err, errLeft)):
			return
		case err != nil && tries < maxSteps && r.passes(d, err):
			_ = sleep(d.work, firstPause<<(tries-1))
			a, _ = r.snapshot().Attempt(k)
			tries++
			continue
		case err != nil:
			if r.fault(d, &a, err) != nil {
				return
			}
		case a.Phase == before: // it waits for a person
			return
		case before == runs.Claiming && a.Phase == runs.Claimed:
			renew(a)
		}
		tries = 1
	}
}

// passes reports whether an error may be over soon.
func (r *Runner) passes(d *driver, err error) bool {
	reason, _ := r.ending(d)
	_, setup := errors.AsType[*SetupError](err)
	return reason == "" && !lost(err) && !errors.Is(err, ErrWrongFolder) && !setup
}

// step does what comes next in a phase, and records the next one. The same phase
// afterwards means that a person is waited for.
func (r *Runner) step(d *driver, a *runs.Attempt) error {
	if do := steps[a.Phase]; do != nil {
		return do(r, d, a)
	}
	return errors.New("unknown phase " + string(a.Phase))
}

var steps = map[runs.Phase]func(*Runner, *driver, *runs.Attempt) error{
	runs.Claiming: (*Runner).claiming, runs.Claimed: (*Runner).claimed, runs.Preparing: (*Runner).preparing, runs.Prepared: (*Runner).prepared,
	runs.Starting: (*Runner).starting, runs.Running: (*Runner).running, runs.Stopped: (*Runner).stopped, runs.Saved: (*Runner).saved,
	runs.Checking: (*Runner).checking, runs.Checked: (*Runner).checked, runs.Waiting: (*Runner).waiting, runs.Approved: (*Runner).approved,
	runs.Integrating: (*Runner).integrating, runs.Rebased: (*Runner).integrating, runs.Verified: (*Runner).integrating,
	runs.Merging: (*Runner).merging, runs.Merged: (*Runner).merged, runs.Failed: (*Runner).failed,
}

// fault turns an error of a step into what follows for the attempt.
func (r *Runner) fault(d *driver, a *runs.Attempt, err error) error {
	if a.Phase == runs.Merged || a.Phase == runs.Failed {
		// It is only to be told to the board. That is tried again by the next runner.
		r.tell(a, "%v; the next pawl run tries it again", err)
		return err
	}
	if over, err := r.endedEarly(d, a); over {
		return err
	}
	setup, isSetup := errors.AsType[*SetupError](err)
	switch {
	case lost(err):
		return r.fail(a, runs.LostLease, err.Error(), "")
	case isSetup:
		return r.fail(a, runs.SetupFailed, setup.Error(), setup.Tail)
	case errors.Is(err, ErrWrongFolder):
		return r.fail(a, runs.WrongFolder, err.Error(), "")
	}
	return r.fail(a, runs.Faulty, err.Error(), "")
}

// end ends the work of a driver early: for a person, or because the claim is lost.
func (r *Runner) end(d *driver, asked runs.ControlOp, gone error) {
	r.mu.Lock()
	if d.asked == "" {
		d.asked = asked
	}
	if d.gone == nil {
		d.gone = gone
	}
	stop := d.stop
	r.mu.Unlock()
	cause, why := errAsked, "a person ended it"
	if gone != nil {
		cause, why = gone, "the task is somebody else's now"
	}
	d.cancel(cause)
	if stop != nil {
		r.work.Go(func() { stop(why) }) // it may take its time
	}
}

// ending says why a driver's work was ended early; empty: it was not.
func (r *Runner) ending(d *driver) (runs.Reason, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case d.gone != nil:
		return runs.LostLease, d.gone.Error()
	case d.asked != "":
		return runs.StoppedBy, "it was stopped by " + cmp.Or(d.by, "a person")
	}
	return "", ""
}

// endedEarly reports whether the work of a driver was ended early, and carries that out. The
// attempt has failed then. But if the whole run ends, and no agent is needed any more, it
// is left to the next runner: its work, and a person's approval, count.
func (r *Runner) endedEarly(d *driver, a *runs.Attempt) (bool, error) {
	reason, why := r.ending(d)
	r.mu.Lock()
	all := d.asked == runs.StopAll
	r.mu.Unlock()
	switch {
	case reason == "":
		return false, nil
	case reason == runs.StoppedBy && all && (a.Phase.Queued() || a.Phase == runs.Checking || a.Phase == runs.Saved):
		return true, errLeft
	}
	return true, r.fail(a, reason, why, "")
}

func (r *Runner) fail(a *runs.Attempt, reason runs.Reason, why, tail string) error {
	a.Reason, a.Why, a.Tail = reason, why, last(tail, runs.MaxTail)
	return r.move(a, runs.Failed)
}

// last is the end of a text, from the begin of a line where there is one.
func last(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[len(s)-most:]
	if _, rest, ok := strings.Cut(s, "\n"); ok {
		return rest
	}
	return s
}
