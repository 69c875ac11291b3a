package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// A lostClaim is one that another clone has, or that the remote did not confirm.
type lostClaim struct {
	madeClaim
	id     pawl.ID
	err    error
	passed *Passed // nil: another task would be no better
	stands bool    // it is still on the board here
}

// confirm has the remote asked for claims, and says in the outcomes what came of
// it. Numbers are those of the board afterwards. A request that fails leaves nothing on
// the board, unless the board cannot be read.
func (l local) confirm(ctx context.Context, want Want, requests []pawl.Request, made []madeClaim, all []Outcome) ([]lostClaim, *share.Report) {
	kept := context.WithoutCancel(ctx) // for the board: what was done is told, however long the remote took
	wanted := func() bool {
		waiting := false
		err := l.board.View(kept, func(r pawl.Reader) error {
			for _, c := range made {
				t, err := again(r, &c.task)
				waiting = waiting || err != nil || t != nil && l.doubtful(&c, t)
			}
			return nil
		})
		return err != nil || waiting
	}
	report, failed := (*share.Report)(nil), l.away
	if failed == nil {
		report, failed = l.syncer.Confirm(ctx, requests[made[0].request].By, wanted)
	} else {
		l.syncer.Changed(kept, true)
	}
	for _, c := range made {
		if o := &all[c.request]; o.Shared == nil {
			o.Shared = &Shared{}
		}
	}
	away := unreached(report, failed) != nil
	var lost []lostClaim
	var stand []madeClaim
	err := l.board.View(kept, func(r pawl.Reader) error {
		lost, stand = nil, nil
		for _, c := range made {
			t, err := again(r, &c.task)
			if err != nil {
				return err
			}
			o, asked := &all[c.request], &requests[c.request]
			gone := l.lostTo(kept, *asked, &c, t, o.Result.Repeated)
			if gone != nil {
				lost = append(lost, *gone)
			}
			if t != nil && (gone == nil || gone.stands) {
				stand = append(stand, c)
			}
			if t == nil || gone != nil {
				continue
			}
			doubtful := l.doubtful(&c, t) && (failed != nil || c.task.Claim.Live())
			here := c.known || away && (l.syncer.Offline() || asked.Offline && !asked.Bound)
			if doubtful && !here {
				lost = append(lost, lostClaim{madeClaim: c, id: t.ID, err: refused(&c, t.ID, failed, away), stands: true})
				continue
			}
			o.follow(&c.task, t)
			if err := o.reread(r, want, asked.By.Name); err != nil {
				return err
			}
			switch {
			case doubtful && c.was == nil:
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
	if err != nil {
		lost, stand = nil, nil
		for _, c := range made {
			e := pawl.Errorf(pawl.Unavailable, "it is not known who has %v: %w", c.task.ID, err)
			e.IDs, e.Hint = []pawl.ID{c.task.ID}, pawl.Hint{Step: pawl.HintRetry}
			lost = append(lost, lostClaim{madeClaim: c, id: c.task.ID, err: e})
		}
	}
	for _, c := range lost {
		all[c.request] = Outcome{Shared: &Shared{Passed: all[c.request].Shared.Passed}, Merged: all[c.request].Merged}
	}
	l.takeBack(kept, requests, stand, lost)
	return lost, report
}

// doubtful reports whether the remote may lack a claim, or what else made an owner.
func (l local) doubtful(c *madeClaim, t *pawl.Task) bool {
	if !c.task.Claim.Live() {
		return !l.syncer.Sent(c.revision)
	}
	return here(t.Status, t.Claim) && !l.sure(t.Status, t.Claim)
}

// recalled asks the remote, before requests are carried out, about tasks that they name and of
// which this clone does not know enough: which are forgotten or outdated here. The remote may be
// away.
func (l local) recalled(ctx context.Context, requests []pawl.Request) (away, err error) {
	var asked pawl.Request
	var id pawl.ID // of a forgotten one: without an answer, nothing is done to it
	behind := false
	_ = l.board.View(ctx, func(r pawl.Reader) error { // the requests say themselves if it cannot be read
		behind = l.syncer.Sent(r.Revision() + 1) // no clone does what the remote has already
		for _, q := range requests {
			nodes, _ := r.Nodes(mentioned(q.Op)...)
			for j := range nodes {
				n := &nodes[j]
				if forgotten(&q, n, behind) {
					asked, id = q, n.ID
				} else if id == 0 && l.outdated(ctx, q.Op.Verb(), n) {
					asked = q
				}
			}
		}
		return nil
	})
	if behind {
		err = l.syncer.Recover(ctx, requests[0].By)
	}
	if asked.By.Name == "" || err != nil {
		return nil, err
	}
	report, failed := l.syncer.Confirm(ctx, asked.By, nil)
	if away = unreached(report, failed); id != 0 && failed != nil && !(away != nil && (l.syncer.Offline() || asked.Offline && !asked.Bound)) {
		return away, refused(nil, id, failed, away != nil)
	}
	return away, nil
}

// forgotten reports whether a request treats a task in progress as its caller's, by the name
// alone: this clone does not know the claim, as where .tasks/.pawl was removed. Another clone,
// or another session here, may have it, and a sync brings that claim. A board that is behind
// what the remote has of it, as after a restore, knows no claim at all.
func forgotten(q *pawl.Request, n *pawl.Node, behind bool) bool {
	return (behind || n.Status == pawl.InProgress && n.Owner == q.By.Name && !n.Claim.Live()) &&
		slices.Contains([]string{pawl.VerbClaim, pawl.VerbStart, pawl.VerbComplete, pawl.VerbRelease, pawl.VerbDelete}, q.Op.Verb())
}

// outdated reports whether the board may refuse a claim or completion because of a state
// that another clone has ended, or may complete a task that another clone has put on hold,
// blocked or given a check: a sent one without a confirmed claim of this clone.
func (l local) outdated(ctx context.Context, verb string, n *pawl.Node) bool {
	switch verb {
	case pawl.VerbClaim, pawl.VerbStart:
		return len(n.BlockedBy) > 0 || n.Held || n.Claim.Clone != ""
	case pawl.VerbComplete:
		if waits := len(n.BlockedBy) > 0 || n.OpenChildren > 0; waits || !n.Open() || l.sure(n.Status, n.Claim) {
			return waits && n.Open()
		}
	default:
		return false
	}
	for set, err := range l.board.Changes(ctx, pawl.Span{Task: n.ID, Backward: true}) {
		sent := err != nil || set.Verb == pawl.VerbSync || l.syncer.Sent(set.Revision)
		if sent || slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.ID == n.ID && c.Before == nil }) {
			return sent
		}
	}
	return true
}

// unreached is why the remote was not reached at all; nil: it was.
func unreached(report *share.Report, failed error) error {
	if errors.Is(failed, share.ErrAway) && (report == nil || !report.Reached) {
		return failed
	}
	return nil
}

// refused says why nobody was made the owner of a task; c is nil if the caller seemed to be it.
func refused(c *madeClaim, id pawl.ID, failed error, away bool) *pawl.Error {
	what, why := "claimed", failed
	switch {
	case c == nil:
		what = "known to be yours"
	case c.was != nil:
		what = "completed"
	case !c.task.Claim.Live():
		what = "given to " + clip(c.task.Owner)
	}
	if failed == nil {
		why = errors.New("the sync did not include it")
	}
	e := pawl.Errorf(pawl.Unconfirmed, "%v is not %s: %w", id, what, why)
	e.IDs, e.Hint = []pawl.ID{id}, pawl.Hint{Step: pawl.HintRetry}
	if known, ok := errors.AsType[*pawl.Error](failed); ok && known.Hint.Step != pawl.HintNone {
		e.Hint = known.Hint
	} else if away {
		e.Hint.Step = pawl.HintReach
	} else if errors.As(failed, new(*share.StopError)) || errors.Is(failed, share.ErrLogin) || errors.Is(failed, share.ErrRefused) {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl sync"}
	}
	return e
}

// former lets an error say how to get a task back that the clone has whose copy this one is:
// that one may be gone, as after a move to another machine.
func (l local) former(err error) {
	e, ok := errors.AsType[*pawl.Error](err)
	if ok && errors.Is(e, pawl.Conflict) && len(e.IDs) > 0 && e.Holder != nil && l.syncer.Former(e.Holder.Claim.Clone) {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: fmt.Sprintf("this clone is a copy of that one; if that one is gone, ask a person to run: pawl release %d --force", e.IDs[0])}
	}
}

// takeBack leaves nothing on the board of requests that failed. If it cannot, a lease
// ends later, or the next sync decides.
func (l local) takeBack(ctx context.Context, requests []pawl.Request, stand []madeClaim, lost []lostClaim) {
	partly := map[int]bool{} // the requests that fail; true: another clone has a part of it
	for _, c := range lost {
		partly[c.request] = partly[c.request] || !c.stands
	}
	for _, c := range stand {
		part, fails := partly[c.request]
		if !fails || !c.own {
			continue
		}
		by := requests[c.request].By
		if c.was == nil {
			by.Name = c.task.Owner // nobody else may take from them what an import gave them
		}
		if !part {
			_, _ = l.board.Do(ctx, pawl.Request{By: by, Op: pawl.Undo{Revision: c.revision}})
		}
		if c.was == nil { // if it could not be undone
			_, _ = l.board.Do(ctx, pawl.Request{By: by, Op: pawl.Release{IDs: []pawl.ID{c.task.ID}, Token: c.task.Claim.Token}})
		} else if here(c.was.Status, c.was.Claim) && c.was.Owner == by.Name { // an undo gives no claim back
			_, _ = l.board.Do(ctx, pawl.Request{By: by, Op: pawl.ClaimTask{ID: c.task.ID, Lease: c.was.Claim.Lease}})
		}
		l.syncer.Changed(ctx, true) // the remote may have it in spite of all
	}
}

// again is a task as it is now, perhaps under another number; nil: it is gone.
func again(r pawl.Reader, was *pawl.Task) (*pawl.Task, error) {
	found, err := r.Get(was.ID)
	if err == nil && (found[0].CreatedAt.Equal(was.CreatedAt) || was.CreatedAt.IsZero() && found[0].Subject == was.Subject) { // a sync dates a task
		return &found[0], nil
	} else if err != nil && pawl.KindOf(err) != pawl.NotFound {
		return nil, err
	}
	page, err := r.Select(pawl.Query{Was: was.ID, Limit: pawl.MaxPage}) // one for each clone at most
	for i := range page.Tasks {
		if t := &page.Tasks[i]; t.CreatedAt.Equal(was.CreatedAt) {
			return t, err
		}
	}
	return nil, err
}

// lostTo says why the caller has lost a task that it claimed: another clone has it, or the sync
// brought a hold or a blocker because of which the board now refuses the claim. nil: it stands,
// or its owner has ended it. A repeated request may be about completed work.
func (l local) lostTo(ctx context.Context, asked pawl.Request, c *madeClaim, t *pawl.Task, repeated bool) *lostClaim {
	lost := &lostClaim{madeClaim: *c, id: c.task.ID, passed: &Passed{Named: merge.Named{ID: c.task.ID, Subject: c.task.Subject}}}
	if t == nil {
		if repeated {
			return nil
		}
		e := pawl.Errorf(pawl.NotFound, "%v was deleted in another clone", c.task.ID)
		e.IDs, e.Hint, lost.err = []pawl.ID{c.task.ID}, pawl.Hint{Step: pawl.HintNext}, e
		return lost
	}
	theirs := t.Owner != asked.By.Name && (repeated || t.Owner != c.task.Owner) || t.Claim.Clone != ""
	lost.id, lost.passed.ID, lost.stands = t.ID, t.ID, c.was == nil && t.Status == pawl.InProgress && !theirs
	claim, begun := begins(asked.Op)
	if c.was != nil && t.Status == pawl.Completed && t.Owner == c.task.Owner && t.CompletedAt.Equal(c.task.CompletedAt) ||
		repeated && t.Status == pawl.Completed || lost.stands && !(begun && c.own) {
		return nil
	}
	claim = pawl.ClaimTask{ID: t.ID, Force: lost.stands && claim.Force}
	whole := pawl.Op(claim)
	if _, several := asked.Op.(pawl.All); several && lost.stands && t.ID == c.task.ID && t.Hold == nil {
		whole = asked.Op // its other ops may be what allows the claim, as a reopening; none lifts a new hold
	}
	asked.ID, asked.Still, asked.Seen = "", nil, nil
	back, then := asked, asked // the board has to judge the claim without what it came to
	for _, try := range [][2]pawl.Op{{pawl.Undo{Revision: c.revision}, whole}, {pawl.Release{IDs: []pawl.ID{t.ID}}, claim}} {
		back.Op, then.Op = try[0], try[1]
		_, err := l.board.TryAll(ctx, back, then)
		if lost.err = pawl.ErrorAt(err, 1); pawl.ErrorAt(err, 0) == nil {
			break
		}
	}
	lost.passed.By, lost.passed.Clone = t.Owner, t.Claim.Clone
	e, refused := errors.AsType[*pawl.Error](lost.err)
	switch {
	case lost.stands && lost.err == nil:
		return nil
	case lost.stands:
		lost.passed.By = ""
	case lost.err == nil:
		e = pawl.Errorf(pawl.Conflict, "%v can be claimed again", t.ID)
		e.IDs, e.Hint, lost.err = []pawl.ID{t.ID}, pawl.Hint{Step: pawl.HintRetry}, e
	case refused && e.Holder != nil:
		e.Message += ", who was first"
	case refused && t.Status == pawl.Completed:
		e.Message, e.Hint = e.Message+", as another clone says", pawl.Hint{Step: pawl.HintNext}
	}
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
	if n := slices.Index(r.IDs, was.ID); n >= 0 {
		r.IDs[n] = now.ID
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
