package ask

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// A lostClaim is one that another clone has.
type lostClaim struct {
	request int
	id      pawl.ID
	err     error
	passed  *Passed // nil: nobody else has the task
}

// confirm has the remote asked for claims, and says in the outcomes what came of
// it. Numbers are those of the board afterwards.
func (l local) confirm(ctx context.Context, want Want, requests []pawl.Request, made []madeClaim, all []Outcome) ([]lostClaim, *share.Report, error) {
	kept := context.WithoutCancel(ctx) // for the board: what was done is told, however long the remote took
	report, failed := l.syncer.Confirm(ctx, requests[made[0].request].By, func() bool {
		waiting := false
		err := l.board.View(kept, func(r pawl.Reader) error {
			for _, c := range made {
				t, err := again(r, &c.task)
				if err != nil {
					return err
				}
				waiting = waiting || t != nil && unconfirmed(t)
			}
			return nil
		})
		return err != nil || waiting
	})
	var lost []lostClaim
	err := l.board.View(kept, func(r pawl.Reader) error {
		lost = nil
		for _, c := range made {
			t, err := again(r, &c.task)
			if err != nil {
				return err
			}
			o := &all[c.request]
			if o.Shared == nil {
				o.Shared = &Shared{}
			}
			if gone := lostTo(&c, t, requests[c.request].By, o.Result.Repeated); gone != nil {
				lost = append(lost, *gone)
				continue
			}
			if t == nil {
				continue
			}
			o.follow(&c.task, t)
			if err := o.reread(r, want, requests[c.request].By.Name); err != nil {
				return err
			}
			switch {
			case unconfirmed(t):
				o.Shared.Here = append(o.Shared.Here, t.ID)
				if failed != nil {
					o.Shared.Why = failed.Error()
				}
			case t.Status == pawl.InProgress:
				o.Shared.Confirmed = append(o.Shared.Confirmed, t.ID)
			}
		}
		return nil
	})
	for _, c := range lost {
		all[c.request] = Outcome{Shared: all[c.request].Shared, Merged: all[c.request].Merged}
	}
	return lost, report, err
}

// again is a task as it is now, perhaps under another number; nil: it is gone.
func again(r pawl.Reader, was *pawl.Task) (*pawl.Task, error) {
	nodes, err := r.Nodes(was.ID)
	if err != nil {
		return nil, err
	}
	if !nodes[0].Missing {
		found, err := r.Get(was.ID)
		if err != nil {
			return nil, err
		}
		if found[0].CreatedAt.Equal(was.CreatedAt) {
			return &found[0], nil
		}
	}
	for q := (pawl.Query{Status: []pawl.Status{pawl.InProgress}}); ; {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			if t := &page.Tasks[i]; slices.Contains(t.Was, was.ID) && t.CreatedAt.Equal(was.CreatedAt) {
				return t, nil
			}
		}
		if q.After = page.Next; q.After == nil {
			return nil, nil
		}
	}
}

// lostTo says who has a task that was claimed; nil: the claim stands, or its owner
// has ended it. A request that was repeated may be about work that is done.
func lostTo(c *madeClaim, t *pawl.Task, by pawl.Actor, repeated bool) *lostClaim {
	lost := &lostClaim{request: c.request, id: c.task.ID}
	if t != nil {
		lost.id = t.ID
	}
	if t == nil {
		if repeated {
			return nil
		}
		lost.passed = &Passed{Named: merge.Named{ID: c.task.ID, Subject: c.task.Subject}}
		e := pawl.Errorf(pawl.NotFound, "%v was deleted in another clone", c.task.ID)
		e.IDs, e.Hint, lost.err = []pawl.ID{c.task.ID}, pawl.Hint{Step: pawl.HintNext}, e
		return lost
	}
	theirs := t.Owner != by.Name || t.Claim.Clone != ""
	if t.Status == pawl.InProgress && !theirs || repeated && t.Status != pawl.InProgress {
		return nil
	}
	lost.passed = &Passed{Named: merge.Named{ID: t.ID, Subject: t.Subject}, By: t.Owner, Clone: t.Claim.Clone}
	var e *pawl.Error
	switch {
	case t.Status == pawl.InProgress:
		e = pawl.Errorf(pawl.Conflict, "%v is claimed by %s", t.ID, clip(t.Owner))
		if t.Claim.Clone != "" {
			e.Message += " on " + clip(pawl.CloneHost(t.Claim.Clone))
		}
		if !t.Claim.Until.IsZero() {
			e.Message += " until " + t.Claim.Until.Format("2006-01-02T15:04:05Z07:00")
		}
		e.Message += ", who was first"
		e.Holder = &pawl.Holder{Name: t.Owner, Claim: t.Claim}
	case t.Status == pawl.Completed:
		e = pawl.Errorf(pawl.Conflict, "%v is completed", t.ID)
		if t.Owner != "" {
			e.Message += " by " + clip(t.Owner)
		}
		e.Message += ", as another clone says"
	default:
		e = pawl.Errorf(pawl.Conflict, "%v is pending again, as another clone says", t.ID)
	}
	e.IDs, e.Hint, lost.err = []pawl.ID{t.ID}, pawl.Hint{Step: pawl.HintNext}, e
	return lost
}

// follow lets an outcome tell of a task as it is after a sync.
func (o *Outcome) follow(was, now *pawl.Task) {
	r := &o.Result
	for i := range r.Tasks {
		if r.Tasks[i].ID == was.ID && r.Tasks[i].CreatedAt.Equal(was.CreatedAt) {
			r.Tasks[i] = *now
		}
	}
	if was.ID == now.ID {
		return
	}
	for i := range r.IDs {
		if r.IDs[i] == was.ID {
			r.IDs[i] = now.ID
		}
	}
	for i := range r.Changes { // what was done was done to this task
		if r.Changes[i].ID == was.ID {
			r.Changes[i].ID = now.ID
		}
	}
}

// reread reads what is around a claimed task as it is after a sync: others may have
// changed it, and numbers may be others.
func (o *Outcome) reread(r pawl.Reader, want Want, by string) error {
	held := o.Holding
	o.Holding = nil
	for i := range held {
		was := &held[i]
		t, err := again(r, was)
		if err != nil {
			return err
		}
		n := slices.Index(o.Result.Holding, was.ID)
		if n < 0 {
			continue
		}
		if t == nil || t.Status != pawl.InProgress || t.Owner != by || t.Claim.Clone != "" { // lost meanwhile
			o.Result.Holding = slices.Delete(slices.Clone(o.Result.Holding), n, n+1)
			continue
		}
		o.Result.Holding[n], was.ID = t.ID, t.ID
		o.Holding = append(o.Holding, *was)
	}
	return o.read(r, want&(WantNames|WantDetail|WantEdges), by, &o.Result, false)
}
