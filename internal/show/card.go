package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// Why says in a few words what keeps the task from being taken, or why its
// owner should stop, and is empty where nothing does.
//
//	waits for #7 Parse config (+2)
//	on hold: the key is missing
//	for ada
func Why(c *query.Card) string {
	switch c.State {
	case query.Damaged:
		return "damaged: " + text.Line(c.Task.Damage)
	case query.Held, query.Working:
		if c.Task.Hold != nil {
			return "on hold: " + text.Line(c.Task.Hold.Reason)
		}
	case query.Waiting:
		return cardWaits(c)
	case query.Taken:
		return "for " + text.Line(c.Task.Owner)
	}
	return ""
}

func cardWaits(c *query.Card) string {
	if len(c.WaitFor) == 0 {
		return ""
	}
	first := c.WaitFor[0]
	words := "waits for " + Name(&pawl.Task{ID: first.ID, Subject: first.Subject})
	if first.State == query.Missing {
		words += " (missing)"
	}
	if more := c.Waits - 1; more > 0 {
		words += fmt.Sprintf(" (+%d)", more)
	}
	return words
}

// Doing says what is being done: "Extracting JWT".
func Doing(c *query.Card) string {
	if c.State != query.Working {
		return ""
	}
	return text.Line(c.Task.ActiveForm)
}

// Who says who has the task and for how long, or how long ago it was done; of a
// claim that may end soon, how long ago its owner was seen; and how many notes
// there are.
//
//	ada, 3 min, 2 notes
//	ada, 14 min, seen 11 min ago, 4 min left
//	26 h ago
func Who(c *query.Card, f *query.Facts) string {
	t := &c.Task
	switch c.State {
	case query.Done:
		return strings.Join(StateWords(f, t), ", ")
	case query.Working:
		words := AtWork(f, t)
		if sign := t.Claim.LastSign(); !sign.IsZero() && f.Now.Sub(sign) > time.Duration(t.Claim.Lease/2) {
			words = append(words, seen(t.Claim, f.Now)...)
		}
		if c.Notes > 0 {
			words = append(words, text.Count(c.Notes, "note", "notes"))
		}
		return strings.Join(words, ", ")
	case query.Waiting, query.Held:
		if t.Owner != "" {
			return "for " + text.Line(t.Owner)
		}
	}
	return ""
}

// Priority names a task's priority; empty for medium, and for a task that is
// done.
func Priority(t *pawl.Task) string {
	if t.Priority == pawl.Medium || !t.Open() {
		return ""
	}
	return t.Priority.String()
}
