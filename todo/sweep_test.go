package todo_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// TestSweep: lists go when nobody came back to them, open ones later.
func TestSweep(t *testing.T) {
	const day = 24 * time.Hour
	now := noon
	todos := todo.New(todomem.New(), func() time.Time { return now })
	for session, list := range map[string]string{
		"open": `[{"content": "a", "status": "pending"}]`,
		"done": `[{"content": "a", "status": "completed"}]`,
	} {
		draft, err := todo.Decode([]byte(list), false)
		must.Do(t, err)
		must.Do(t, errOf(todos.Write(t.Context(), todo.Key{Session: session}, draft, todo.Writing{})))
	}
	for _, step := range []struct {
		after, keep time.Duration
		left        int
	}{
		{29 * day, 30 * day, 2}, {31 * day, 30 * day, 1}, {89 * day, 30 * day, 1},
		{91 * day, 120 * day, 1}, // all are kept longer
		{91 * day, 30 * day, 0},
	} {
		now = noon.Add(step.after)
		must.Do(t, errOf(todos.Sweep(t.Context(), step.keep)))
		if heads, err := todos.Sessions(t.Context(), ""); err != nil || len(heads) != step.left {
			t.Errorf("after %s: %d lists are left, want %d: %v", step.after, len(heads), step.left, err)
		}
	}
}
