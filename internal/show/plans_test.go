package show

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// planOf is a plan of so many completed and so many open todos.
func planOf(done, open int) Plan {
	p := Plan{Key: todo.Key{Session: "s", Agent: "helper"}, At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	for n := range done + open {
		item := todo.Item{Content: fmt.Sprint("t", n+1), Status: todo.Completed}
		if n >= done {
			item.Status = todo.Pending
		}
		p.Items = append(p.Items, item)
	}
	return p
}

// What is shown of a long plan begins with what was done last, and its lines
// count the rest.
func TestPlanLines(t *testing.T) {
	for _, c := range []struct {
		done, open, most int
		finished         bool
		want             string
	}{
		{1, 2, 5, false, "1 of 3 done, changed 5 min ago|[x] t1|[ ] t2|[ ] t3"},
		{4, 8, 3, false, "4 of 12 done, changed 5 min ago|[x] t4|[ ] t5|[ ] t6|and 9 more"},
		{9, 1, 3, false, "9 of 10 done, changed 5 min ago|[x] t8|[x] t9|[ ] t10|and 7 more"},
		{0, 9, 2, false, "0 of 9 done, changed 5 min ago|[ ] t1|[ ] t2|and 7 more"},
		{4, 0, 3, true, "4 todos, all done 5 min ago|[x] t1|[x] t2|[x] t3|and 1 more"},
		{1, 0, 3, true, "1 todo, all done 5 min ago|[x] t1"},
	} {
		p := planOf(c.done, c.open)
		p.Finished = c.finished
		got := strings.ReplaceAll(strings.Join(p.Lines(c.most, p.At.Add(5*time.Minute)), "|"), "|  ", "|")
		if want := "session s/helper: " + c.want; got != want {
			t.Errorf("%d done and %d open: %s, want %s", c.done, c.open, got, want)
		}
	}
}

// What an agent wrote does nothing on a terminal.
func TestPlanLinesAreSafe(t *testing.T) {
	p := planOf(0, 2)
	p.Session, p.Items[0].Content = "\x1b[2Js", "red\x1b[31m\nline"
	p.Items[1].Status, p.Items[1].ActiveForm = todo.InProgress, "\x07beeping"
	if text := strings.Join(p.Lines(5, p.At), "\n"); strings.ContainsAny(text, "\x1b\x07") || strings.Count(text, "\n") != 2 {
		t.Errorf("%q", text)
	}
}
