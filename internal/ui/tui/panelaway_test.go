package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// A call that begins while only minutes are told is told by the second.
func TestPanelElapsedAfterAPause(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Write tests")
		must.Get(w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "which port?"))(t)
		w.sleep(time.Second)
		w.call("1", "bash", `{"command":"go test"}`)
		w.sleep(5 * time.Second)
		w.sees("(running 5 s)")
		w.ended("1", todo.Succeeded)
		before := w.seen
		w.sleep(time.Hour)
		if n := w.seen - before; n > 70 {
			t.Errorf("%d messages in an hour of a pause", n)
		}
	})
}

// A panel that ctrl+z stops leaves nobody in the belief that it is watched.
func TestPanelSuspend(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Plan")
		w.watched("s1", true)
		_, cmd := w.panel.Update(keyOf(t, "ctrl+z"))
		if cmd == nil {
			t.Fatal("ctrl+z does nothing")
		}
		stopped := cmd()
		if _, ok := stopped.(tea.SuspendMsg); !ok {
			t.Fatalf("ctrl+z is %T", stopped)
		}
		w.sleep(panelAnyway * panelEvery)
		w.watched("s1", false)
		w.send(stopped) // as the library does once it goes on
		w.write("s1", "", "x Plan", "> Test")
		w.sees("→ Test")
		w.watched("s1", true)
	})
}
