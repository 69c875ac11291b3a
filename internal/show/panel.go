package show

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// PanelRows are the rows of a todo list as a panel shows them: of the current
// todo all that there is, of each other one its own.
func PanelRows(l *todo.List) []todo.Row {
	current := l.Current()
	return slices.DeleteFunc(todo.Outline(l), func(r todo.Row) bool { return r.Kind != todo.ItemRow && r.Item != current })
}

// A PanelWindow is the part of a panel's rows that there is room for.
type PanelWindow struct {
	Rows         []todo.Row
	Above, Below int  // how many are cut off
	Marked       bool // there is a row for each of these that is not zero
	Top          int  // the first row's position
}

// leastMarked is the height from which on a window has room for its marks: they
// must not push out the current todo, the one before it, or what runs.
const leastMarked = 5

// Follow makes a Window go with the current todo.
const Follow = -1

// Window chooses as many of a panel's rows as there is room for. With Follow the
// current todo is among them, or the one that comes next, and the one above it;
// where not all that was done for it has room, what runs comes first. Otherwise
// the window begins at the row top, as far as there are rows.
func Window(rows []todo.Row, height, top int) PanelWindow {
	n := len(rows)
	w := PanelWindow{Marked: height >= leastMarked}
	room := height // beside both marks
	if w.Marked {
		room -= 2
	}
	switch at := anchor(rows); {
	case n <= height:
		return PanelWindow{Rows: rows, Marked: w.Marked}
	case height <= 0:
		return PanelWindow{Below: n}
	case top >= 0:
		w.span(rows, min(top, n-room), room)
	case at < 0:
		w.span(rows, n-room, room)
	default:
		first, end := max(0, at-1), at+1
		for end < n && rows[end].Kind != todo.ItemRow {
			end++
		}
		if room == 1 {
			first = at
		}
		if spare := room - (end - first); spare >= 0 {
			w.span(rows, max(0, first-spare/2), room)
		} else {
			w.thin(rows, first, at, end, room)
		}
	}
	return w
}

// Scroll is where the window would begin so many rows further down.
func (w *PanelWindow) Scroll(rows int) int {
	if w.Marked && w.Top == 0 && rows > 0 {
		rows++ // the mark above comes in place of a row
	}
	return max(0, w.Top+rows)
}

// anchor is the row of the current todo, else of the first open one; -1: there
// is none.
func anchor(rows []todo.Row) int {
	open := -1
	for i, r := range rows {
		switch {
		case r.Kind != todo.ItemRow:
		case r.Status == todo.InProgress:
			return i
		case open < 0 && r.Status != todo.Completed:
			open = i
		}
	}
	return open
}

// span takes rows from one on. A mark that is not needed, or stands for a single
// row, gives its place to that row.
func (w *PanelWindow) span(rows []todo.Row, from, room int) {
	n, to := len(rows), from+room
	if w.Marked && from <= 1 {
		from, to = 0, room+1
	} else if w.Marked && to >= n-1 {
		from, to = n-room-1, n
	}
	from, to = max(0, min(from, n-room)), min(to, n)
	w.Rows, w.Top, w.Above, w.Below = rows[from:to], from, from, n-to
}

// thin takes the todo before, the current one, and of what belongs to that one
// what matters most.
func (w *PanelWindow) thin(rows []todo.Row, first, at, end, room int) {
	if w.Marked && first <= 1 {
		first, room = 0, room+1
	}
	details := make([]int, 0, end-at)
	for i := at + 1; i < end; i++ {
		details = append(details, i)
	}
	slices.SortStableFunc(details, func(a, b int) int {
		return cmp.Or(cmp.Compare(weight(&rows[b]), weight(&rows[a])), rows[b].StartedAt.Compare(rows[a].StartedAt))
	})
	details = details[:room-(at+1-first)]
	slices.Sort(details)
	w.Rows = slices.Clone(rows[first : at+1])
	for _, i := range details {
		w.Rows = append(w.Rows, rows[i])
	}
	w.Top, w.Above, w.Below = first, first, len(rows)-first-len(w.Rows)
}

// weight says how much a row below the current todo matters.
func weight(r *todo.Row) int {
	switch {
	case r.Kind == todo.CallRow && r.Outcome == todo.Running:
		return 5
	case r.Kind == todo.SubtaskRow && r.Status == todo.InProgress:
		return 4
	case r.Kind == todo.CallRow:
		return 3
	case r.Kind == todo.SubtaskRow && r.Status != todo.Completed:
		return 2
	case r.Kind == todo.SubtaskRow:
		return 1
	}
	return 0 // that there are earlier calls
}

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
		left := map[todo.Departure]string{todo.Cancelled: "cancelled by the agent", todo.Dropped: "left out by the agent"}[g.how]
		parts = append(parts, text.Count(g.n, "open todo was ", "open todos were ")+cmp.Or(left, "removed"))
	}
	return strings.Join(parts, ", ") + ", " + text.Ago(now, e.At) + "."
}
