package engine

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
)

// running watches the agent until its program has ended, and ends it at a limit.
func (r *Runner) running(d *driver, a *runs.Attempt) error {
	p, err := r.Agents.Find(d.life, a)
	if err != nil {
		return err
	}
	end := End{How: "not known: nothing is left of its program"}
	if p != nil {
		r.mu.Lock()
		d.stop = func(why string) { _ = p.Stop(d.life, why) }
		ended := d.asked != "" || d.gone != nil // before it could be stopped
		r.mu.Unlock()
		if ended {
			d.stop("the attempt was ended")
		}
		end, err = r.watch(d, a, p)
		r.mu.Lock()
		d.stop = nil
		r.mu.Unlock()
		if err != nil {
			return err
		}
		r.take(a, p.Look())
	}
	a.Ended, a.Exit = r.Now(), end.How
	switch reason, why := r.ending(d); {
	case reason != "":
		a.Reason, a.Why = reason, why
	case a.Reason != "": // a limit
	case p != nil && p.Look().Limited:
		a.Reason, a.Why, a.Until = runs.RateLimit, "the agent's service refuses for now: "+p.Look().Failed, p.Look().Until
	case end.Lost:
		a.Reason, a.Why = runs.CutOff, "nobody saw the agent's program end: the machine was restarted, or its keeper was killed"
	case p != nil && (!end.OK || p.Look().Failed != ""):
		a.Reason, a.Why, a.Tail = runs.AgentExit, "the agent's program ended with "+end.How, last(end.Tail, runs.MaxTail)
		if said := p.Look().Failed; said != "" {
			a.Why = "the agent could not do it: " + said
		}
	}
	return r.move(a, runs.Stopped)
}

func (r *Runner) take(a *runs.Attempt, l Look) {
	a.Usage, a.Answer, a.Refused = l.Usage, last(l.Answer, runs.MaxTail), l.Refused
	if l.Session != "" {
		a.Said = l.Session
	}
}

func (r *Runner) watch(d *driver, a *runs.Attempt, p Process) (End, error) {
	ended := make(chan End, 1)
	failed := make(chan error, 1)
	waiting, stop := context.WithCancel(d.life)
	defer stop()
	r.work.Go(func() {
		end, err := p.Wait(waiting)
		if err != nil {
			failed <- err
			return
		}
		ended <- end
	})
	seen := sighted{at: r.Now(), changed: r.Now()} // what an adopted one did before, nobody saw
	look := time.NewTicker(lookEach)
	defer look.Stop()
	for {
		select {
		case end := <-ended:
			return end, nil
		case err := <-failed:
			return End{}, err
		case <-d.life.Done():
			return End{}, context.Cause(d.life)
		case <-look.C:
		}
		if a.Reason != "" {
			continue // it is being ended
		}
		if reason, why := r.breach(d, a, p.Look(), &seen); reason != "" {
			a.Reason, a.Why = reason, why
			r.tell(a, "%s: the agent is stopped", why)
			r.work.Go(func() { _ = p.Stop(d.life, why) })
		}
	}
}

type sighted struct {
	at      time.Time // of the last look
	sum     string
	changed time.Time // when sum changed
}

func (r *Runner) breach(d *driver, a *runs.Attempt, l Look, seen *sighted) (runs.Reason, string) {
	now := r.Now()
	limits := &r.Options.Run.Limits
	if now.Sub(seen.at) >= limits.Looks(sumEach) {
		seen.at = now
		if sum, err := r.Repo.Sum(d.work, a); err == nil && sum != seen.sum {
			seen.sum, seen.changed = sum, now
		}
	}
	state := r.snapshot()
	began := r.Options.Run.Began
	sight := runs.Sight{
		Now: now, Started: a.Started, Output: l.Output, Used: l.Usage,
		Task: state.Spent(now, func(o *runs.Attempt) bool { return o.Task == a.Task && o.Key != a.Key }),
		Run:  state.Spent(now, func(o *runs.Attempt) bool { return !o.Began.Before(began) && o.Key != a.Key }),
	}
	r.mu.Lock()
	op := r.signs[a.Session]
	for k, doing := range r.doing { // what others use at this moment
		if k != a.Key {
			if o, ok := state.Attempt(k); ok && o.Phase == runs.Running {
				sight.Run.Usage = sight.Run.Usage.Add(doing.Used)
			}
		}
	}
	r.mu.Unlock()
	sight.Progress = slices.MaxFunc([]time.Time{a.Started, op, seen.changed}, time.Time.Compare)
	sight.Sign = slices.MaxFunc([]time.Time{sight.Progress, l.Sign}, time.Time.Compare)
	r.mu.Lock()
	r.doing[a.Key] = runs.Doing{Doing: l.Doing, Used: l.Usage, Sign: sight.Sign, Near: limits.Near(sight), Todos: l.Todos}
	r.mu.Unlock()
	return limits.Breach(sight)
}

// stopped puts all that the agent left into commits.
func (r *Runner) stopped(d *driver, a *runs.Attempt) error {
	s, err := r.Repo.Save(d.life, a)
	if err != nil {
		return err
	}
	a.Tip, a.Files, a.Added, a.Removed, a.Board = s.Tip, s.Files, s.Added, s.Removed, s.Board
	switch {
	case a.Reason != "":
	case s.Gone:
		a.Reason, a.Why = runs.WrongFolder, "the agent removed or left its work tree; its commits are kept"
	case s.Half != "":
		a.Reason, a.Why = runs.HalfDone, "the agent left a "+s.Half+" under way"
	case s.Nested != "":
		a.Reason, a.Why = runs.HalfDone, s.Nested
	}
	return r.move(a, runs.Saved)
}

// saved decides whether the attempt has a result that can be checked.
func (r *Runner) saved(d *driver, a *runs.Attempt) error {
	if a.Reason != "" {
		return r.fail(a, a.Reason, a.Why, a.Tail)
	}
	if over, err := r.endedEarly(d, a); over {
		return err
	}
	t, err := r.task(d.work, a)
	switch {
	case err != nil:
		return err
	case t.Hold != nil:
		return r.fail(a, runs.AgentHold, t.Hold.Reason, "")
	case !t.Open():
		if again, why, err := r.falselyDone(d, a); err != nil {
			return err
		} else if !again {
			return r.fail(a, runs.LostLease, why, "")
		}
	}
	if err := r.claim(d.work, a); err != nil {
		return err
	}
	if len(a.Files) == 0 && !a.Board && !changesNothing(&t) {
		return r.fail(a, runs.NoCommits, "the agent ended without having changed a file", a.Answer)
	}
	return r.move(a, runs.Checking)
}

// falselyDone makes a task pending again that its agent completed: the run completes
// it, when the checks have passed. A task that somebody else completed stays so.
func (r *Runner) falselyDone(d *driver, a *runs.Attempt) (again bool, why string, err error) {
	by, err := r.lastChange(d.work, a.ID)
	if err != nil {
		return false, "", err
	}
	if by.Session != a.Session && by.Name != pawl.ExternalName {
		return false, a.ID.String() + " was completed by " + by.Name, nil
	}
	r.tell(a, "its agent completed it; it is open again until its checks have passed")
	_, err = r.do(d.work, a, once(a, "reopen"), func(id pawl.ID) pawl.Op { return pawl.Reopen{IDs: []pawl.ID{id}} })
	return true, "", err
}

// changesNothing reports whether a task says that its work changes no file:
// {"changes": "none"} in its metadata.
func changesNothing(t *pawl.Task) bool { return string(t.Metadata["changes"]) == `"none"` }
