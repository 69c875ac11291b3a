package engine

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
)

// controls carries out what people have asked for.
func (r *Runner) controls(ctx context.Context) error {
	if r.Controls == nil {
		return nil
	}
	r.mu.Lock()
	done := r.state.Done
	r.mu.Unlock()
	all, upTo, err := r.Controls()
	if err != nil || upTo == done {
		return err
	}
	for _, c := range all {
		if err := r.carryOut(ctx, c); err != nil {
			return err
		}
	}
	return r.record(runs.Record{Kind: runs.KindControl, Done: upTo})
}

func (r *Runner) carryOut(ctx context.Context, c runs.Control) error {
	switch {
	case c.Op == runs.Drain:
		r.Drain()
		return nil
	case c.Op == runs.StopAll:
		r.StopAll()
		return nil
	case c.Op == runs.Approve && c.ID == 0:
		return r.acceptShared(ctx)
	}
	a, known := r.attemptAt(c)
	if !known {
		return nil
	}
	switch c.Op {
	case runs.StopOne, runs.Take:
		return r.endOne(ctx, &a, c)
	case runs.Approve:
		if a.Phase != runs.Waiting && a.Phase != runs.Handed {
			return nil
		}
		if err := r.move(&a, runs.Approved); err != nil {
			return err
		}
		r.start(ctx, a.Key)
	case runs.Retry:
		return r.retry(ctx, &a, c)
	}
	return nil
}

// attemptAt is the newest attempt at the task that a person means.
func (r *Runner) attemptAt(c runs.Control) (runs.Attempt, bool) {
	for id, w := range r.snapshot().Tasks {
		if last := w.Last(); last != nil && (id == c.Task || c.Task == "" && last.ID == c.ID) {
			return *last, true
		}
	}
	return runs.Attempt{}, false
}

// endOne ends the attempt at one task.
func (r *Runner) endOne(ctx context.Context, a *runs.Attempt, c runs.Control) error {
	r.mu.Lock()
	d := r.drivers[a.Key]
	if d != nil {
		d.by = c.By
	}
	r.mu.Unlock()
	switch {
	case d != nil:
		r.end(d, c.Op, nil)
	case c.Op == runs.Take && a.Phase != runs.Completed && a.Phase != runs.Taken:
		if err := r.lift(ctx, a); err != nil {
			return nil
		}
		return r.move(a, runs.Taken)
	}
	return nil
}

// retry lets another attempt follow: attempts are counted anew, and a hold of the run is
// lifted.
func (r *Runner) retry(ctx context.Context, a *runs.Attempt, c runs.Control) error {
	err := r.record(runs.Record{Kind: runs.KindRemark, Remark: &runs.Remark{Task: a.Task, Text: c.Text, By: c.By, Retry: true}})
	if err != nil {
		return err
	}
	switch a.Phase {
	case runs.Held, runs.Handed, runs.Waiting, runs.Taken, runs.Released, runs.Dropped:
	default:
		return nil
	}
	if a.Phase == runs.Waiting {
		a.Reason, a.Why = runs.SentBack, "sent back by "+cmpText(c.By, "a person")
	}
	if err := r.lift(ctx, a); err != nil {
		return nil // the task is not on hold by us any more: the board decides
	}
	a.Until = r.Now()
	return r.move(a, runs.Released)
}

// lift ends the hold that the run put on a task.
func (r *Runner) lift(ctx context.Context, a *runs.Attempt) error {
	t, err := r.task(ctx, a)
	if err != nil || t.Hold == nil {
		return err
	}
	_, err = r.do(ctx, a, "", func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}} })
	return err
}

// acceptShared takes what all work trees share for granted as it is now.
func (r *Runner) acceptShared(ctx context.Context) error {
	s, err := r.Repo.Standing(ctx)
	if err != nil {
		return err
	}
	run := *r.snapshot().Run
	run.Standing, run.Dirty = s.Shared, s.Dirty
	return r.record(runs.Record{Kind: runs.KindAccept, Run: &run})
}
