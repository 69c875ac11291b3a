package query

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// About returns the tasks that a request was about, without those that only
// changed along with them.
func About(set *pawl.ChangeSet) []pawl.ID {
	var ids []pawl.ID
	for _, c := range AboutChanges(set) {
		ids = append(ids, c.ID)
	}
	return ids
}

// The things that can happen to a task.
const (
	Created = "created"
	Edited  = "edited"
	Deleted = "deleted"
)

// What returns what happened to the task: Created, Edited or Deleted. A change of a
// bulk set is Edited, because nothing more is known.
func What(c *pawl.Change) string {
	switch {
	case c.Before == nil && c.After != nil:
		return Created
	case c.Before != nil && c.After == nil:
		return Deleted
	}
	return Edited
}

// Renewal reports whether a set only renews leases, as an agent does at each of its
// steps.
func Renewal(set *pawl.ChangeSet) bool {
	return !set.Bulk && !slices.ContainsFunc(set.Changes, func(c pawl.Change) bool {
		return What(&c) != Edited || slices.ContainsFunc(c.Fields, func(f pawl.Field) bool { return f != pawl.FieldClaim }) ||
			c.Before.Claim.Clone != c.After.Claim.Clone // another clone has it now
	})
}

// Consequent reports whether a field changes along with others, or by itself.
func Consequent(f pawl.Field) bool {
	switch f {
	case pawl.FieldBlockedBy, pawl.FieldBlocks, pawl.FieldClaim, pawl.FieldExpired,
		pawl.FieldUpdatedAt, pawl.FieldStartedAt, pawl.FieldCompletedAt:
		return true
	}
	return false
}

// leading returns the fields that tell which tasks a verb was about.
func leading(verb string) []pawl.Field {
	switch verb {
	case "claim", "start":
		return []pawl.Field{pawl.FieldStatus, pawl.FieldOwner}
	case "complete", "reopen", "expire":
		return []pawl.Field{pawl.FieldStatus}
	case "release":
		return []pawl.Field{pawl.FieldStatus, pawl.FieldOwner, pawl.FieldHold}
	case "assign":
		return []pawl.Field{pawl.FieldOwner}
	case "hold":
		return []pawl.Field{pawl.FieldHold}
	case "lift":
		return []pawl.Field{pawl.FieldHold, pawl.FieldExpired}
	case "note":
		return []pawl.Field{pawl.FieldNotes}
	case pawl.VerbCheck:
		return []pawl.Field{pawl.FieldEvidence}
	}
	return nil
}

// AboutChanges picks the changes that a request was about from those that followed
// from it.
func AboutChanges(set *pawl.ChangeSet) []pawl.Change {
	pick := func(means func(pawl.Change) bool) []pawl.Change {
		return slices.DeleteFunc(slices.Clone(set.Changes), func(c pawl.Change) bool { return !means(c) })
	}
	has := func(c pawl.Change, fields []pawl.Field) bool {
		return slices.ContainsFunc(c.Fields, func(f pawl.Field) bool { return slices.Contains(fields, f) })
	}
	var about []pawl.Change
	switch set.Verb {
	case "create":
		about = pick(func(c pawl.Change) bool { return What(&c) == Created })
	case "delete":
		about = pick(func(c pawl.Change) bool { return What(&c) == Deleted })
	default:
		if lead := leading(set.Verb); lead != nil {
			about = pick(func(c pawl.Change) bool { return has(c, lead) })
			break
		}
		about = pick(func(c pawl.Change) bool {
			return What(&c) != Edited || slices.ContainsFunc(c.Fields, func(f pawl.Field) bool { return !Consequent(f) })
		})
		if len(about) == 0 { // an edge: the task that waits is what one asks about
			about = pick(func(c pawl.Change) bool { return has(c, []pawl.Field{pawl.FieldBlockedBy}) })
		}
	}
	if len(about) == 0 {
		return set.Changes
	}
	return about
}
