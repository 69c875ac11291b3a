package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// How a list ended stays to be seen until something new begins.
func TestPanelEnds(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "x Plan", "> Write tests")
		w.write("s1", "", "x Plan", "x Write tests")
		w.sleep(3 * time.Minute)
		w.sees("2 todos: 2 completed, 0 in progress, 0 pending", "✔ Plan", "✔ Write tests", "All done, 3 min ago.")
		w.press("space")
		w.sees("All done, 3 min ago.")
		w.press("space")
		w.write("s1", "", "o Run tests", "o Ship it")
		w.sees("○ Run tests")
		w.seesNot("Plan", "done")
		must.Get(w.todos.Edit(t.Context(), todo.Key{Session: "s1"}, todo.Editing{Project: project}, todo.Clear{}))(t)
		w.sleep(2 * panelEvery)
		w.sees("2 open todos were removed, just now.")
		w.seesNot("done", "Plan")
	})
}

// Switched off it hides at once, says so in one line, and the session stays
// watched; on again it has everything.
func TestPanelSwitch(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "x Plan", "> Write tests")
		w.mu.Lock()
		w.off["s1"] = true
		w.mu.Unlock()
		w.sleep(2 * panelEvery)
		if got, want := strings.TrimSpace(w.text()), "The panel is off: p brings todos back from the conversation"; got != want {
			t.Errorf("the panel shows %q, want %q", got, want)
		}
		w.size(50, 20) // where it said nothing of where todos are
		if got, want := strings.TrimSpace(w.text()), "Off: todos are in the conversation. p: switch on"; got != want {
			t.Errorf("at 50 columns the panel shows %q, want %q", got, want)
		}
		w.size(100, 20)
		w.sees("p switches it on, or: pawl config set ui.showTodoPanel true --user")
		w.watched("s1", true)
		w.call("1", "bash", `{"command":"go test"}`)
		w.press("space", "j", "tab") // mean nothing now
		w.press("p")
		w.sees("✔ Plan", "→ Write tests", "bash(command: 'go test') (running")
		w.press("p")
		w.sees("The panel is off")
	})
}

// long is a list of thirty todos; the eleventh is being done.
func (w *watcher) long() {
	var todos []string
	for i := range 30 {
		mark := "o"
		switch {
		case i < 10:
			mark = "x"
		case i == 10:
			mark = ">"
		}
		todos = append(todos, fmt.Sprintf("%s Step %d", mark, i+1))
	}
	w.write("s1", "", todos...)
}

func TestPanelScroll(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.long()
		w.sees("✔ Step 10\n", "→ Step 11\n", "▲", "▼")
		w.seesNot("Step 1\n", "Step 30")
		for range 30 {
			w.press("k")
		}
		w.sees("Step 1\n", "▼ 12 more")
		w.seesNot("▲")
		w.press("j")
		w.sees("▲ 2 more", "Step 3\n")
		w.press("end")
		w.sees("Step 30", "▲ 12 more")
		w.press("esc")
		for range 4 {
			w.press("pgdown")
		}
		w.sees("Step 30", "▲ 12 more")
		for range 10 {
			w.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		}
		w.sees("Step 1\n")
		w.press("esc")
		w.sees("→ Step 11\n")
		w.size(60, 10)
		w.press("pgup")
		w.seesNot("→ Step 11")
		w.write("s1", "", "x Step 11", "> Step 12")
		w.sees("→ Step 12") // it went on, and the panel with it
	})
}

// Only what runs costs anything when nothing happens: a frame a second.
func TestPanelElapsed(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Write tests")
		w.call("1", "read_file", `{"path":"a.go"}`)
		w.ended("1", todo.Succeeded)
		w.sleep(time.Second) // the tick that was on its way
		before := w.seen
		w.sleep(time.Minute)
		if w.seen != before {
			t.Errorf("%d messages in a quiet minute", w.seen-before)
		}
		w.call("2", "bash", `{"command":"go test"}`)
		w.sees("↳ read_file(path: 'a.go')\n", "↳ bash(command: 'go test') (running 0 s)")
		before = w.seen
		w.sleep(65*time.Second + 300*time.Millisecond)
		w.sees("(running 1 min 05 s)")
		if n := w.seen - before; n < 64 || n > 66 {
			t.Errorf("%d messages in 65 seconds of a running call", n)
		}
		w.sleep(time.Hour)
		w.sees("(running 1 h 01 min)")
		w.ended("2", todo.Failed)
		w.sees("(failed)")
		w.sleep(time.Second)
		before = w.seen
		w.sleep(time.Minute)
		if n := w.seen - before; n > 0 {
			t.Errorf("%d messages in a quiet minute", n)
		}
	})
}

func TestPanelInShort(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.press("space")
		w.sees("No session of this project has todos yet")
		w.write("s1", "", "x Plan", "> Write tests", "o Run tests")
		if got, want := strings.Fields(w.text()), strings.Fields("1/3 · → Write tests  Space all  ? help  q quit"); !slices.Equal(got, want) {
			t.Errorf("collapsed it shows %q", got)
		}
		must.Get(w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "No key"))(t)
		w.sleep(2 * panelEvery)
		w.sees("1/3 · paused · → Write tests")
		w.press("ctrl+q")
		w.sees("→ Write tests", "Paused just now, until the user's next prompt: No key")
		w.sleep(5 * time.Minute)
		w.sees("Paused 5m ago")
		w.write("s1", "", "x Plan", "o Write tests")
		w.press("space")
		w.sees("1/2 · paused · 1 pending")
		w.press("space", "?")
		w.sees("Keys", "next agent's list")
		w.press("?")
		w.seesNot("Keys")
		w.press("q")
		if !w.over {
			t.Error("q does not quit")
		}
	})
}

func (blind) Stamp(context.Context, todo.Key) (string, error) { return "the same", nil }

func (blind) StampAll(context.Context) (string, error) { return "the same", nil }
