package pawl

import (
	"slices"
	"time"
)

func (Complete) Verb() string { return VerbComplete }

func (op Complete) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.rules("rules", op.Rules)
	if op.Tree != "" && op.Tree != NoTree {
		f.hash("tree", op.Tree, 40, 64)
	}
	f.line("unchecked", op.Unchecked, MaxReason)
	return f
}

func checkIDs(ids []ID) []Fault {
	var f faults
	f.some("ids", ids)
	return f
}

func (op Complete) apply(x *tx) error {
	if op.Unchecked = oneLine(op.Unchecked); op.Unchecked != "" && x.bound {
		return Errorf(Conflict, "only a person may complete a task without its checks").Next(HintCheck, op.IDs...)
	}
	ids, err := x.blockersFirst(op.IDs)
	if err != nil {
		return err
	}
	defer func() { x.res.IDs = slices.Clone(op.IDs) }()
	return x.each(ids, func(t *Task) error {
		if err := x.checkToken(t, op.Token); err != nil {
			return err
		}
		if t.Status == Completed {
			return nil
		}
		if err := x.mayComplete(t, op.Token, op.Force); err != nil {
			return err
		}
		if err := op.mayBeDone(x, t); err != nil {
			return err
		}
		// Completion removes an open dependent from each remaining blocker and
		// child.
		x.moved = append(append(x.moved, t.BlockedBy...), t.Children...)
		if err := x.setStatus(t, Completed); err != nil {
			return err
		}
		t.CompletedAt = x.now
		t.Claim, t.Expired, t.Hold = Claim{}, 0, nil
		return nil
	})
}

// blockersFirst returns ids, each once, so that none comes before another one of
// them that it waits for, so the caller need not know the order.
func (x *tx) blockersFirst(ids []ID) ([]ID, error) {
	nodes, err := x.Nodes(ids...)
	if err != nil {
		return nil, err
	}
	left := map[ID]*Node{}
	for i := range nodes {
		left[nodes[i].ID] = &nodes[i]
	}
	ordered := make([]ID, 0, len(left))
	var visit func(id ID)
	visit = func(id ID) {
		n := left[id]
		if n == nil {
			return
		}
		delete(left, id)
		for _, waitsFor := range [][]ID{n.BlockedBy, n.Children} {
			for _, other := range waitsFor {
				visit(other)
			}
		}
		ordered = append(ordered, id)
	}
	for _, id := range ids {
		visit(id)
	}
	return ordered, nil
}

func (x *tx) mayComplete(t *Task, token Revision, force bool) error {
	if force {
		return nil
	}
	if err := x.mayEnd(t, token); err != nil {
		return err
	}
	switch {
	case x.agent && t.keptFor(x.by):
		return t.assignedError()
	case len(t.BlockedBy) > 0:
		return x.blockedError(t)
	case t.OpenChildren > 0:
		return x.childrenError(t)
	case t.Hold != nil && t.Status == Pending && !t.Hold.Finished():
		return t.heldError()
	}
	return nil
}

// childrenError names the children that t waits for.
func (x *tx) childrenError(t *Task) error {
	nodes, err := x.Nodes(t.Children...)
	if err != nil {
		return err
	}
	var open []ID
	for i := range nodes {
		if nodes[i].Open() {
			open = append(open, nodes[i].ID)
		}
	}
	e := Errorf(Blocked, "%v has open children: %s", t.ID, joinIDs(open)).About(open...)
	if err := x.wayOut(e, open); err != nil {
		return err
	}
	return e
}

func (Reopen) Verb() string { return VerbReopen }

func (op Reopen) check() []Fault { return checkIDs(op.IDs) }

func (op Reopen) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		switch t.Status {
		case Pending:
			return nil
		case InProgress:
			return Errorf(Conflict, "%v is in progress, not completed", t.ID).About(t.ID).Next(HintRelease, t.ID)
		}
		if t.Parent != 0 {
			parent, err := x.Nodes(t.Parent)
			if err != nil {
				return err
			}
			if p := parent[0]; !p.Missing && !p.Open() {
				return Errorf(Conflict, "%v cannot be reopened while its parent %v is completed", t.ID, t.Parent).
					About(t.Parent).Next(HintReopen, t.Parent)
			}
		}
		if err := x.setStatus(t, Pending); err != nil {
			return err
		}
		// Evidence showed that the task was done then. History keeps it. An agent cannot drop
		// the records of checks that were left out: the task itself may not ask for these
		// checks.
		t.Evidence = slices.DeleteFunc(t.Evidence, func(e Evidence) bool { return !x.agent || !e.LeftOut() })
		t.Owner, t.StartedAt, t.CompletedAt = "", time.Time{}, time.Time{}
		x.moved = append(x.moved, t.ID)
		return nil
	})
}
