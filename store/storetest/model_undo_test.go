package storetest

import (
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// follows are the fields that undo does not restore on its own: they follow from
// others, or a later change supersedes them.
var follows = []pawl.Field{
	pawl.FieldBlockedBy, pawl.FieldUpdatedAt, pawl.FieldClaim, pawl.FieldExpired,
}

// undo takes back what a change set did, unless something was done since to
// what it did.
func (t *turn) undo(m *model, rev pawl.Revision) error {
	set := m.past[rev-1]
	changed := set.before.differs(set.after)
	ids := slices.Sorted(maps.Keys(changed))
	for _, id := range ids {
		if err := t.mayUndo(set, id, changed[id]); err != nil {
			return err
		}
	}
	for _, id := range ids { // what was deleted is there again, alone
		if was := set.before[id]; set.after[id] == nil {
			back := was.Clone()
			back.Blocks, back.Parent, back.Claim, back.UpdatedAt = nil, 0, t.leasedAgain(was.Claim), t.now
			t.tasks[id] = &back
		}
	}
	for _, id := range ids {
		t.came.IDs = append(t.came.IDs, id)
		switch {
		case set.before[id] == nil && t.heldByOther(t.tasks[id]) && (t.tasks[id].Claim.Token != 0 || set.by.Name != t.by.Name):
			return pawl.Conflict // to undo a creation is to delete
		case set.before[id] == nil:
			t.tasks.remove(id)
		default:
			if err := t.giveBack(set.before[id], set.after[id], changed[id]); err != nil {
				return err
			}
		}
	}
	for _, id := range ids {
		if err := t.stillTrue(id, set.after[id] == nil, changed[id]); err != nil {
			return err
		}
	}
	return nil
}

// leasedAgain is the claim of a task that is given back: only a lease begins again.
func (t *turn) leasedAgain(was pawl.Claim) (c pawl.Claim) {
	if was.Lease > 0 {
		c = pawl.Claim{Session: was.Session, Agent: was.Agent, Token: t.token, Lease: was.Lease, Until: t.now.Add(time.Duration(was.Lease))}
	}
	return c
}

// stillTrue fails when a task that was given back is completed though it waits
// for others, or open under a completed parent.
func (t *turn) stillTrue(id pawl.ID, back bool, fields []pawl.Field) error {
	task := t.tasks[id]
	if task == nil {
		return nil
	}
	switched := slices.Contains(fields, pawl.FieldStatus)
	if task.Status == pawl.Completed {
		for _, other := range t.tasks {
			open := other.Status != pawl.Completed
			if open && (back || switched) && other.Parent == id || open && switched && slices.Contains(other.Blocks, id) {
				return pawl.Blocked
			}
		}
		if switched && t.neverMet(task) {
			return pawl.Unmet
		}
		return nil
	}
	parent := t.tasks[task.Parent]
	if parent != nil && parent.Status == pawl.Completed && (back || switched || slices.Contains(fields, pawl.FieldParent)) {
		return pawl.Conflict
	}
	return nil
}

// mayUndo fails when the task was changed since, in what the set changed.
func (t *turn) mayUndo(set past, id pawl.ID, fields []pawl.Field) error {
	after, now := set.after[id], t.tasks[id]
	switch {
	case after == nil && now != nil:
		return pawl.Conflict // it was undone already
	case after == nil:
		return nil
	case now == nil:
		return pawl.NotFound
	}
	for _, field := range pawl.Diff(after, now) {
		if !slices.Contains(follows, field) && !leaves(field, set.before[id], after, fields) && (set.before[id] == nil || slices.Contains(fields, field)) {
			return pawl.Conflict
		}
	}
	return nil
}

// leaves reports whether an undo leaves a field that the set changed: what runs of checks
// have shown stays with a task whose completion is taken back.
func leaves(field pawl.Field, before, after *pawl.Task, fields []pawl.Field) bool {
	return field == pawl.FieldEvidence && before != nil && after != nil && before.Open() && !after.Open()
}

// giveBack makes of a task what it was before. after is nil for one that the
// set deleted.
func (t *turn) giveBack(before, after *pawl.Task, fields []pawl.Field) error {
	task := t.tasks[before.ID]
	if t.heldByOther(task) && (slices.Contains(fields, pawl.FieldStatus) || slices.Contains(fields, pawl.FieldOwner)) {
		return pawl.Conflict
	}
	if after == nil {
		fields = []pawl.Field{pawl.FieldBlocks, pawl.FieldParent}
	}
	for _, field := range fields {
		switch {
		case slices.Contains(follows, field), leaves(field, before, after, fields):
		case field == pawl.FieldBlocks:
			for _, waiter := range slices.Clone(task.Blocks) {
				if !slices.Contains(before.Blocks, waiter) {
					t.unlink(task.ID, waiter)
				}
			}
			for _, waiter := range before.Blocks {
				if err := t.link(task.ID, waiter); err != nil {
					return err
				}
			}
		case field == pawl.FieldParent && before.Parent != 0:
			if t.tasks[before.Parent] == nil {
				return pawl.NotFound
			}
			task.Parent = before.Parent
		default:
			pawl.CopyFields(task, before, field)
			if field == pawl.FieldStatus || field == pawl.FieldOwner {
				task.Claim = t.leasedAgain(before.Claim) // its token is not given back, and it is not left with another
			}
		}
	}
	if after == nil {
		for _, blocker := range before.BlockedBy {
			if t.tasks[blocker] == nil {
				continue
			}
			if err := t.link(blocker, task.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
