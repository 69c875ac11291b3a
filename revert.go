package pawl

import (
	"slices"
	"time"
)

func (Undo) Verb() string { return VerbUndo }

func (op Undo) check() []Fault {
	var f faults
	if op.Revision < 0 {
		f.add("revision", "is %d, no revision", int64(op.Revision))
	}
	f.rules("rules", op.Rules)
	if op.Revision != 0 && (op.Everywhere || op.Pass != 0) {
		f.add("revision", "is given, so that there is nothing to choose: leave out everywhere and pass")
	}
	if op.Pass < 0 || op.Pass > MaxPassed {
		f.add("pass", "is %d; the most is %d", op.Pass, MaxPassed)
	}
	return f
}

func (Undo) apply(*tx) error { return Errorf(Internal, "an undo was not looked up in history") }

// revert is an Undo with what history says of it: the rules see a store's tasks
// and not its history.
type revert struct {
	Undo
	set     ChangeSet
	err     error      // instead of set
	passed  []Revision // the newest first
	outside bool       // another program did what the set did
	later   ChangeSet  // as in overtaking
}

var (
	// overtaken are the fields that follow from others, or that any later
	// change overtakes: undo does not take a difference in them for one.
	overtaken = []Field{FieldBlockedBy, FieldUpdatedAt, FieldClaim, FieldExpired}
	// connected are the fields that other tasks hang on: undo gives them back
	// one step at a time instead of copying them.
	connected = []Field{FieldBlocks, FieldParent, FieldStatus}
)

func (op revert) apply(x *tx) error {
	if op.err != nil {
		return op.err
	}
	if x.bound && op.set.By.Name != x.by.Name {
		return Errorf(Conflict, "%s is a change by %s, not by %s", op.set.Revision.Short(x.Origin()), clip(op.set.By.Name, 60), clip(x.by.Name, 60)).Next(HintHistory)
	}
	if x.agent && !x.bound && Personal(op.set.By.Session) {
		return Errorf(Conflict, "%s is a change by %s, and no agent undoes what a person did", op.set.Revision.Short(x.Origin()), clip(op.set.By.Name, 60)).
			Say("ask a person to undo it, and say why in a note")
	}
	switch op.set.Verb {
	case VerbMend:
		return Errorf(Conflict, "%s repaired files, and the damage is not brought back: an earlier change is undone by its number", op.set.Revision.Short(x.Origin())).Next(HintHistory)
	case VerbSync:
		return Errorf(Conflict, "%s came from other clones: it is undone where it was made, or by a new change", op.set.Revision.Short(x.Origin())).Next(HintHistory)
	case VerbMerge:
		return Errorf(Conflict, "%s joined two boards, and only a merge can part them", op.set.Revision.Short(x.Origin())).Next(HintHistory)
	}
	if op.set.Bulk {
		return invalid("%s is a change of many files that was made outside Pawl; only its ids were kept", op.set.Revision.Short(x.Origin())).
			Say("use the version control of the project")
	}
	for _, c := range op.set.Changes {
		if err := op.refuseLater(x, c); err != nil {
			return err
		}
	}
	if id, fields := op.set.meets(&op.later); id != 0 {
		e := Errorf(Conflict, "%v has changed since %s", id, op.set.Revision.Short(x.Origin())).About(id).Next(HintHistory, id)
		op.blame(e, &op.later, fields, x.Origin())
		return e
	}
	// First bring back what was deleted, so that edges find both their ends.
	for _, c := range op.set.Changes {
		if c.After == nil {
			x.restore(c.Before, op.claim(x, &c))
		}
	}
	for _, c := range op.set.Changes {
		if err := op.revertTask(x, c); err != nil {
			return err
		}
	}
	for _, c := range op.set.Changes {
		if err := op.refuseUntrue(x, c); err != nil {
			return err
		}
	}
	return nil
}

// refuseUntrue holds undo to the rules of completing: what was true before the
// change set may no longer exist.
func (op revert) refuseUntrue(x *tx, c Change) error {
	t := x.tasks[c.ID]
	if t == nil {
		return nil
	}
	back := c.After == nil
	switched := slices.Contains(c.Fields, FieldStatus)
	if (back || switched) && !t.Open() && t.OpenChildren > 0 {
		return x.childrenError(t)
	}
	if switched && !t.Open() {
		blockers, err := x.Nodes(t.Blockers...)
		if err != nil {
			return err
		}
		var open []ID
		for i := range blockers {
			if blockers[i].Open() {
				open = append(open, blockers[i].ID)
			}
		}
		if len(open) > 0 {
			return x.waitsError(t, open)
		}
		if err := t.mayBeDoneAgain(op.Rules); err != nil {
			return err
		}
	}
	if t.Open() && t.Parent != 0 && (back || switched || slices.Contains(c.Fields, FieldParent)) {
		return x.mayAdopt(t.Parent)
	}
	return nil
}

// refuseLater fails when undoing c would overwrite a later change.
func (op revert) refuseLater(x *tx, c Change) error {
	later := func(kind Kind, what string) error {
		return Errorf(kind, "%v %s since %s", c.ID, what, op.set.Revision.Short(x.Origin())).About(c.ID).Next(HintHistory, c.ID)
	}
	tasks, err := x.Get(c.ID)
	switch {
	case c.After == nil && err == nil && !tasks[0].CreatedAt.Equal(c.CreatedAt):
		return otherTask(c.ID)
	case c.After == nil && err == nil:
		return later(Conflict, "has come back")
	case c.After == nil && KindOf(err) == NotFound:
		return nil
	case KindOf(err) == NotFound:
		return later(NotFound, "was deleted")
	case err != nil:
		return err
	}
	t := &tasks[0]
	if !t.CreatedAt.Equal(c.CreatedAt) {
		return otherTask(c.ID)
	}
	if len(c.overwrites(t)) > 0 {
		return later(Conflict, "has changed")
	}
	return nil
}

// overwrites lists the fields in which t is no longer as the change left it,
// and that undoing the change would give back: those that it named, and all of
// a task that it made.
func (c *Change) overwrites(t *Task) []Field {
	return slices.DeleteFunc(Diff(t, c.After), func(f Field) bool { return !c.takes(f) })
}

// takes reports whether undoing the change gives back a field.
func (c *Change) takes(f Field) bool {
	named := c.Before == nil || c.After == nil || slices.Contains(c.Fields, f)
	return named && !slices.Contains(overtaken, f) && !c.leaves(f)
}

// leaves reports whether undoing the change leaves a field that it named: runs of checks
// that were recorded with a completion have happened, whatever becomes of the completion.
func (c *Change) leaves(f Field) bool {
	return f == FieldEvidence && c.Before != nil && c.After != nil && c.Before.Open() && !c.After.Open()
}

// claim is what a task is claimed by again. Where an op ended a claim, its token is not given
// back, but a lease begins again: owned without one, a task of a dead agent would never be
// free. Another program, as git, ends no claim. The remote of a shared board may have given
// the task to another clone since, so it is asked again.
func (op revert) claim(x *tx, c *Change) (claim Claim) {
	was := c.Before.Claim
	if op.outside {
		claim = was
		claim.Confirmed = time.Time{}
	} else if was.leased() {
		claim = Claim{Session: was.Session, Agent: was.Agent, Token: x.token}
		claim.extend(was.Lease, x.now)
	}
	return claim
}

// restore puts a deleted task back, without its edges and parent.
func (x *tx) restore(was *Task, claim Claim) {
	t := was.Clone()
	t.BlockedBy, t.Blocks, t.Parent = nil, nil, 0
	t.Claim, t.UpdatedAt = claim, x.now
	t.Urgency = t.Priority
	last := x.lastID
	x.add(&t)
	if t.ID > MaxForeignID {
		x.lastID = last // it came from elsewhere, or was counted when it was made
	}
	x.moved = append(x.moved, t.ID)
}

// revertTask takes one task back to what it was.
func (op revert) revertTask(x *tx, c Change) error {
	t, err := x.touch(c.ID)
	if err != nil {
		return err
	}
	if c.Before == nil {
		// A caller may remove a task that it brought in, unless somebody has
		// claimed it.
		if x.claimedByOther(t) && (t.Claim.Live() || op.set.By.Name != x.by.Name) {
			return x.claimedError(t)
		}
		x.res.IDs = append(x.res.IDs, c.ID)
		return x.drop(t)
	}
	x.res.IDs = append(x.res.IDs, c.ID)
	changed := c.Fields
	if c.After == nil {
		changed = []Field{FieldBlocks, FieldParent, FieldBlockedBy}
	}
	if (slices.Contains(changed, FieldStatus) || slices.Contains(changed, FieldOwner)) && x.claimedByOther(t) {
		return x.claimedError(t)
	}
	for _, f := range changed {
		if !slices.Contains(overtaken, f) && !slices.Contains(connected, f) && !c.leaves(f) {
			CopyFields(t, c.Before, f)
		}
	}
	if slices.Contains(changed, FieldPriority) {
		x.moved = append(x.moved, c.ID)
	}
	if slices.Contains(changed, FieldStatus) {
		x.moved = append(x.moved, c.ID)
		if err := x.setStatus(t, c.Before.Status); err != nil {
			return err
		}
	}
	if slices.Contains(changed, FieldStatus) || slices.Contains(changed, FieldOwner) {
		t.Claim = op.claim(x, &c) // none is left with another owner
	}
	return op.revertEdges(x, t, c, changed)
}

// revertEdges takes back the edges and the parent that the change set or took.
func (op revert) revertEdges(x *tx, t *Task, c Change, changed []Field) error {
	if slices.Contains(changed, FieldBlocks) {
		for _, id := range slices.Clone(t.Blocks) {
			if !slices.Contains(c.Before.Blocks, id) {
				if err := x.unlink(t.ID, id); err != nil {
					return err
				}
			}
		}
		for _, id := range c.Before.Blocks {
			if err := x.link(t.ID, id); err != nil {
				return err
			}
		}
	}
	if c.After == nil {
		// The blockers' own changes bring these back too; one that has lost
		// its file since is not waited for again.
		for _, id := range c.Before.BlockedBy {
			if blocker, err := x.reachable(id); err != nil {
				return err
			} else if blocker != nil {
				if err := x.link(id, t.ID); err != nil {
					return err
				}
			}
		}
	}
	if slices.Contains(changed, FieldParent) && t.Parent != c.Before.Parent {
		return x.adopt(t.ID, c.Before.Parent)
	}
	return nil
}
