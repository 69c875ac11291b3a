package show

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// Only what left a list at last tells how it ended, and nothing that was left
// open is called done.
func TestEndOf(t *testing.T) {
	gone := func(how todo.Departure, status todo.Status, age time.Duration) todo.Past {
		return todo.Past{Item: todo.Item{Content: "x", Status: status}, How: how, At: noon.Add(-age)}
	}
	early := gone(todo.Finished, todo.Completed, time.Hour)
	for _, c := range []struct {
		past []todo.Past
		done int
		told string
	}{
		{[]todo.Past{early, gone(todo.Finished, todo.Completed, 0), gone(todo.Finished, todo.Completed, 0)}, 2, "All done, just now."},
		{[]todo.Past{early}, 1, "All done, 1 h ago."},
		{[]todo.Past{early, gone(todo.Cleared, todo.Pending, time.Minute)}, 0, "1 open todo was removed, 1 min ago."},
		{[]todo.Past{gone(todo.Cleared, todo.Completed, 0), gone(todo.Cleared, todo.Pending, 0), gone(todo.Cleared, todo.InProgress, 0)}, 1, "2 open todos were removed, just now."},
		{[]todo.Past{gone(todo.Cancelled, todo.Pending, 0), gone(todo.Finished, todo.Completed, 0), gone(todo.Dropped, todo.Pending, 0)}, 1,
			"1 open todo was cancelled by the agent, 1 open todo was left out by the agent, just now."},
	} {
		end := EndOf(&todo.List{Past: c.past})
		if len(end.Done) != c.done || end.Told(noon) != c.told {
			t.Errorf("%d done, %s", len(end.Done), end.Told(noon))
		}
	}
	for _, l := range []todo.List{{}, {Items: []todo.Item{{}}, Past: []todo.Past{early}}} {
		if end := EndOf(&l); !end.At.IsZero() || len(end.Done) > 0 {
			t.Errorf("it ended at %v", end.At)
		}
	}
}
