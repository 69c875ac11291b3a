package todo

import (
	"fmt"
	"slices"
	"strings"
)

// A Diff is the difference between two lists, by the identity of their todos.
type Diff struct {
	Added   []Item   `json:"added,omitempty"`   // without their tool calls
	Removed []Item   `json:"removed,omitempty"` // as they were, without their tool calls
	Changed []Change `json:"changed,omitempty"`
}

// A Change is what a diff says of a todo that both lists have.
type Change struct {
	ID      string   `json:"id"`
	Content string   `json:"content"`        // as it is now
	Fields  []string `json:"fields"`         // which of them changed
	From    Status   `json:"from,omitempty"` // when the status changed
	To      Status   `json:"to,omitempty"`
}

// String counts what is different: "2 added, 1 completed". It is empty when
// nothing is, but for the order.
func (d Diff) String() string {
	var started, completed, reopened, stopped, changed int
	for _, c := range d.Changed {
		switch {
		case c.From == c.To:
			changed++
		case c.To == Completed:
			completed++
		case c.From == Completed:
			reopened++
		case c.To == InProgress:
			started++
		default:
			stopped++
		}
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{len(d.Added), "added"},
		{started, "started"},
		{stopped, "set back"},
		{completed, "completed"},
		{reopened, "reopened"},
		{changed, "changed"},
		{len(d.Removed), "removed"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// what describes a write, for a sentence.
func (d Diff) what() string {
	if s := d.String(); s != "" {
		return "wrote the list (" + s + ")"
	}
	return "changed the order"
}

func diffOf(rows []row) Diff {
	var d Diff
	for i := range rows {
		switch r := &rows[i]; {
		case r.leave != "" && r.listed:
			d.Removed = append(d.Removed, r.was.withoutCalls())
		case r.leave != "":
		case !r.listed:
			d.Added = append(d.Added, r.withoutCalls())
		default:
			if change, ok := changeOf(r.was, &r.Item, r.said); ok {
				d.Changed = append(d.Changed, change)
			}
		}
	}
	return d
}

// withoutCalls returns a copy without what was done for the todo.
func (i Item) withoutCalls() Item {
	i.ToolCalls = nil
	i.Subtasks = slices.Clone(i.Subtasks)
	for s := range i.Subtasks {
		i.Subtasks[s].ToolCalls = nil
	}
	return i
}

// changeOf compares a todo with its earlier state. An id that nobody gave does
// not count.
func changeOf(was, is *Item, said bool) (Change, bool) {
	c := Change{ID: is.ID, Content: is.Content}
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{"id", said && was.ID != is.ID},
		{"content", was.Content != is.Content},
		{"status", was.Status != is.Status},
		{"priority", was.Priority != is.Priority},
		{"activeForm", was.ActiveForm != is.ActiveForm && (was.ActiveForm != was.Content || is.ActiveForm != is.Content)},
		{"blocked", was.Blocked != is.Blocked},
		{"subtasks", !slices.EqualFunc(was.Subtasks, is.Subtasks, sameSubtask)},
	} {
		if field.changed {
			c.Fields = append(c.Fields, field.name)
		}
	}
	if was.Status != is.Status {
		c.From, c.To = was.Status, is.Status
	}
	return c, len(c.Fields) > 0
}

// sameSubtask reports whether a subtask says the same, whatever was done for it,
// and whatever its number.
func sameSubtask(a, b Subtask) bool {
	return a.Content == b.Content && a.Status == b.Status
}
