package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
)

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
	for i, c := range all {
		if i < r.carried {
			continue
		}
		switch err := r.carryOut(ctx, c); {
		case errors.Is(err, errLater), errors.Is(err, pawl.Unavailable):
			return nil
		case err != nil:
			return err
		}
		r.carried++
	}
	r.carried = 0
	return r.record(runs.Record{Kind: runs.KindControl, Done: upTo})
}

// errLater says that a request cannot be carried out at this moment.
var errLater = errors.New("not now")

func (r *Runner) carryOut(ctx context.Context, c runs.Control) error {
	switch {
	case c.Op == runs.Drain:
		r.Drain()
		return nil
	case c.Op == runs.StopAll:
		r.StopAll()
		return nil
	case c.Op == runs.Approve && c.ID == 0 && c.Task == "":
		return r.acceptShared(ctx)
	}
	a := r.snapshot().Meant(c)
	if a == nil {
		return nil
	}
	if r.mu.Lock(); a.Phase == runs.Waiting && r.drivers[a.Key] != nil { // which puts its task on hold at this moment
		r.mu.Unlock()
		return errLater
	}
	r.mu.Unlock()
	switch c.Op {
	case runs.StopOne, runs.Take:
		return r.endOne(ctx, a, c)
	case runs.Approve:
		to, fits := c.Op.Leads(a.Phase)
		if !fits {
			return nil
		}
		if err := r.move(a, to); err != nil {
			return err
		}
		r.start(ctx, a.Key)
	case runs.Retry:
		return r.retry(ctx, a, c)
	}
	return nil
}

func (r *Runner) endOne(ctx context.Context, a *runs.Attempt, c runs.Control) error {
	r.mu.Lock()
	d := r.drivers[a.Key]
	if d != nil {
		d.by = c.By
	}
	r.mu.Unlock()
	switch {
	case d != nil:
		ask := runs.Asked{Key: a.Key, Op: c.Op, By: c.By}
		if err := r.record(runs.Record{Kind: runs.KindAsked, Asked: &ask}); err != nil {
			return err
		}
		r.end(d, c.Op, nil)
	case c.Op == runs.Take && a.Phase != runs.Completed && a.Phase != runs.Taken:
		return r.move(a, runs.Taken) // the person claims the task, which lifts the hold
	}
	return nil
}

// retry lets another attempt follow: the count of attempts starts again, and a hold of
// the run is lifted.
func (r *Runner) retry(ctx context.Context, a *runs.Attempt, c runs.Control) error {
	err := r.record(runs.Record{Kind: runs.KindRemark, Remark: &runs.Remark{Task: a.Task, Text: c.Text, By: c.By, Retry: true}})
	if err != nil {
		return err
	}
	to, fits := c.Op.Leads(a.Phase)
	if !fits {
		return nil
	}
	if a.Phase == runs.Waiting {
		a.Reason, a.Why = runs.SentBack, "sent back by "+cmp.Or(c.By, "a person")
	}
	if err := r.lift(ctx, a); errors.Is(err, pawl.Unavailable) {
		return err
	} else if err != nil {
		return nil // somebody has ended our hold: the board decides
	}
	a.Until = r.Now()
	return r.move(a, to)
}

func (r *Runner) lift(ctx context.Context, a *runs.Attempt) error {
	t, err := r.task(ctx, a)
	if err != nil || t.Hold == nil {
		return err
	}
	_, err = r.do(ctx, a, "", func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}, Reason: t.Hold.Reason} })
	return err
}

// acceptShared takes what all work trees share for granted as it is now.
func (r *Runner) acceptShared(ctx context.Context) error {
	s, err := r.Repo.Standing(ctx, r.Options.Run.Target)
	if err != nil {
		return err
	}
	run := *r.snapshot().Run
	run.Standing, run.Dirty = s.Shared, s.Dirty
	return r.record(runs.Record{Kind: runs.KindAccept, Run: &run})
}
