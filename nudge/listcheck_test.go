package nudge

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

var checkNow = time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)

// completedList is a list whose todos are completed, and what is known of its check.
func completedList(runs bool) Facts {
	return Facts{
		List:  todo.List{Items: []todo.Item{{ID: "1", Content: "Write it", Status: todo.Completed}}, Check: &pawl.Check{Name: "tests", Run: []string{"go", "test"}}},
		Check: ListCheck{Runs: runs, How: "pawl check --todos"},
	}
}

// An agent whose todos are completed is told once to run their check; once more after each
// run that failed, with what it printed; and its user is told when it does neither.
func TestStopBeforeTheCheck(t *testing.T) {
	f := completedList(true)
	s, d := Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow)
	for _, want := range []string{
		"Continue working on this task: the check tests of your todo list\n",
		"- All todos are completed, and count as done when their check tests has passed: run pawl check --todos\n",
	} {
		if !strings.Contains(d.Continue, want) {
			t.Errorf("told:\n%s", d.Continue)
		}
	}
	if strings.Contains(d.Continue, "Mark each todo") || !strings.Contains(d.Show, "the check of the todo list left") {
		t.Errorf("told:\n%s\n%s", d.Continue, d.Show)
	}
	again := func(s State) State {
		t.Helper()
		s, _ = Decide(s, Event{Kind: CallEnds}, f, Defaults, checkNow) // it works
		s, d := Decide(s, Event{Kind: Stop}, f, Defaults, checkNow)
		if d.Continue != "" || !strings.Contains(d.Show, "is not asked again") {
			t.Errorf("told again:\n%s\n%s", d.Continue, d.Show)
		}
		s, d = Decide(s, Event{Kind: Stop}, f, Defaults, checkNow)
		if d != (Decision{}) {
			t.Errorf("told again: %+v", d)
		}
		return s
	}
	s = again(s)
	for i := range 2 {
		f.List.Checked = &todo.Checked{Sum: f.List.Check.Sum(), Exit: 1, At: checkNow.Add(time.Duration(i) * time.Minute)}
		f.Check.Tail = "ok\n--- FAIL: TestX\n"
		s, d = Decide(s, Event{Kind: Stop}, f, Defaults, checkNow)
		if !strings.Contains(d.Continue, "The check tests of your todo list failed when it last ran; it printed at its end:\n| ok\n| --- FAIL: TestX\n") || !strings.Contains(d.Continue, "run pawl check --todos\n") {
			t.Errorf("told:\n%s", d.Continue)
		}
		s = again(s)
	}
	// The cap of one prompt holds for it too.
	for i := range 2 * Defaults.PerPrompt {
		f.List.Checked = &todo.Checked{Sum: f.List.Check.Sum(), Exit: 1, At: checkNow.Add(time.Duration(i) * time.Hour)}
		s, d = Decide(s, Event{Kind: Stop}, f, Defaults, checkNow)
	}
	if s.Notes != Defaults.PerPrompt || d.Continue != "" {
		t.Errorf("%d notes", s.Notes)
	}
}

// Where nobody trusts the check the agent can do nothing: its user is told, once.
func TestStopBeforeTrust(t *testing.T) {
	f := completedList(false)
	s, d := Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow)
	if d.Continue != "" || d.Show != "Pawl: all todos are completed, and nobody here has trusted their check tests: pawl trust checks" {
		t.Errorf("%+v", d)
	}
	s, d = Decide(s, Event{Kind: Stop}, f, Defaults, checkNow)
	if d != (Decision{}) {
		t.Errorf("%+v", d)
	}
	f.Check.Runs = true
	if _, d = Decide(s, Event{Kind: Stop}, f, Defaults, checkNow); !strings.Contains(d.Continue, "run pawl check --todos") {
		t.Errorf("with trust: %+v", d)
	}
	f.List.Check, f.List.BadCheck = nil, []byte(`{}`)
	if _, d = Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow); d.Continue != "" || !strings.Contains(d.Show, "cannot be read") {
		t.Errorf("%+v", d)
	}
	// Not while the agent has paused, nor without a check.
	f.List.Pause = &todo.Pause{Reason: "x"}
	if _, d = Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow); d.Continue != "" || !strings.Contains(d.Show, "paused until your next prompt: x (") {
		t.Errorf("%+v", d)
	}
	f.List.Pause, f.List.BadCheck = nil, nil
	if _, d = Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow); d != (Decision{}) {
		t.Errorf("%+v", d)
	}
}

// While todos are open the agent goes on with them, and hears of a check that failed. What
// a summary of the conversation may have lost, it gets back.
func TestCheckBesideOpenTodos(t *testing.T) {
	f := completedList(true)
	f.List.Items = append(f.List.Items, todo.Item{ID: "2", Content: "Document it", Status: todo.Pending})
	_, d := Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow)
	if !strings.Contains(d.Continue, "Continue working on this task: Document it\n") || strings.Contains(d.Continue, "tests") {
		t.Errorf("told:\n%s", d.Continue)
	}
	f.List.Checked = &todo.Checked{Sum: f.List.Check.Sum(), Exit: 1, At: checkNow}
	_, d = Decide(State{}, Event{Kind: Stop}, f, Defaults, checkNow)
	if !strings.Contains(d.Continue, "The check tests of your todo list failed when it last ran.\n") {
		t.Errorf("told:\n%s", d.Continue)
	}
	_, d = Decide(State{}, Event{Kind: Start, Source: Compact}, f, Defaults, checkNow)
	if !strings.Contains(d.Tell, "- Document it\nThe list is done when all todos are completed and its check tests has passed, which failed when it last ran: pawl check --todos\n") {
		t.Errorf("told:\n%s", d.Tell)
	}
	f = completedList(false)
	_, d = Decide(State{}, Event{Kind: Start, Source: Compact}, f, Defaults, checkNow)
	if !strings.Contains(d.Tell, "its check tests has passed; a person has to trust it first: pawl trust checks\n") {
		t.Errorf("told:\n%s", d.Tell)
	}
}
