package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// list is a todo list as an agent writes it: as many as there are, the first
// ones done, then the one in progress.
func list(done int, todos ...string) string {
	var items []string
	for i, content := range todos {
		status := "pending"
		switch {
		case i < done:
			status = "completed"
		case i == done:
			status = "in_progress"
		}
		items = append(items, fmt.Sprintf(`{"content":%q,"status":%q}`, content, status))
	}
	return `{"todos":[` + strings.Join(items, ",") + `]}`
}

// The panel beside an agent: what the agent writes, does and is given by others
// shows, and as long as it is open the agent is answered briefly, however it
// ends.
func TestPanelBesideAnAgent(t *testing.T) {
	h := newHome(t)
	c := h.serve(t, "--session", "s1")
	const inFull, brief, inline = "## Todo List", "TODO list updated", "## Todo Progress"
	contains(t, c.call("todo_write", list(0, "Plan", "Write tests")), inFull)

	s := h.show(t, 60, 20, "todo", "--follow")
	s.sees("s1", "→ Plan", "○ Write tests")
	contains(t, c.call("todo_write", list(1, "Plan", "Write tests")), brief)
	s.sees("✔ Plan", "→ Write tests")

	hook := h.pawl(t, nil, "hook", "--agent", "claude")
	hook.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse","session_id":"s1","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"go test ./..."}}`)
	if out, err := hook.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.seesLike(`↳ Bash\(command: 'go test …'\) \(running [1-9][0-9]* s\)`) // a busy machine may miss a second

	h.run(t, "todo", "add", "Call the customer", "--session", "s1")
	s.sees("○ Call the customer", "1 completed, 1 in progress, 1 pending")

	h.run(t, "config", "set", "ui.showTodoPanel", "false", "--user")
	s.sees("The panel is off")
	s.seesNot("Write tests")
	contains(t, c.call("todo_write", list(1, "Plan", "Write tests", "Run tests")), inline)
	s.press("p")
	s.sees("→ Write tests", "○ Run tests")
	contains(t, c.call("todo_write", list(2, "Plan", "Write tests", "Run tests")), brief)

	// Where the session's own settings say so, that is where it is switched on. What
	// is said does it, too.
	h.run(t, "config", "set", "panel", "off", "--scope", "session", "--session", "s1")
	s.sees("The panel is off")
	s.press("p")
	s.sees("→ Run tests")
	h.run(t, "config", "set", "panel", "off", "--scope", "session", "--session", "s1")
	s.size(120, 20)
	_, command, _ := strings.Cut(s.sees("The panel is off", "--session s1"), "or: pawl ")
	h.run(t, strings.Fields(command)...)
	s.sees("→ Run tests")

	id, err := s.terminal.Process()
	s.must(err)
	process, err := os.FindProcess(id)
	s.must(err)
	s.must(process.Kill())
	must.Get(s.terminal.Await("the end of the panel", func(screen string) bool {
		dead, err := s.terminal.Ask("#{pane_dead}")
		return err == nil && dead == "1"
	}))(t)
	contains(t, c.call("todo_write", list(2, "Plan", "Write tests", "Run tests")), inFull)
	must.Do(t, c.end())
}

// The panel goes to a session that begins, stays with it, goes to another with
// its reader, and takes the lock along; it gives it back when the reader leaves.
func TestPanelFollowsSessions(t *testing.T) {
	h := newHome(t)
	s := h.terminal(t, 60, 20, "sh", "-c", "exec pawl todo --follow 2>said")
	s.sees("No session of this project has todos yet")
	one, two := h.serve(t, "--session", "s1"), h.serve(t, "--session", "s2")
	one.call("todo_write", list(0, "Plan"))
	s.sees("s1", "→ Plan")
	two.call("todo_write", list(0, "Review"))
	s.sees("s2 (2 of 2)", "→ Review")
	contains(t, one.call("todo_write", list(0, "Plan", "Write tests")), "## Todo List")
	s.press("n")
	s.sees("s1", "→ Plan", "○ Write tests")
	contains(t, one.call("todo_write", list(1, "Plan", "Write tests")), "TODO list updated")
	// What is wrong with the settings waits: it would stand across the list.
	broken := filepath.Join(h.dir, "config", "pawl", "pawl.jsonc")
	must.Do(t, os.MkdirAll(filepath.Dir(broken), 0o755))
	must.Do(t, os.WriteFile(broken, []byte(`{"lease": "soon"}`), 0o644))
	one.call("todo_write", list(1, "Plan", "Write tests", "Run tests"))
	s.sees("○ Run tests")
	said := func() string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(s.dir, "said"))
		s.must(err)
		return string(text)
	}
	if text := said(); text != "" {
		t.Errorf("beside the list it says %s", text)
	}
	s.press("q")
	s.ends()
	contains(t, said(), "lease must be a duration")
	contains(t, one.call("todo_write", list(1, "Plan", "Write tests")), "## Todo List")
	panels, err := filepath.Glob(filepath.Join(h.dir, "state", "pawl", "todos", "panels", "s*"))
	if err != nil || len(panels) > 0 {
		t.Errorf("locks are left: %q, %v", panels, err)
	}
	for _, c := range []*client{one, two} {
		must.Do(t, c.end())
	}
}
