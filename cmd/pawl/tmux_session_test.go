package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
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

// todos is a call of the agent's own tool for its list. Each todo is its content
// and its status.
func (h home) todos(t *testing.T, session, call string, todos ...[2]string) {
	t.Helper()
	var list []string
	for _, todo := range todos {
		list = append(list, fmt.Sprintf(`{"content":%q,"status":%q,"activeForm":""}`, todo[0], todo[1]))
	}
	h.hook(t, session, "PostToolUse", fmt.Sprintf(`,"tool_name":"TodoWrite","tool_use_id":%q,"tool_input":{"todos":[%s]},"tool_response":{}`, call, strings.Join(list, ",")))
}

// A session as its agent's program tells of it: its todos, and what it does for
// the current one, running and ended.
func TestPanelTellsOfASession(t *testing.T) {
	h := newHome(t)
	s := h.show(t, 60, 20, "panel")
	h.hook(t, "s1", "SessionStart", `,"source":"startup"`)
	h.todos(t, "s1", "t1", [2]string{"Read the ledger", "in_progress"}, [2]string{"Add tests", "pending"})
	s.sees("→ Read the ledger", "○ Add tests")
	h.hook(t, "s1", "PreToolUse", `,"tool_name":"Bash","tool_use_id":"t2","tool_input":{"command":"go test ./..."}`)
	s.sees("Bash", "go test …", "(running")
	h.hook(t, "s1", "PostToolUse", `,"tool_name":"Bash","tool_use_id":"t2","tool_input":{"command":"go test ./..."},"tool_response":{"stdout":"ok"}`)
	s.seesNot("(running")
	s.sees("Bash", "go test …")
	h.todos(t, "s1", "t3", [2]string{"Read the ledger", "completed"}, [2]string{"Add tests", "in_progress"})
	s.sees("✔ Read the ledger", "→ Add tests", "1 completed")
}

// However the panel ends, the terminal is as it was.
func TestPanelRestoresTheTerminal(t *testing.T) {
	for name, leave := range map[string]func(s *screen){
		"quit": func(s *screen) { s.press("q") },
		"TERM": func(s *screen) { s.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.serve(t, "--session", "s1")
			c.call("todo_write", `{"todos":[{"content":"Read the ledger","status":"in_progress"}]}`)
			s := h.terminal(t, 60, 20, "sh", "-c", `echo before; sh -c 'echo $$ >pid; exec pawl panel'; echo "left with $?"; read line`)
			s.sees("→ Read the ledger")
			leave(s)
			s.sees("before", "left with 0")
			s.seesNot("Read the ledger")
			s.asks("alternate screen #{alternate_on}, mouse #{mouse_any_flag}, cursor #{cursor_flag}", "alternate screen 0, mouse 0, cursor 1")
			s.must(c.end())
		})
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
