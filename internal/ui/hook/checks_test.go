package hook

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// An agent that stops on a failed check is told which it is, from what this clone knows;
// a board without checks is not read again for it.
func TestStopOnFailedCheck(t *testing.T) {
	w := newWorld(t)
	asked := 0
	w.checks = func(_ context.Context, dir string, task *pawl.Task) ([]nudge.FailedCheck, error) {
		asked++
		if dir != w.dir || len(task.Checks) != 1 {
			t.Errorf("asked in %s of %+v", dir, task)
		}
		return []nudge.FailedCheck{{Task: task.ID, Check: task.Checks[0].Name, Tail: "--- FAIL: TestX\n"}}, nil
	}
	by := pawl.Actor{Name: "claude", Session: "s1"}
	do := func(ops ...pawl.Op) {
		t.Helper()
		must.Get(w.board.Do(t.Context(), pawl.Request{By: by, Op: pawl.All{Ops: ops}}))(t)
	}
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test"}}
	w.claude("SessionStart", map[string]any{"source": "startup"})
	do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "Parser"}, {Subject: "Printer", Checks: []pawl.Check{unit}}}}, pawl.ClaimTask{ID: 1})
	w.claude("UserPromptSubmit", map[string]any{"prompt": "Go on."})
	if text := w.claude("Stop", map[string]any{}); asked > 0 || strings.Contains(text, "check") {
		t.Errorf("asked %d times: %s", asked, text)
	}
	do(pawl.ClaimTask{ID: 2}, pawl.AddEvidence{ID: 2, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Tree: pawl.NoTree, Exit: 1}}})
	w.claude("UserPromptSubmit", map[string]any{"prompt": "Go on with the printer."})
	if text := w.claude("Stop", map[string]any{}); asked != 1 || !strings.Contains(text, `The check unit of #2 failed when it last ran; it printed at its end:\n| --- FAIL: TestX\n`) {
		t.Errorf("asked %d times: %s", asked, text)
	}
	if text := w.claude("SessionStart", map[string]any{"source": "compact"}); !strings.Contains(text, "#2 Printer (failed: unit)") {
		t.Errorf("after a compaction: %s", text)
	}
}

// An agent that stops with all todos completed and a check that has not passed is told to
// run it. A list without a check, or a stop with nothing completed, asks for nothing.
func TestStopBeforeTheListsCheck(t *testing.T) {
	w := newWorld(t)
	asked := 0
	w.check = func(_ context.Context, dir string, l *todo.List) (nudge.ListCheck, error) {
		if asked++; dir != w.dir || l.Check == nil || l.Session != "s1" {
			t.Errorf("asked in %s of %+v", dir, l)
		}
		return nudge.ListCheck{Runs: true, Tail: "--- FAIL: TestX\n"}, nil
	}
	key := todo.Key{Session: "s1"}
	write := func(id string, entries ...string) {
		w.claude("PostToolUse", obj{"tool_name": "TodoWrite", "tool_use_id": id, "tool_input": list(entries...), "tool_response": obj{}})
	}
	w.claude("UserPromptSubmit", obj{"prompt": "Write the parser."})
	write("t1", "Parse completed")
	if text := w.claude("Stop", obj{}); text != "" || asked > 0 {
		t.Errorf("without a check: %s", text)
	}
	tests := pawl.Check{Name: "tests", Run: []string{"go", "test"}}
	must.Get(w.todos.SetCheck(t.Context(), key, todo.Editing{}, &tests, nil))(t)
	w.claude("UserPromptSubmit", obj{"prompt": "Write the printer."})
	write("t2", "Print completed", "Test completed")
	w.has("", "Print[completed] Test[completed]")
	if text := w.claude("Stop", obj{}); asked != 1 || !strings.Contains(text, `their check tests has passed: run pawl check --todos --session s1\n`) {
		t.Errorf("asked %d times: %s", asked, text)
	}
	seen, err := w.todos.Read(t.Context(), key)
	if err == nil {
		_, err = w.todos.CheckRan(t.Context(), key, todo.Editing{}, &seen, todo.Checked{Sum: tests.Sum(), Exit: 1, At: w.now})
	}
	must.Do(t, err)
	w.now = w.now.Add(time.Minute)
	if text := w.claude("Stop", obj{}); !strings.Contains(text, `The check tests of your todo list failed when it last ran; it printed at its end:\n| --- FAIL: TestX\n`) {
		t.Errorf("after a failure: %s", text)
	}
	if _, err = w.todos.CheckRan(t.Context(), key, todo.Editing{}, &seen, todo.Checked{Sum: tests.Sum(), Passed: true, At: w.now}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Minute)
	if text := w.claude("Stop", obj{}); text != "" {
		t.Errorf("after it passed: %s", text)
	}
}
