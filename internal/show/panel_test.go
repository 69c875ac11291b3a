package show

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// panelList is a list of n todos, the one at current in progress, with subtasks
// and calls; the last but one still runs.
func panelList(n, current, subtasks, calls int) *todo.List {
	var l todo.List
	for i := range n {
		it := todo.Item{Content: fmt.Sprint("todo ", i), Status: todo.Pending}
		switch {
		case i < current:
			it.Status = todo.Completed
		case i == current:
			it.Status = todo.InProgress
		}
		for s := range subtasks {
			it.Subtasks = append(it.Subtasks, todo.Subtask{Content: fmt.Sprint("part ", s), Status: todo.Pending})
		}
		for c := range calls {
			call := todo.ToolCall{Name: fmt.Sprint("tool ", c), StartedAt: noon.Add(time.Duration(c) * time.Second), Outcome: todo.Succeeded}
			if c == max(0, calls-2) {
				call.Outcome = todo.Running
			}
			it.ToolCalls = append(it.ToolCalls, call)
		}
		l.Items = append(l.Items, it)
	}
	return &l
}

// Whatever the list and the height: no row too many, none lost
// without a count, in order, and the current todo with the one before it.
func TestWindow(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 8, 13, 40, 200} {
		for _, current := range []int{-1, 0, 1, 2, n / 2, n - 2, n - 1, n} {
			for _, shape := range [][2]int{{0, 0}, {1, 1}, {3, 7}, {100, 50}} {
				l := panelList(n, current, shape[0], shape[1])
				rows := PanelRows(l)
				for height := range 61 {
					for _, top := range []int{Follow, 0, 1, 2, n / 2, n} {
						checkWindow(t, rows, height, top)
						if t.Failed() {
							t.Fatalf("%d todos, current %d, subtasks and calls %v, height %d, top %d", n, current, shape, height, top)
						}
					}
				}
			}
		}
	}
}

func checkWindow(t *testing.T, rows []todo.Row, height, top int) {
	w := Window(rows, height, top)
	used := len(w.Rows)
	if w.Marked {
		for _, n := range []int{w.Above, w.Below} {
			if n > 0 {
				used++
			}
		}
	}
	if used > height || used < min(height, len(rows)) {
		t.Errorf("%d rows are used", used)
	}
	if w.Above < 0 || w.Below < 0 || w.Above+len(w.Rows)+w.Below != len(rows) {
		t.Errorf("%d above, %d shown, %d below of %d", w.Above, len(w.Rows), w.Below, len(rows))
	}
	at := 0
	for _, r := range w.Rows {
		for at < len(rows) && rows[at] != r {
			at++
		}
		if at++; at > len(rows) {
			t.Errorf("row %+v is out of order", r)
		}
	}
	if len(w.Rows) > 0 && rows[w.Top] != w.Rows[0] {
		t.Errorf("it begins with %+v, not with row %d", w.Rows[0], w.Top)
	}
	if top != Follow || height == 0 {
		return
	}
	at = anchor(rows)
	if at >= 0 && !slices.Contains(w.Rows, rows[at]) {
		t.Error("the current todo is not there")
	}
	if at > 0 && height > 1 && !slices.Contains(w.Rows, rows[at-1]) {
		t.Error("the one before it is not there")
	}
	for _, r := range rows {
		if r.Outcome == todo.Running && height > 2 && !slices.Contains(w.Rows, r) {
			t.Error("the call that runs is not there")
		}
	}
}

// spell draws a window as simply as can be.
func spell(w PanelWindow) string {
	var b strings.Builder
	if w.Above > 0 {
		fmt.Fprintf(&b, "^%d ", w.Above)
	}
	for _, r := range w.Rows {
		b.WriteString(strings.ReplaceAll(strings.TrimSuffix(r.Text, "()"), " ", "") + " ")
	}
	if w.Below > 0 {
		fmt.Fprintf(&b, "v%d", w.Below)
	}
	return strings.TrimSpace(b.String())
}

func TestWindowPlaces(t *testing.T) {
	for _, c := range []struct {
		n, current, subtasks, calls int
		height, top                 int
		want                        string
	}{
		{3, 1, 0, 0, 3, Follow, "todo0 todo1 todo2"},
		{9, 0, 0, 0, 5, Follow, "todo0 todo1 todo2 todo3 v5"},
		{9, 2, 0, 0, 5, Follow, "todo0 todo1 todo2 todo3 v5"},
		{9, 4, 0, 0, 5, Follow, "^3 todo3 todo4 todo5 v3"},
		{9, 8, 0, 0, 5, Follow, "^5 todo5 todo6 todo7 todo8"},
		{9, 4, 0, 0, 1, Follow, "^4 todo4 v4"},
		{9, 4, 0, 0, 2, Follow, "^3 todo3 todo4 v4"},
		{9, 4, 2, 2, 9, Follow, "^3 todo3 todo4 part0 part1 tool0 tool1 todo5 v3"},
		{9, 4, 2, 2, 6, Follow, "^3 todo3 todo4 tool0 tool1 v6"},
		{9, 4, 2, 2, 4, Follow, "^3 todo3 todo4 tool0 tool1 v6"},
		{9, 4, 2, 2, 3, Follow, "^3 todo3 todo4 tool0 v7"},
		{9, 9, 0, 0, 5, Follow, "^5 todo5 todo6 todo7 todo8"},
		{9, -1, 0, 0, 5, Follow, "todo0 todo1 todo2 todo3 v5"},
		{9, 4, 0, 0, 5, 2, "^2 todo2 todo3 todo4 v4"},
		{9, 4, 0, 0, 5, 99, "^5 todo5 todo6 todo7 todo8"},
		{9, 4, 0, 0, 3, 99, "^6 todo6 todo7 todo8"},
	} {
		if got := spell(Window(PanelRows(panelList(c.n, c.current, c.subtasks, c.calls)), c.height, c.top)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

// Scrolling gets to each row, and back.
func TestScroll(t *testing.T) {
	rows := PanelRows(panelList(30, 10, 3, 3))
	for height := 1; height <= 40; height++ {
		for _, by := range []int{1, -1} {
			w := Window(rows, height, Follow)
			for range len(rows) {
				w = Window(rows, height, w.Scroll(by))
			}
			if by > 0 && w.Below > 0 || by < 0 && w.Above > 0 {
				t.Errorf("height %d, by %d: it ends %s", height, by, spell(w))
			}
		}
	}
}
