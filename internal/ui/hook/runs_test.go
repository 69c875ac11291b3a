package hook

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
)

func TestRuns(t *testing.T) {
	var m memory
	now := time.Unix(1, 0)
	call := func(tool, input, number string) *agent.Event {
		return &agent.Event{Tool: tool, Input: []byte(input), ToolUse: number}
	}
	begin := func(tool, input string) string {
		now = now.Add(1)
		return m.begins(call(tool, input, ""), now)
	}
	end := func(tool, input string) string { return m.ends(call(tool, input, "")) }

	a, b, a2 := begin("bash", `{"command":"a"}`), begin("bash", `{"command":"b"}`), begin("bash", `{"command":"a"}`)
	if a == b || a == a2 || b == a2 {
		t.Fatalf("three calls are %q, %q and %q", a, b, a2)
	}
	for _, c := range []struct{ tool, input, want string }{
		{"bash", `{"command":"b"}`, b},
		{"bash", `{"command":"b"}`, ""}, // it has ended
		{"view", `{"command":"a"}`, ""},
		{"bash", `{"command":"a"}`, a2},
		{"bash", `{"command":"a"}`, a},
	} {
		if got := end(c.tool, c.input); got != c.want {
			t.Errorf("the end of %s %s is that of %q, want %q", c.tool, c.input, got, c.want)
		}
	}
	if len(m.Runs) != 0 {
		t.Errorf("%v are still remembered", m.Runs)
	}

	if got := m.begins(call("bash", "{}", "call_1"), now); got != "call_1" || len(m.Runs) != 0 {
		t.Errorf("a call with a number is %q, and %d are remembered", got, len(m.Runs))
	}
	if got := m.ends(call("bash", "{}", "call_1")); got != "call_1" {
		t.Errorf("the end of a call with a number is that of %q", got)
	}
}

func TestRunsAreBounded(t *testing.T) {
	var m memory
	ids := make([]string, maxRuns+3)
	for i := range ids {
		ids[i] = m.begins(&agent.Event{Tool: "bash", Input: []byte(fmt.Sprint(i))}, time.Unix(int64(i), 0))
	}
	if len(m.Runs) != maxRuns {
		t.Errorf("%d are remembered, want %d", len(m.Runs), maxRuns)
	}
	for i, want := range ids {
		if i < 3 {
			want = ""
		}
		if got := m.ends(&agent.Event{Tool: "bash", Input: []byte(fmt.Sprint(i))}); got != want {
			t.Errorf("call %d ends as %q, want %q", i, got, want)
		}
	}
}
