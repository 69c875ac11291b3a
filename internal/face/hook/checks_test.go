package hook

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
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
		if _, err := w.board.Do(t.Context(), pawl.Request{By: by, Op: pawl.All{Ops: ops}}); err != nil {
			t.Fatal(err)
		}
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
