package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// hook tells Pawl of an event as Claude Code does. fields are JSON and go on
// behind the session.
func (h home) hook(t *testing.T, session, event, fields string) {
	t.Helper()
	cmd := h.pawl(t, nil, "hook", "--agent", "claude")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"cwd":%q,"permission_mode":"default","hook_event_name":%q%s}`,
		session, filepath.Join(h.dir, "project"), event, fields))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", event, err, out)
	}
}

// What an agent plans is on the board, without a task and beside tasks, as it
// changes, and once all of it is done.
func TestBoardShowsWhatSessionsPlan(t *testing.T) {
	h := newHome(t)
	s := h.show(t, 100, 30, "board")
	s.sees("Nothing here yet: press a to add the first task")
	create := func(id, subject string) {
		t.Helper()
		h.hook(t, "s1", "PostToolUse", fmt.Sprintf(`,"tool_name":"TaskCreate","tool_use_id":"c%[1]s","tool_input":{"subject":%[2]q},"tool_response":{"task":{"id":%[1]q,"subject":%[2]q}}`, id, subject))
	}
	set := func(id, status string) {
		t.Helper()
		h.hook(t, "s1", "PostToolUse", fmt.Sprintf(`,"tool_name":"TaskUpdate","tool_use_id":"u%[1]s%[2]s","tool_input":{"taskId":%[1]q,"status":%[2]q},"tool_response":{"success":true,"taskId":%[1]q}`, id, status))
	}
	create("1", "Read the ledger")
	create("2", "Add tests")
	set("1", "in_progress")
	s.sees("session s1: 0 of 2 done", "→ Read the ledger", "○ Add tests", "press a to add the first one")

	h.run(t, "add", "Ship the release")
	s.sees("Ready 1", "session s1: → Read the ledger  0 of 2 done")
	set("1", "completed")
	set("2", "in_progress")
	s.sees("session s1: → Add tests  1 of 2 done")
	s.press("T")
	s.sees("── Todo lists", "✔ Read the ledger", "→ Add tests")
	s.press("T")
	set("2", "completed")
	s.sees("session s1: ✔ Add tests  2 todos, all done")
	s.press("T")
	s.sees("✔ Read the ledger", "✔ Add tests")
}
