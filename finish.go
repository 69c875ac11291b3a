package pawl

import "time"

func (Complete) verb() string { return "complete" }

func (op Complete) check() []Fault { return checkIDs(op.IDs) }

func checkIDs(ids []ID) []Fault {
	var f faults
	f.some("ids", ids)
	return f
}

func (op Complete) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		x.res.IDs = append(x.res.IDs, id)
		if err := t.checkToken(op.Token); err != nil {
			return err
		}
		if t.Status == Completed {
			continue
		}
		if err := x.mayComplete(t, op.Force); err != nil {
			return err
		}
		// What a forced completion still waited for loses an open dependent.
		x.moved = append(append(x.moved, t.BlockedBy...), t.Children...)
		if err := x.setStatus(t, Completed); err != nil {
			return err
		}
		t.CompletedAt = x.now
		t.Claim, t.Expired, t.Hold = Claim{}, 0, nil
	}
	return nil
}

func (x *tx) mayComplete(t *Task, force bool) error {
	switch {
	case force:
		return nil
	case x.heldByOther(t):
		return t.heldError()
	case len(t.BlockedBy) > 0:
		return x.blockedError(t)
	case t.OpenChildren > 0:
		open, err := x.openChildren(t)
		if err != nil {
			return err
		}
		return Errorf(Blocked, "%v waits for its children %s", t.ID, joinIDs(open)).about(open...).hint(HintFinish, open...)
	case t.Hold != nil && t.Status == Pending:
		return Errorf(Blocked, "%v is held: %s", t.ID, clip(t.Hold.Reason, 200)).about(t.ID).hint(HintLift, t.ID)
	}
	return nil
}

func (x *tx) openChildren(t *Task) ([]ID, error) {
	nodes, err := x.Nodes(t.Children...)
	if err != nil {
		return nil, err
	}
	var open []ID
	for i := range nodes {
		if nodes[i].Open() {
			open = append(open, nodes[i].ID)
		}
	}
	return open, nil
}

func (Reopen) verb() string { return "reopen" }

func (op Reopen) check() []Fault { return checkIDs(op.IDs) }

func (op Reopen) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		x.res.IDs = append(x.res.IDs, id)
		switch t.Status {
		case Pending:
			continue
		case InProgress:
			return Errorf(Conflict, "%v is in progress, not completed", id).about(id).hint(HintRelease, id)
		}
		if t.Parent != 0 {
			parent, err := x.Nodes(t.Parent)
			if err != nil {
				return err
			}
			if p := parent[0]; !p.Missing && !p.Open() {
				return Errorf(Conflict, "%v cannot be reopened while its parent %v is completed", id, t.Parent).
					about(t.Parent).hint(HintReopen, t.Parent)
			}
		}
		if err := x.setStatus(t, Pending); err != nil {
			return err
		}
		t.Owner, t.StartedAt, t.CompletedAt = "", time.Time{}, time.Time{}
		x.moved = append(x.moved, id)
	}
	return nil
}

func (Release) verb() string { return "release" }

func (op Release) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.line("hold", op.Hold, MaxReason)
	return f
}

func (op Release) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		x.res.IDs = append(x.res.IDs, id)
		if err := t.checkToken(op.Token); err != nil {
			return err
		}
		if t.Status == Completed {
			return Errorf(Conflict, "%v is completed", id).about(id).hint(HintReopen, id)
		}
		if !op.Force && x.heldByOther(t) && op.Token == 0 {
			return t.heldError()
		}
		t.Status, t.Owner, t.StartedAt = Pending, "", time.Time{}
		t.Claim, t.Expired = Claim{}, 0
		if op.Hold != "" {
			x.hold(t, op.Hold)
		}
	}
	return nil
}

func (x *tx) hold(t *Task, reason string) {
	t.Hold = &Hold{Reason: oneLine(reason), By: x.by.Name, At: x.now}
}

func (PutHold) verb() string { return "hold" }

func (op PutHold) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.required("reason", op.Reason, MaxReason)
	return f
}

func (op PutHold) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		if t.Status == Completed {
			return Errorf(Conflict, "%v is completed", id).about(id).hint(HintReopen, id)
		}
		x.res.IDs = append(x.res.IDs, id)
		x.hold(t, op.Reason)
	}
	return nil
}

func (LiftHold) verb() string { return "lift" }

func (op LiftHold) check() []Fault { return checkIDs(op.IDs) }

func (op LiftHold) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		x.res.IDs = append(x.res.IDs, id)
		t.Hold, t.Expired = nil, 0
	}
	return nil
}

func (Assign) verb() string { return "assign" }

func (op Assign) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.name("owner", op.Owner)
	return f
}

func (op Assign) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		switch {
		case t.Status == Completed:
			return Errorf(Conflict, "%v is completed", id).about(id).hint(HintReopen, id)
		case t.Status == InProgress && t.Owner != "":
			return t.heldError()
		}
		x.res.IDs = append(x.res.IDs, id)
		t.Owner = oneLine(op.Owner)
	}
	return nil
}

func (Delete) verb() string { return "delete" }

func (op Delete) check() []Fault { return checkIDs(op.IDs) }

func (op Delete) apply(x *tx) error {
	for _, id := range op.IDs {
		t, err := x.touch(id)
		if err != nil {
			return err
		}
		if !op.Force && x.heldByOther(t) {
			return t.heldError()
		}
		x.res.IDs = append(x.res.IDs, id)
		if err := x.drop(t); err != nil {
			return err
		}
	}
	return nil
}

// drop removes a task and every reference to it.
func (x *tx) drop(t *Task) error {
	for _, waiter := range append([]ID(nil), t.Blocks...) {
		if err := x.unlink(t.ID, waiter); err != nil {
			return err
		}
	}
	for _, blocker := range append([]ID(nil), t.Blockers...) {
		if err := x.unlink(blocker, t.ID); err != nil {
			return err
		}
	}
	for _, child := range append([]ID(nil), t.Children...) {
		if c, err := x.reachable(child); err != nil {
			return err
		} else if c != nil {
			if err := x.adopt(child, 0); err != nil {
				return err
			}
		}
	}
	if err := x.adopt(t.ID, 0); err != nil {
		return err
	}
	x.remove(t.ID)
	return nil
}
