package pawl

import (
	"strings"
	"time"
)

func (Release) Verb() string { return VerbRelease }

func (op Release) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.line("hold", op.Hold, MaxReason)
	return f
}

func (op Release) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		if err := x.checkToken(t, op.Token); err != nil {
			return err
		}
		if t.Status == Completed {
			return t.completedError()
		}
		if !op.Force {
			if err := x.mayEnd(t, op.Token); err != nil {
				return err
			}
			if t.keptFor(x.by) {
				return t.assignedError()
			}
		}
		t.Status, t.Owner, t.StartedAt = Pending, "", time.Time{}
		t.Claim, t.Expired = Claim{}, 0
		if op.Hold != "" {
			return x.hold(t, op.Hold)
		}
		return nil
	})
}

// keptFor reports whether t is assigned to somebody else, who has not begun.
func (t *Task) keptFor(by Actor) bool {
	return t.Status == Pending && t.Owner != "" && t.Owner != by.Name
}

// hold puts a task on hold. A hold that waits for approval stays: another reason in its
// place could be lifted.
func (x *tx) hold(t *Task, reason string) error {
	reason = oneLine(reason)
	if t.Hold.Approval() && t.Hold.Reason != reason {
		return t.heldError()
	}
	t.Hold = &Hold{Reason: reason, By: x.by.Name, At: x.now}
	return nil
}

// heldError says why a task is on hold, and what ends that.
func (t *Task) heldError() *Error {
	if t.Hold.Approval() {
		reason, _, _ := strings.Cut(t.Hold.Reason, ":")
		return Errorf(Blocked, "%v %s", t.ID, clip(reason, 200)).About(t.ID).Next(HintApprove, t.ID)
	}
	e := Errorf(Blocked, "%v is on hold: %s", t.ID, clip(t.Hold.Reason, 200)).About(t.ID).Next(HintLift, t.ID)
	if t.Hold.Finished() {
		e.Say(trustChecks)
	}
	return e
}

func (PutHold) Verb() string { return VerbHold }

func (op PutHold) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.required("reason", op.Reason, MaxReason)
	return f
}

func (op PutHold) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		if t.Status == Completed {
			return t.completedError()
		}
		return x.hold(t, op.Reason)
	})
}

func (LiftHold) Verb() string { return VerbLift }

func (op LiftHold) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.line("reason", op.Reason, MaxReason)
	return f
}

func (op LiftHold) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		if x.bound && t.Hold != nil && t.Hold.By != x.by.Name {
			return Errorf(Blocked, "%v was put on hold by %s, not by %s: %s", t.ID, clip(t.Hold.By, 60), clip(x.by.Name, 60), clip(t.Hold.Reason, 200)).
				About(t.ID).Next(HintShow, t.ID)
		}
		switch {
		case op.Reason != "" && t.Hold != nil && t.Hold.Reason != op.Reason:
			return Errorf(Conflict, "%v is not on hold for this reason now", t.ID).About(t.ID).Next(HintShow, t.ID)
		case op.Reason == "" && t.Hold.Approval():
			return t.heldError()
		}
		t.Hold, t.Expired = nil, 0
		return nil
	})
}

func (Assign) Verb() string { return VerbAssign }

func (op Assign) check() []Fault {
	f := faults(checkIDs(op.IDs))
	f.name("owner", op.Owner)
	return f
}

func (op Assign) apply(x *tx) error {
	return x.each(op.IDs, func(t *Task) error {
		switch {
		case t.Status == Completed:
			return t.completedError()
		case t.Status == InProgress && t.Owner != "":
			return x.claimedError(t)
		case !op.Force && t.keptFor(x.by) && (x.bound || oneLine(op.Owner) == x.by.Name):
			return t.assignedError() // to plan otherwise is one thing, to take it another: a bound caller could take it next
		}
		t.Owner = oneLine(op.Owner)
		return nil
	})
}
