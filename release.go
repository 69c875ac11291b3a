package pawl

import "time"

func (Release) verb() string { return "release" }

func (op Release) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.line("hold", op.Hold, MaxReason)
	return f
}

func (op Release) apply(x *tx) error {
	if err := x.need(op.IDs...); err != nil {
		return err
	}
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
	if err := x.need(op.IDs...); err != nil {
		return err
	}
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
	if err := x.need(op.IDs...); err != nil {
		return err
	}
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
	if err := x.need(op.IDs...); err != nil {
		return err
	}
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
