package show

import (
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// A PanelEnd is how a todo list came to have nothing in it.
type PanelEnd struct {
	At   time.Time   // zero: there never was anything in it
	Done []todo.Item // what was completed, and left it with the rest
	left []gone
}

// gone are open todos that left a list.
type gone struct {
	how todo.Departure
	n   int
}

// EndOf tells how a list without todos came to be so, by the last that left it.
func EndOf(l *todo.List) (e PanelEnd) {
	if len(l.Items) > 0 || len(l.Past) == 0 {
		return e
	}
	e.At = l.Past[len(l.Past)-1].At
	for i := range l.Past {
		p := &l.Past[i]
		switch n := len(e.left); {
		case !p.At.Equal(e.At):
		case !p.Item.Open():
			e.Done = append(e.Done, p.Item)
		case n > 0 && e.left[n-1].how == p.How:
			e.left[n-1].n++
		default:
			e.left = append(e.left, gone{p.How, 1})
		}
	}
	return e
}

// Told is the end in a sentence, at now.
func (e *PanelEnd) Told(now time.Time) string {
	if len(e.left) == 0 {
		return "All done, " + text.Ago(now, e.At) + "."
	}
	var parts []string
	for _, g := range e.left {
		open := text.Count(g.n, "open todo was ", "open todos were ")
		switch g.how {
		case todo.Cancelled:
			open += "cancelled by the agent"
		case todo.Dropped:
			open += "left out by the agent"
		default:
			open += "removed"
		}
		parts = append(parts, open)
	}
	return strings.Join(parts, ", ") + ", " + text.Ago(now, e.At) + "."
}
