package show

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// mostOther is how many characters of a subject of another branch a line has room for.
const mostOther = 120

// OtherBranch says which tasks of another branch have a task's number, until a merge
// gives them numbers of their own; empty: none has.
//
//	#12 of the other branch: Retry hooks
func OtherBranch(t *pawl.Task) string {
	switch n := len(t.Merging); {
	case n > 1:
		return fmt.Sprintf("%s (+%d)", otherBranch(t, &t.Merging[0]), n-1)
	case n == 1:
		return otherBranch(t, &t.Merging[0])
	case t.Conflicted:
		return "git's conflict lines are in its file"
	}
	return ""
}

func otherBranch(t, other *pawl.Task) string {
	return fmt.Sprintf("%v of the other branch: %s", t.ID, text.Line(text.Clip(other.Subject, mostOther)))
}

// Others are the tasks of another branch one by one, with where each stands.
func Others(t *pawl.Task) []string {
	if len(t.Merging) == 0 && t.Conflicted {
		return []string{OtherBranch(t)}
	}
	var all []string
	for i := range t.Merging[:min(len(t.Merging), mostRelated)] {
		other := &t.Merging[i]
		words := []string{StatusWords(other.Status)}
		if other.Owner != "" {
			words = append(words, text.Line(text.Clip(other.Owner, mostOther)))
		}
		all = append(all, fmt.Sprintf("%s (%s)", otherBranch(t, other), strings.Join(words, ", ")))
	}
	return all
}

// was says which numbers a task had: "#12 until it was merged".
func was(t *pawl.Task) string {
	var numbers []string
	for _, id := range t.Was {
		numbers = append(numbers, id.String())
	}
	if len(numbers) == 0 {
		return ""
	}
	return strings.Join(numbers, ", then ") + " until it was merged"
}

// Once says which other tasks had a task's number: "#15 Retry hooks was #12 until it was merged".
func Once(d *query.Detail) []string {
	var all []string
	for i := range d.Once {
		all = append(all, fmt.Sprintf("%s was %v until it was merged", Name(&d.Once[i]), d.Task.ID))
	}
	return all
}
