package show

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// Already says why an op left one of its tasks as it was, and is empty if it did
// not:
//
//	#1 was completed already, by ada at 14:09 CET
//	#3 is assigned to bob already
//
// An op that set some of a task's fields changed the task. It wants
// [query.WantAlready].
func Already(op pawl.Op, o *query.Outcome, t *pawl.Task, clock Clock) string {
	_, edges := op.(pawl.Update) // those to completed tasks leave their task as it is
	if o.Result.Repeated || edges && o.Result.Changed || changed(op, &o.Result, t.ID) {
		return ""
	}
	return t.ID.String() + " " + cmp.Or(already(op, o, t, clock), "is so already: nothing changed")
}

func already(op pawl.Op, o *query.Outcome, t *pawl.Task, clock Clock) string {
	switch op := op.(type) {
	case pawl.ClaimTask, pawl.Start:
		return "is yours already"
	case pawl.Complete:
		return CompletedBefore(o, t.ID, clock)
	case pawl.Reopen:
		return "is not completed, so there is nothing to reopen"
	case pawl.Release:
		return "is claimed by nobody and assigned to nobody"
	case pawl.LiftHold:
		return "is not on hold"
	case pawl.Assign:
		if t.Owner == "" {
			return "is assigned to nobody already"
		}
		return "is assigned to " + text.Line(t.Owner) + " already"
	case pawl.Update:
		return updated(&op)
	case pawl.All:
		if t.Status == pawl.Completed && slices.ContainsFunc(op.Ops, func(op pawl.Op) bool { _, is := op.(pawl.Complete); return is }) {
			return CompletedBefore(o, t.ID, clock)
		}
	}
	return ""
}

// CompletedBefore says that a task was completed already, and by whom and when if
// that is known: "was completed already, by ada at 14:09 CET".
func CompletedBefore(o *query.Outcome, id pawl.ID, clock Clock) string {
	was, known := o.Already[id]
	if !known {
		return "was completed already"
	}
	return "was completed already, by " + who(was.By) + " at " + clock.Spell(was.At)
}

// updated says of an update that changed nothing why, where one field was meant.
func updated(op *pawl.Update) string {
	labels := func(labels []string) string { return Labels(&pawl.Task{Labels: labels}) }
	label, n := "the label", len(op.AddLabels)+len(op.RemoveLabels)+len(op.AddBlockedBy)+len(op.RemoveBlockedBy)+
		len(op.AddChecks)+len(op.RemoveChecks)+len(op.AddAccept)+len(op.RemoveAccept)+len(op.Tick)+len(op.Untick)
	if n > 1 {
		label = "the labels"
	}
	switch {
	case !onlyLists(op):
	case n == len(op.AddLabels) && n > 0:
		return "has " + label + " " + labels(op.AddLabels) + " already"
	case n == len(op.RemoveLabels) && n > 0:
		return "does not have " + label + " " + labels(op.RemoveLabels)
	case n == len(op.AddBlockedBy) && n > 0:
		return "depends on " + IDs(op.AddBlockedBy) + " already"
	case n == len(op.RemoveBlockedBy) && n > 0:
		return "does not depend on " + IDs(op.RemoveBlockedBy)
	case n == len(op.AddChecks) && n == 1:
		return "has the check " + text.Line(op.AddChecks[0].Name) + " already, just so"
	case n == len(op.AddAccept) && n == 1:
		return "has this criterion already"
	case n == len(op.Tick) && n == 1:
		return "has \"" + text.Line(text.Clip(op.Tick[0], noteLength)) + "\" ticked already"
	case n == len(op.Untick) && n == 1:
		return "has \"" + text.Line(text.Clip(op.Untick[0], noteLength)) + "\" not ticked"
	}
	return ""
}

// onlyLists reports whether an update touches no field but lists of labels, tasks,
// checks and criteria.
func onlyLists(op *pawl.Update) bool {
	return op.Subject == nil && op.Description == nil && op.ActiveForm == nil && op.Priority == nil && op.Parent == nil && len(op.Metadata) == 0 &&
		len(op.AddBlocks) == 0 && len(op.RemoveBlocks) == 0
}

// changed reports whether a request changed one of its tasks, rather than the
// edges or the lease that follow.
func changed(op pawl.Op, r *pawl.Result, id pawl.ID) bool {
	i := slices.IndexFunc(r.Changes, func(c pawl.Change) bool { return c.ID == id })
	if i < 0 {
		return false
	}
	c := &r.Changes[i]
	if query.What(c) != query.Edited || c.Before.Claim.Token != c.After.Claim.Token {
		return true
	}
	_, update := op.(pawl.Update)
	_, all := op.(pawl.All)
	return slices.ContainsFunc(c.Fields, func(f pawl.Field) bool {
		switch f {
		case pawl.FieldBlockedBy, pawl.FieldBlocks:
			return update || all
		case pawl.FieldExpired:
			return true
		}
		return !query.Consequent(f)
	})
}
