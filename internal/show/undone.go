package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// mostUndone is how many tasks the sentence about an undo names.
const mostUndone = 6

// Undone says in a sentence how an undo left the tasks that it changed, and
// returns the changes that a sentence cannot tell:
//
//	#1 is ada's again, #2 waits for #1 again
func Undone(changes []pawl.Change) (sentence string, rest []pawl.Change) {
	var words []string
	for i := range changes {
		c := &changes[i]
		said, all := undone(c)
		if len(said) > 0 {
			words = append(words, strings.Join(said, " and "))
		}
		if !all {
			rest = append(rest, *c)
		}
	}
	if more := len(words) - mostUndone; more > 1 {
		words = append(words[:mostUndone], "and "+text.Count(more, "more task", "more tasks"))
	}
	return strings.Join(words, ", "), rest
}

// undone says what a change that undid another one did to its task, and whether
// that is all.
func undone(c *pawl.Change) (words []string, all bool) {
	if c.Before == nil && c.After == nil {
		return []string{c.ID.String() + " is changed"}, true
	}
	if c.Before == nil {
		return []string{Name(c.After) + " is back"}, true
	}
	if c.After == nil {
		return []string{Name(c.Before) + " is removed"}, true
	}
	say := func(format string, args ...any) {
		if words == nil {
			format = c.ID.String() + " " + format
		}
		words = append(words, fmt.Sprintf(format, args...))
	}
	was, is := c.Before, c.After
	all = !slices.ContainsFunc(c.Fields, func(f pawl.Field) bool {
		return !query.Consequent(f) && f != pawl.FieldStatus && f != pawl.FieldOwner && f != pawl.FieldHold && f != pawl.FieldParent &&
			!(f == pawl.FieldMetadata && sameButBooks(c.Before.Metadata, c.After.Metadata))
	})
	switch {
	case was.Status != is.Status && is.Status == pawl.InProgress && is.Owner != "":
		say("is %s's again", text.Line(is.Owner))
	case was.Status != is.Status:
		say("is %s again", StatusWords(is.Status))
	case was.Owner != is.Owner && is.Owner == "":
		say("is assigned to nobody again")
	case was.Owner != is.Owner:
		say("is assigned to %s again", text.Line(is.Owner))
	}
	switch {
	case is.Hold == nil && was.Hold != nil:
		say("is not on hold")
	case is.Hold != nil && (was.Hold == nil || *is.Hold != *was.Hold):
		say("is on hold again: %s", text.Line(is.Hold.Reason))
	}
	switch {
	case was.Parent == is.Parent:
	case is.Parent == 0:
		say("has no parent")
	default:
		say("is a child of %v again", is.Parent)
	}
	if more := without(is.BlockedBy, was.BlockedBy); len(more) > 0 {
		say("waits for %s again", IDs(more))
	}
	if less := without(was.BlockedBy, is.BlockedBy); len(less) > 0 {
		say("no longer waits for %s", IDs(less))
	}
	return words, all
}

func without(ids, others []pawl.ID) []pawl.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id pawl.ID) bool { return slices.Contains(others, id) })
}

// Removed names a deleted task, the tasks that an edge led to or from and that
// stay, and the children that have no parent now:
//
//	#2 Cart, cut from #1, #3; #7 has no parent now
func Removed(t *pawl.Task, stays func(pawl.ID) bool) string {
	stay := func(lists ...[]pawl.ID) []pawl.ID {
		ids := slices.DeleteFunc(slices.Concat(lists...), func(id pawl.ID) bool { return id == 0 || !stays(id) })
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	s := Name(t)
	if cut := stay(t.Blockers, t.BlockedBy, t.Blocks, []pawl.ID{t.Parent}); len(cut) > 0 {
		s += ", cut from " + IDs(cut)
	}
	switch children := stay(t.Children); len(children) {
	case 0:
	case 1:
		s += fmt.Sprintf("; %v has no parent now", children[0])
	default:
		s += "; " + IDs(children) + " have no parent now"
	}
	return s
}

// Overridden says what a change by name overrode with force: whose work it ended
// or took over, and which reason to hold a task it ignored.
func Overridden(changes []pawl.Change, name string) (warnings []string) {
	for i := range changes {
		c := &changes[i]
		if c.Before == nil || c.After == nil {
			continue
		}
		if was := c.Before.Owner; c.Before.Status == pawl.InProgress && c.After.Status != pawl.InProgress && was != "" && was != name {
			warnings = append(warnings, fmt.Sprintf("%v was with %s", c.ID, text.Line(was)))
		}
		if !c.After.Claim.Live() || c.After.Claim.Token == c.Before.Claim.Token {
			continue
		}
		if was := c.Before.Owner; was != "" && was != c.After.Owner {
			warnings = append(warnings, fmt.Sprintf("%v is taken from %s", c.ID, text.Line(was)))
		}
		if was := c.Before.Hold; was != nil && c.After.Hold == nil {
			warnings = append(warnings, fmt.Sprintf("the hold on %v is lifted: %s", c.ID, text.Line(was.Reason)))
		}
	}
	return warnings
}
