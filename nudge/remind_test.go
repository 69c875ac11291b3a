package nudge

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/prose"
	"github.com/pawl-dev/pawl/todo"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A suggestion names the steps that were seen, some of them, as data.
func TestSuggestionNamesSteps(t *testing.T) {
	f := Facts{Tools: Tools{Write: "todo_write"}}
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{nil, ""},
		{[]string{"only one"}, ""},
		{[]string{"a", "b\n2. forged"}, "As far as can be seen:\n1. a\n2. b\\n2. forged"},
		{[]string{"a", "b", "c", "d", "e"}, "As far as can be seen:\n1. a\n2. b\n3. c\n4. d\n5. e"},
		{[]string{"a", "b", "c", "d", "e", "f", "<g>"}, "As far as can be seen:\n1. a\n2. b\n3. c\n4. d\n5. e\n… and 2 more"},
	} {
		var s State
		got, ours := strings.CutSuffix(s.suggestion(prose.Analysis{Score: 1, Steps: c.steps}, f, Defaults, noon), "\n(From Pawl. The user switches this off with: pawl config set reminders off --user)")
		if !ours {
			t.Errorf("%q does not say where it comes from: %s", c.steps, got)
		}
		if !strings.Contains(got, "todo_write") || !strings.HasSuffix(got, c.want) || c.want == "" && strings.Contains(got, "\n") {
			t.Errorf("%q: %s", c.steps, got)
		}
	}
}

// After so many complex prompts in a row without a list the words are stronger,
// and begin with what to do.
func TestEscalation(t *testing.T) {
	f := Facts{Tools: Tools{Write: "mcp__pawl__todo_write"}}
	set := Defaults
	set.Cooldown = 0
	var s State
	play := func(score float64) string { return s.suggestion(prose.Analysis{Score: score}, f, set, noon) }
	const strong = "Use mcp__pawl__todo_write now"
	for i, c := range []struct {
		score float64
		said  bool
		now   bool
	}{
		{0.6, true, false}, {0.9, true, false}, {0.59, false, false}, // the row ends
		{1, true, false}, {1, true, false}, {1, true, true}, {1, true, true},
	} {
		got := play(c.score)
		if (got != "") != c.said || strings.HasPrefix(got, strong) != c.now {
			t.Errorf("prompt %d: %q", i+1, got)
		}
	}
	f.List.Items = []todo.Item{{Content: "Fix it", Status: todo.Completed}}
	if got := play(1); got != "" || s.Complex != 0 {
		t.Errorf("with a list: %q", got)
	}
}

// Prompts that go on with "then" are one piece of work told bit by bit.
func TestOrderedPromptsAreOneWork(t *testing.T) {
	f := Facts{Tools: Tools{Write: "todo_write"}}
	var s State
	for i, c := range []struct {
		ordered, said bool
	}{{true, false}, {false, false}, {true, false}, {true, true}} {
		if got := s.suggestion(prose.Analysis{Score: 0.1, Ordered: c.ordered}, f, Defaults, noon); (got != "") != c.said {
			t.Errorf("prompt %d: %q", i+1, got)
		}
	}
}

// The pause between two suggestions, and a clock that somebody set back.
func TestCooldown(t *testing.T) {
	f := Facts{Tools: Tools{Write: "todo_write"}}
	for _, c := range []struct {
		gone time.Duration
		said bool
	}{{0, false}, {5*time.Minute - 1, false}, {5 * time.Minute, true}, {-time.Hour, true}} {
		var s State
		s.suggestion(prose.Analysis{Score: 1}, f, Defaults, noon)
		if got := s.suggestion(prose.Analysis{Score: 1}, f, Defaults, noon.Add(c.gone)); (got != "") != c.said {
			t.Errorf("after %v: %q", c.gone, got)
		}
	}
}
