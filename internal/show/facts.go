package show

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// ClockOf is the clock of the facts' reader.
func ClockOf(f *query.Facts) Clock { return Clock{f.Now, f.Zone} }

// Remark says in a few words what matters about a task in its state: who is at
// it and for how long, what it waits for, what waits for it.
func Remark(f *query.Facts, t *pawl.Task) string {
	words := append(StateWords(f, t), text.Some(Unblocks(f, t.ID))...)
	return strings.Join(append(words, WaitWords(t, t.BlockedBy)...), ", ")
}

// Unblocks says how many tasks wait for a ready one: "unblocks 5".
func Unblocks(f *query.Facts, id pawl.ID) string {
	switch n := f.Unblocks[id]; {
	case n > query.MostUnblocked:
		return fmt.Sprintf("unblocks %d+", query.MostUnblocked)
	case n > 0:
		return fmt.Sprintf("unblocks %d", n)
	}
	return ""
}

// StateWords says what there is to say about the state alone.
func StateWords(f *query.Facts, t *pawl.Task) []string {
	words := text.Some(OtherBranch(t))
	switch query.StateOf(t, f.Name) {
	case query.Damaged:
		return []string{"damaged: " + text.Line(t.Damage)}
	case query.Done:
		if t.CompletedAt.IsZero() {
			return words
		}
		return append(words, text.Ago(f.Now, t.CompletedAt))
	case query.Working:
		words = append(words, AtWork(f, t)...)
	}
	if t.Hold != nil {
		words = append(words, "on hold: "+text.Line(t.Hold.Reason))
	}
	return words
}

// AtWork says who is at a task and for how long, on a shared board also where, and
// that other clones do not know it.
func AtWork(f *query.Facts, t *pawl.Task) []string {
	words := text.Some(Owner(t, f.Shared))
	if isHereOnly(t.ID, f.Shared) {
		words = append(words, hereOnly)
	}
	if !t.StartedAt.IsZero() {
		words = append(words, text.Age(f.Now.Sub(t.StartedAt)))
	}
	return words
}

// WaitWords says what keeps a task from being taken by anybody: blockers, children,
// an owner.
func WaitWords(t *pawl.Task, blockers []pawl.ID) []string {
	if !t.Open() || t.Damage != "" {
		return nil
	}
	var words []string
	if len(blockers) > 0 {
		words = append(words, "waits for "+FewIDs(blockers))
	}
	if len(t.Children) > 0 {
		words = append(words, fmt.Sprintf("%d/%d done", len(t.Children)-t.OpenChildren, len(t.Children)))
	}
	if t.Status == pawl.Pending && t.Owner != "" {
		words = append(words, "for "+text.Line(t.Owner))
	}
	return words
}

// FewIDs names the first three and counts the others.
func FewIDs(ids []pawl.ID) string {
	const most = 3
	if len(ids) <= most+1 {
		return IDs(ids)
	}
	return fmt.Sprintf("%s and %d more", IDs(ids[:most]), len(ids)-most)
}
