package hook

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/todo"
)

// manySteps is a prompt that a todo list is suggested for.
const manySteps = "Do this in order:\n1. Read the ledger\n2. Replace the amounts with integers\n3. Add tests for rounding\n4. Update the manual"

// settingCases show what each setting that hooks read does: what is seen where
// nobody has set it, and with another value.
var settingCases = []struct {
	key   string
	usual string // of play, with the default
	other string // the other value
	seen  string // of play, with that
	play  func(w *world) string
}{
	{"todo-continuation", "nns.", "false", "....", func(w *world) string { return w.stops(4) }},
	{"todo-continuation", "nns...", "5", "nnnns.", func(w *world) string { return w.stops(6) }},
	{"todo-continuation", "nns...", "1", "s.....", func(w *world) string { return w.stops(6) }},
	{"todo-continuation", "nns...", "0", "......", func(w *world) string { return w.stops(6) }},
	{"interactive", "Go on without asking whether you may.", "never", "Nobody can confirm a step: decide yourself.", func(w *world) string {
		w.keepsList()
		note := w.codex("Stop", obj{"last_assistant_message": "Done for now."})
		return within(note, "Go on without asking whether you may.", "Nobody can confirm a step: decide yourself.")
	}},
	{"reminders", "suggested, stale", "false", ", ", func(w *world) string {
		suggested := within(w.prompt(manySteps), "todo_write")
		stale := w.callsUntilStale(12)
		return strings.Replace(suggested, "todo_write", "suggested", 1) + ", " + strings.Repeat("stale", min(stale, 1))
	}},
	{"suggestions", "todo_write", "off", "", func(w *world) string { return within(w.prompt(manySteps), "todo_write") }},
	{"suggestions", "", "on", "todo_write", func(w *world) string {
		w.claude("SessionStart", obj{"source": "compact", "model": "claude-opus-5-5"})
		w.call("mcp__pawl__task_list", obj{}, obj{})
		return within(w.claude("UserPromptSubmit", obj{"prompt": manySteps}), "todo_write")
	}},
	{"reminders", "at call 10", "3", "at call 3", func(w *world) string { return fmt.Sprint("at call ", w.callsUntilStale(12)) }},
	{"recovery.tokens", "Read the ledger, Add tests", "0", "", recovered},
	{"recovery.tokens", "Read the ledger, Add tests", "150", "Read the ledger", recovered},
	{"todos.store", "Read the ledger[in_progress] Add tests[pending]", "memory", "", func(w *world) string {
		w.keepsList()
		return inLine(w.list(""))
	}},
	{"todos.keep", "kept after 20 days, gone after 40", "60d", "kept after 20 days, kept after 40", keptLists},
	{"todos.keep", "kept after 20 days, gone after 40", "7d", "gone after 20 days, gone after 40", keptLists},
	{"toolCalls.arguments", `Bash {"command":"make"}`, "off", "Bash ", func(w *world) string {
		w.keepsList()
		w.call("Bash", obj{"command": "make"}, obj{})
		call := w.list("").Items[0].ToolCalls[0]
		return call.Name + " " + string(call.Parameters)
	}},
}

// Each setting that hooks read changes what they do, in each scope in which it
// may be set; and where the session says otherwise, that is what holds.
func TestSettings(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range settingCases {
		shown[c.key] = true
		setting := settings.Find(c.key)
		if setting == nil || setting.Key != c.key || !strings.Contains(setting.ReadBy, "hooks") {
			t.Errorf("%s is no setting that hooks read", c.key)
			continue
		}
		t.Run(c.key+"="+c.other, func(t *testing.T) {
			check := func(where, want string, set func(w *world)) {
				t.Helper()
				w := newWorld(t)
				set(w)
				if got := c.play(w); got != want {
					t.Errorf("%s: %q, want %q", where, got, want)
				}
				if log := w.log(); log != "" {
					t.Error(log)
				}
			}
			check("nowhere set", c.usual, func(*world) {})
			for _, at := range []settings.Scope{settings.Project, settings.User, settings.Session} {
				if setting.Allows(at) {
					check(at.String(), c.seen, func(w *world) { w.setIn(at, c.key, c.other) })
				}
			}
			check("the session has the default", c.usual, func(w *world) {
				w.setIn(settings.User, c.key, c.other)
				w.setIn(settings.Session, c.key, setting.Default)
			})
		})
	}
	shown["sync"] = true // read by what opens a shared board, which is given to hooks (cmd/pawl)
	for i := range settings.Table {
		if row := &settings.Table[i]; strings.Contains(row.ReadBy, "hooks") && !shown[row.Key] {
			t.Errorf("nothing shows that hooks read %s", row.Key)
		}
	}
}

// How long claims hold says how soon hooks look for one that they have not seen
// being made, as in a shell.
func TestLeaseSetting(t *testing.T) {
	for value, want := range map[string]bool{"15m": false, "3m": true} {
		w := newWorld(t)
		w.setIn(settings.Project, "lease", value)
		me := pawl.Actor{Name: "claude", Session: "s1"}
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
		w.claude("SessionStart", obj{"source": "startup"})
		w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(3 * time.Minute)})
		until := w.task(1).Claim.Until
		w.now = w.now.Add(2 * time.Minute)
		w.call("Bash", obj{"command": "make"}, obj{})
		if got := w.task(1).Claim.Until.After(until); got != want {
			t.Errorf("with a lease of %s it was renewed after two minutes: %v", value, got)
		}
	}
}

// A claim may be for less than the settings say, and is renewed in time once it is
// seen: when it was made with one of Pawl's tools, that is at once.
func TestShortLease(t *testing.T) {
	for _, value := range []string{"15m", "0"} {
		w := newWorld(t)
		w.setIn(settings.Project, "lease", value)
		me := pawl.Actor{Name: "claude", Session: "s1"}
		w.do(me, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}})
		w.claude("SessionStart", obj{"source": "startup"})
		w.do(me, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Minute)})
		w.call("mcp__pawl__task_claim", obj{"taskId": "1"}, "Claimed #1 One")
		for range 10 {
			w.now = w.now.Add(25 * time.Second)
			w.call("Bash", obj{"command": "make"}, obj{})
		}
		if task := w.task(1); task.Status != pawl.InProgress {
			t.Errorf("with the setting %s a lease of a minute has ended, and #1 is %s", value, task.Status)
		}
	}
}

// setIn sets a setting for one of those who may.
func (w *world) setIn(at settings.Scope, key, value string) {
	w.t.Helper()
	path, err := settings.ProjectFile(filepath.Join(w.dir, project.Name)), error(nil)
	switch at {
	case settings.User:
		path, err = settings.UserFile(w.getenv)
	case settings.Session:
		path, err = settings.SessionFile(w.getenv, "s1")
	}
	if err == nil {
		_, err = settings.Set(w.t.Context(), at, path, settings.Find(key), value)
	}
	must.Do(w.t, err)
}

// codex sends an event of Codex, which has no cap of its own on continuations.
func (w *world) codex(event string, fields obj) string {
	w.t.Helper()
	payload := obj{"session_id": "s1", "hook_event_name": event, "cwd": w.dir}
	for key, value := range fields {
		payload[key] = value
	}
	w.now = w.now.Add(sameEvent)
	return w.send(string(agent.JSON(payload)), "--agent", "codex")
}

func (w *world) keepsList() {
	w.t.Helper()
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Read the ledger", "status": "in_progress"}, {"content": "Add tests", "status": "pending"}}}, obj{})
}

// stops has the agent stop n times. Of each it says whether there was a note for the agent (n), only a
// line for its user (s), or neither (.).
func (w *world) stops(n int) string {
	w.t.Helper()
	w.keepsList()
	var seen strings.Builder
	for i := range n {
		switch answer := w.codex("Stop", obj{"last_assistant_message": fmt.Sprint("So far, ", i)}); {
		case strings.Contains(answer, `"decision":"block"`):
			seen.WriteByte('n')
		case strings.Contains(answer, `"systemMessage"`):
			seen.WriteByte('s')
		default:
			seen.WriteByte('.')
		}
	}
	return seen.String()
}

// callsUntilStale returns at which of n calls the agent is reminded of its list;
// 0: at none.
func (w *world) callsUntilStale(n int) int {
	w.t.Helper()
	w.keepsList()
	for i := 1; i <= n; i++ {
		answer := w.claude("PostToolUse", obj{"tool_name": "Read", "tool_input": obj{"file_path": "a.go"}, "tool_use_id": fmt.Sprint("r", i), "tool_response": "package a"})
		if strings.Contains(answer, "additionalContext") {
			return i
		}
	}
	return 0
}

// prompt is one to an agent that has Pawl's tools.
func (w *world) prompt(text string) string {
	w.t.Helper()
	w.call("mcp__pawl__task_list", obj{}, obj{})
	return w.claude("UserPromptSubmit", obj{"prompt": text, "model": "claude-haiku-4-5"})
}

// recovered is what of the list comes back after a compaction.
func recovered(w *world) string {
	long := "Add tests" + strings.Repeat(" of rounding", 10)
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Read the ledger", "status": "in_progress"}, {"content": long, "status": "pending"}}}, obj{})
	return within(w.claude("SessionStart", obj{"source": "compact"}), "Read the ledger", "Add tests")
}

// keptLists tells how long a list of another session is kept that is done. Every
// day a session ends.
func keptLists(w *world) string {
	w.call("TodoWrite", obj{"todos": []obj{{"content": "Long done", "status": "completed"}}}, obj{}, obj{"session_id": "old"})
	var seen []string
	for day := 1; day <= 40; day++ {
		w.now = w.now.Add(24 * time.Hour)
		w.claude("SessionEnd", obj{"reason": "other"})
		if day != 20 && day != 40 {
			continue
		}
		lists := must.Get(w.todos.Sessions(w.t.Context(), ""))(w.t)
		word := "gone"
		if slices.ContainsFunc(lists, func(h todo.Head) bool { return h.Session == "old" }) {
			word = "kept"
		}
		seen = append(seen, fmt.Sprintf("%s after %d", word, day))
	}
	return strings.Replace(strings.Join(seen, ", "), "20,", "20 days,", 1)
}

// within is those of some texts that stand in another one.
func within(all string, texts ...string) string {
	var found []string
	for _, text := range texts {
		if strings.Contains(all, text) {
			found = append(found, text)
		}
	}
	return strings.Join(found, ", ")
}
