package engine

import (
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
)

// dropPause keeps the run from asking at once again for a task whose claim failed.
const dropPause = 10 * time.Second

// claiming claims the task. A second time renews the claim.
func (r *Runner) claiming(d *driver, a *runs.Attempt) error {
	if err := r.claim(d.life, a); err != nil {
		if d.life.Err() != nil {
			return err
		}
		a.Why, a.Until = err.Error(), r.Now().Add(dropPause)
		return r.move(a, runs.Dropped)
	}
	return r.move(a, runs.Claimed)
}

// claimed fixes the commit that the attempt begins at.
func (r *Runner) claimed(d *driver, a *runs.Attempt) error {
	if over, err := r.endedEarly(d, a); over {
		return err
	}
	if !a.Again {
		tip, err := r.Repo.Tip(d.work, a.Target)
		if err != nil {
			return err
		}
		a.Base = tip
	}
	return r.move(a, runs.Preparing)
}

// preparing makes the work tree, and runs the project's set-up in it.
func (r *Runner) preparing(d *driver, a *runs.Attempt) error {
	if a.Again {
		return r.move(a, runs.Prepared)
	}
	if err := r.Repo.Begin(d.work, a); err != nil {
		return err
	}
	why, tail, err := r.Agents.Setup(d.work, a)
	if err != nil {
		return err
	}
	if over, err := r.endedEarly(d, a); over {
		return err
	}
	if why != "" {
		return r.fail(a, runs.SetupFailed, "the set-up of the work tree failed: "+why, tail)
	}
	return r.move(a, runs.Prepared)
}

// prepared makes sure that the agent works in the right folder.
func (r *Runner) prepared(d *driver, a *runs.Attempt) error {
	if err := r.Repo.Verify(d.work, a); err != nil {
		return err
	}
	return r.move(a, runs.Starting)
}

// starting starts the agent's program, unless a runner that was killed has.
func (r *Runner) starting(d *driver, a *runs.Attempt) error {
	p, err := r.Agents.Find(d.work, a)
	if err != nil {
		return err
	}
	if p == nil {
		if over, err := r.endedEarly(d, a); over {
			return err
		}
		detail, err := r.detail(d.work, a)
		if err != nil {
			return err
		}
		w := r.snapshot().Tasks[a.Task]
		turn := Turn{Task: detail, Remarks: w.Remarks}
		for _, before := range w.Attempts {
			if before.N < a.N && before.Phase != runs.Dropped {
				turn.Before = append(turn.Before, before)
			}
		}
		if a.Again {
			turn.Resume = a.Said
		}
		if _, err := r.Agents.Start(d.work, a, turn); err != nil {
			if over, err := r.endedEarly(d, a); over { // which is why it did not start
				return err
			}
			return r.fail(a, runs.AgentStart, err.Error(), "")
		}
	}
	a.Started = r.Now()
	r.tell(a, "attempt %d: %s works on %s", a.N, a.Agent, runs.Branch(a.Branch))
	return r.move(a, runs.Running)
}
