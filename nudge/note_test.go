package nudge

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// Claude Code shows its person the whole note: a line for each todo, and three
// around them.
func TestNoteLines(t *testing.T) {
	list := todo.List{Items: []todo.Item{{Content: "Read", Status: todo.InProgress}, {Content: "Write", Status: todo.Pending}, {Content: "Fix", Status: todo.Pending}}}
	for level := range 3 {
		s := State{Level: level}
		_, d := Decide(s, Event{Kind: Stop}, Facts{List: list}, Defaults, time.Unix(1, 0))
		lines := strings.Split(d.Continue, "\n")
		if level < 2 && (len(lines) != 6 || strings.Contains(d.Continue, "\n\n")) {
			t.Errorf("a note of %d lines:\n%s", len(lines), d.Continue)
		}
	}
}
