package tui

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A watcher sits at a panel as the pilot does at the board, beside agents.
type watcher struct {
	t     *testing.T
	panel *panel
	todos *todo.Service
	msgs  chan tea.Msg
	seen  int // messages so far
	over  bool

	mu  sync.Mutex
	off map[string]bool // sessions whose settings do not want the panel
}

const project = "/shop"

// watch runs a story beside a panel of 60 columns and 20 rows.
func watchPanel(t *testing.T, story func(w *watcher), change ...func(*PanelOptions)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		w := &watcher{t: t, todos: todo.New(todomem.New(), time.Now), msgs: make(chan tea.Msg, 100_000), off: map[string]bool{}}
		o := PanelOptions{
			Terminal: Terminal{Unicode: true, Theme: "dark", Now: time.Now, Programs: lookup.Finder{Getenv: func(string) string { return "" }}},
			Todos:    w.todos,
			Ours:     func(h todo.Head) bool { return h.Project == project },
			Wanted: func(session string) PanelWanted {
				w.mu.Lock()
				defer w.mu.Unlock()
				return PanelWanted{!w.off[session], "pawl config set ui.showTodoPanel true --user"}
			},
			Switch: func(_ context.Context, session string, on bool) error {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.off[session] = !on
				return nil
			},
		}
		for _, fn := range change {
			fn(&o)
		}
		w.panel = newPanel(ctx, o)
		w.run(w.panel.Init())
		w.size(60, 20)
		defer time.Sleep(time.Hour) // whatever waits for a time has it
		defer stop()
		story(w)
		w.panel.follower.close()
		for _, session := range []string{"s1", "s2"} {
			w.watched(session, false)
		}
	})
}

func (w *watcher) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { w.msgs <- cmd() }()
	}
}

func (w *watcher) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			w.run(cmd)
		}
	case tea.QuitMsg:
		w.over = true
	default:
		w.seen++
		_, cmd := w.panel.Update(msg)
		w.run(cmd)
	}
	w.settle()
}

func (w *watcher) settle() {
	synctest.Wait()
	select {
	case msg := <-w.msgs:
		w.send(msg)
	default:
		w.panel.View() // as the library does
	}
}

func (w *watcher) sleep(d time.Duration) {
	over := time.NewTimer(d)
	for {
		w.settle()
		select {
		case msg := <-w.msgs:
			w.send(msg)
		case <-over.C:
			w.settle()
			return
		}
	}
}

func (w *watcher) size(width, height int) {
	w.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// press presses keys and lets a look pass.
func (w *watcher) press(keys ...string) {
	w.t.Helper()
	for _, name := range keys {
		w.send(keyOf(w.t, name))
	}
	w.sleep(2 * panelEvery)
}

// write has an agent write its list: "x done", "> current", "o pending".
func (w *watcher) write(session, agent string, todos ...string) {
	w.t.Helper()
	var items []map[string]any
	for _, text := range todos {
		status := map[string]string{"x": "completed", ">": "in_progress", "o": "pending"}[text[:1]]
		items = append(items, map[string]any{"content": text[2:], "status": status})
	}
	w.put(session, agent, items)
}

func (w *watcher) put(session, agent string, items any) {
	w.t.Helper()
	text := must.Get(json.Marshal(items))(w.t)
	draft := must.Get(todo.Decode(text, false))(w.t)
	must.Get(w.todos.Write(w.t.Context(), todo.Key{Session: session, Agent: agent}, draft, todo.Writing{Project: project}))(w.t)
	w.sleep(2 * panelEvery) // what was promised: it is seen within 200 ms
}

func (w *watcher) call(id, name, parameters string) {
	w.t.Helper()
	call := todo.Call{ToolCall: todo.ToolCall{ID: id, Name: name, Parameters: json.RawMessage(parameters)}, Arguments: true}
	must.Do(w.t, w.todos.CallStarted(w.t.Context(), todo.Key{Session: "s1"}, call))
	w.sleep(2 * panelEvery)
}

func (w *watcher) ended(id string, how todo.Outcome) {
	w.t.Helper()
	must.Do(w.t, w.todos.CallEnded(w.t.Context(), todo.Key{Session: "s1"}, id, how))
	w.sleep(2 * panelEvery)
}

func (w *watcher) watched(session string, want bool) {
	w.t.Helper()
	if got, err := w.todos.Watched(context.Background(), session); got != want || err != nil {
		w.t.Errorf("%s is watched: %v, %v", session, got, err)
	}
}

func (w *watcher) text() string { return plain(w.panel.frame()) }

func (w *watcher) sees(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if !strings.Contains(w.text(), text) {
			w.t.Fatalf("the panel does not show %q:\n%s", text, w.text())
		}
	}
}

func (w *watcher) seesNot(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if strings.Contains(w.text(), text) {
			w.t.Fatalf("the panel shows %q:\n%s", text, w.text())
		}
	}
}
