package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/view"
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
			Terminal: Terminal{Unicode: true, Theme: "dark", Now: time.Now, Getenv: func(string) string { return "" }},
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
	for end := time.Now().Add(d); time.Now().Before(end); w.settle() {
		time.Sleep(max(10*time.Millisecond, d/1000))
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
	text, err := json.Marshal(items)
	if err != nil {
		w.t.Fatal(err)
	}
	draft, err := todo.Decode(text, false)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.todos.Write(w.t.Context(), todo.Key{Session: session, Agent: agent}, draft, todo.Writing{Project: project}); err != nil {
		w.t.Fatal(err)
	}
	w.sleep(2 * panelEvery) // what was promised: it is seen within 200 ms
}

func (w *watcher) call(id, name, parameters string) {
	w.t.Helper()
	call := todo.Call{ToolCall: todo.ToolCall{ID: id, Name: name, Parameters: json.RawMessage(parameters)}, Arguments: true}
	if err := w.todos.CallStarted(w.t.Context(), todo.Key{Session: "s1"}, call); err != nil {
		w.t.Fatal(err)
	}
	w.sleep(2 * panelEvery)
}

func (w *watcher) ended(id string, how todo.Outcome) {
	w.t.Helper()
	if err := w.todos.CallEnded(w.t.Context(), todo.Key{Session: "s1"}, id, how); err != nil {
		w.t.Fatal(err)
	}
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

// The panel waits for a session, follows one of the project, and makes the one
// that it shows interactive.
func TestPanelFollows(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.sees("No session here has todos yet")
		w.write("s1", "", "x Plan", "> Write tests", "o Run tests")
		w.sees("3 todos: 1 completed, 1 in progress, 1 pending", "s1", "✔ Plan", "→ Write tests", "○ Run tests")
		w.watched("s1", true)
		if _, err := w.todos.Write(t.Context(), todo.Key{Session: "elsewhere"}, todo.Draft{}, todo.Writing{Project: "/other"}); err != nil {
			t.Fatal(err)
		}
		w.sleep(panelStays)
		w.write("s2", "", "> Something else")
		w.sees("s2", "→ Something else")
		w.seesNot("Write tests")
		w.watched("s1", false)
		w.watched("s2", true)
		w.press("n", "f")
		w.sees("only s1 (1 of 2)", "→ Write tests")
		w.sleep(panelStays)
		w.write("s2", "", "> Something else, again")
		w.sees("→ Write tests")
		w.press("n")
		w.sees("only s2", "→ Something else, again")
		w.watched("s1", false)
		w.write("s1", "", "> Write more tests")
		w.sees("→ Something else, again")
		w.press("f")
		w.sees("→ Write more tests")
		w.seesNot("only")
		w.watched("s1", true)
		w.write("s2", "", "x Something else, again")
		w.sees("→ Write more tests")
		w.seesNot("(1 of") // there is nothing left to do in the other
		w.press("n")
		w.sees("No other session here has open todos.")
	})
	watchPanel(t, func(w *watcher) {
		w.watched("s1", true) // before there is anything
		w.sees("Nothing has been heard so far of a session s1: this waits", "for it.", "s1")
		w.write("s2", "", "> Something else")
		w.seesNot("→ Something else")
		w.sees("Sessions with todos: s2.")
		w.write("s1", "", "> Plan")
		w.sees("→ Plan")
		w.write("s1", "", "x Plan")
		w.sees("All done, just now.")
	}, func(o *PanelOptions) { o.Session = "s1" })
}

// Of two sessions at work the panel stays with the one that it shows, for a
// while after that one's last sign of life.
func TestPanelStays(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Plan", "o Write tests")
		w.write("s2", "", "> Something else")
		w.sees("→ Plan", "s1 (1 of 2)")
		w.watched("s1", true)
		w.watched("s2", false)
		w.sleep(panelStays * 2 / 3)
		w.call("1", "bash", `{"command":"go test"}`)
		w.sleep(panelStays / 2)
		w.write("s2", "", "> Something else, again")
		w.sees("→ Plan")
		w.press("n")
		w.sees("→ Something else, again", "s2 (2 of 2)")
		w.sleep(panelStays / 2)
		w.write("s1", "", "> Plan", "o Write more tests")
		w.sees("→ Something else, again")
		w.sleep(panelStays / 2)
		w.sees("○ Write more tests") // nothing came of the other
		w.watched("s1", true)

		w.write("s1", "", "x Plan", "x Write more tests")
		w.write("s2", "", "> Something else, still")
		w.sees("2 todos: 2 completed", "✔ Plan", "✔ Write more tests", "All done, just now.")
		w.sleep(panelRests)
		w.sees("→ Something else, still")
	})
}

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
		if _, err := w.todos.Edit(t.Context(), todo.Key{Session: "s1"}, todo.Editing{Project: project}, todo.Clear{}); err != nil {
			t.Fatal(err)
		}
		w.sleep(2 * panelEvery)
		w.sees("2 open todos were removed, just now.")
		w.seesNot("done", "Plan")
	})
}

// Where there is room for all of a text it is not cut, and what is being done
// stands below what is to do.
func TestPanelWraps(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		long := strings.Repeat("Write many more of the tests, ", 3) + "and run them"
		items := []map[string]any{
			{"content": long, "status": "completed"},
			{"content": "Fix the parser", "activeForm": "Fixing the parser", "status": "in_progress"},
			{"content": long, "status": "pending", "priority": "high"},
		}
		w.put("s1", "", items)
		w.sees("run them\n", "run them [HIGH]\n", " → Fix the parser\n   Fixing the parser\n ○ Write many more")
		w.size(60, 5)
		w.sees("…\n → Fix the parser\n   Fixing the parser\n ○ Write many more")
		w.seesNot("run them")
		w.size(60, 4)
		w.seesNot("Fixing")
		w.press("space")
		w.sees("1/3 · → Fixing the parser")
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

func TestPanelAgents(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Lead")
		w.write("s1", "reviewer", "> Review")
		w.write("s1", "tester", "> Test")
		w.sees("→ Lead", "s1 +2")
		w.press("tab")
		w.sees("→ Review", "s1/reviewer +2")
		w.press("tab")
		w.sees("→ Test")
		w.press("tab")
		w.sees("→ Lead")
		w.press("tab")
		w.write("s2", "", "> Another session")
		w.press("n")
		w.sees("→ Another session")
		w.press("tab")
		w.sees("No other agent of this session has todos.")
		w.press("n")
		w.sees("→ Lead", "s1 +2") // another session, so the main agent's
	})
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Lead")
		w.sees("Nothing has been heard so far of an agent tester: this", "Agents with todos: main.", "s1/tester")
		w.write("s1", "tester", "> Test")
		w.sees("→ Test")
	}, func(o *PanelOptions) { o.Agent = "tester" })
}

// long is a list of which the eleventh of thirty todos is being done.
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
		w.sleep(2 * time.Hour)
		w.sees("(running 2 h 01 min)")
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
		w.sees("No session here has todos yet")
		w.write("s1", "", "x Plan", "> Write tests", "o Run tests")
		if got, want := strings.Fields(w.text()), strings.Fields("1/3 · → Write tests  Space all  ? help  q quit"); !slices.Equal(got, want) {
			t.Errorf("collapsed it shows %q", got)
		}
		if _, err := w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "No key"); err != nil {
			t.Fatal(err)
		}
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

// denied is a store that may not be read from some moment on.
type denied struct {
	*todomem.Store
	now atomic.Bool
}

func (d *denied) Stamp(ctx context.Context, key todo.Key) (string, error) {
	if d.now.Load() {
		return "", &todo.StorageError{Why: todo.Denied}
	}
	return d.Store.Stamp(ctx, key)
}

// What goes wrong is said, and the list stays as it was seen last.
func TestPanelSaysWhatIsWrong(t *testing.T) {
	store := &denied{Store: todomem.New()}
	watchPanel(t, func(w *watcher) {
		w.todos = w.panel.Todos
		w.write("s1", "", "> Write tests")
		w.press("p")
		w.sees("→ Write tests", "The file is read-only")
		w.press("j")
		w.seesNot("read-only")
		store.now.Store(true)
		w.sleep(2 * panelEvery)
		w.sees("→ Write tests", "Permission denied accessing todo storage")
		before := w.seen
		w.sleep(time.Minute)
		if w.seen != before {
			t.Errorf("it is said %d times a minute", w.seen-before)
		}
		store.now.Store(false)
		w.sleep(2 * panelEvery)
		w.seesNot("Permission")
		w.mu.Lock()
		w.off["s1"] = true
		w.mu.Unlock()
		w.sleep(2 * panelEvery)
		w.press("p")
		w.sees("The file is read-only")
		w.press("q")
	}, func(o *PanelOptions) {
		o.Todos = todo.New(store, time.Now)
		o.Switch = func(context.Context, string, bool) error { return errors.New("the file is read-only") }
	})
}

// blind is a store whose clock stands still: nothing seems to change.
type blind struct{ *todomem.Store }

func (blind) Stamp(context.Context, todo.Key) (string, error) { return "the same", nil }
func (blind) StampAll(context.Context) (string, error)        { return "the same", nil }

// Where files look the same after a change it shows all the same, though later.
func TestPanelLooksAnyway(t *testing.T) {
	store := blind{todomem.New()}
	watchPanel(t, func(w *watcher) {
		w.todos = w.panel.Todos
		w.sleep(time.Second)
		w.write("s1", "", "> Plan")
		w.seesNot("→ Plan")
		w.sleep(panelAnyway * panelEvery)
		w.sees("→ Plan")
		w.watched("s1", true)
		w.write("s1", "", "> Write tests")
		w.sleep(panelAnyway * panelEvery)
		w.sees("→ Write tests")
		if err := store.Remove(t.Context(), todo.Key{Session: "s1"}); err != nil {
			t.Fatal(err)
		}
		w.sleep(panelAnyway * panelEvery)
		w.sees("No session here has todos yet")
		w.watched("s1", false)
	}, func(o *PanelOptions) { o.Todos = todo.New(store, time.Now) })
}

// coarse is a store whose stamps are the test's.
type coarse struct {
	*todomem.Store
	stamp atomic.Int64
}

func (c *coarse) Stamp(ctx context.Context, _ todo.Key) (string, error) { return c.StampAll(ctx) }
func (c *coarse) StampAll(context.Context) (string, error)              { return fmt.Sprint(c.stamp.Load()), nil }

// A change just after one that was seen shows as fast, though the clock of the
// files was not fast enough for it.
func TestPanelLooksTwice(t *testing.T) {
	store := &coarse{Store: todomem.New()}
	watchPanel(t, func(w *watcher) {
		w.todos = w.panel.Todos
		w.write("s1", "", "> Plan")
		w.sleep(panelAnyway*panelEvery + panelEvery/2) // between two looks
		for i := range 2 * panelAnyway {
			store.stamp.Add(1)
			for _, what := range []string{"Write", "Review"} {
				step := fmt.Sprintf("%s part %d", what, i)
				draft := todo.Draft{Items: []todo.DraftItem{{Item: todo.Item{Content: step, Status: todo.Pending}}}}
				if _, err := w.todos.Write(t.Context(), todo.Key{Session: "s1"}, draft, todo.Writing{Project: project}); err != nil {
					t.Fatal(err)
				}
				w.sleep(panelEvery)
				w.sees("○ " + step)
			}
		}
	}, func(o *PanelOptions) { o.Todos = todo.New(store, time.Now) })
}

// lost is a store whose panels somebody shuts.
type lost struct {
	*todomem.Store
	shut   atomic.Bool
	opened atomic.Int64
}

func (l *lost) OpenPanel(ctx context.Context, session string) (func() error, error) {
	l.shut.Store(false)
	l.opened.Add(1)
	return l.Store.OpenPanel(ctx, session)
}

func (l *lost) PanelOpen(ctx context.Context, session string) (bool, error) {
	open, err := l.Store.PanelOpen(ctx, session)
	return open && !l.shut.Load(), err
}

// A session that is shown is watched, whoever takes the lock away.
func TestPanelKeepsItsLock(t *testing.T) {
	store := &lost{Store: todomem.New()}
	watchPanel(t, func(w *watcher) {
		w.todos = w.panel.Todos
		w.write("s1", "", "> Plan")
		store.shut.Store(true)
		w.watched("s1", false)
		w.sleep(panelAnyway * panelEvery)
		w.watched("s1", true)
		if n := store.opened.Load(); n != 2 {
			t.Errorf("it was opened %d times", n)
		}
	}, func(o *PanelOptions) { o.Todos = todo.New(store, time.Now) })
}

// rich is a list with all that a list can say.
func (w *watcher) rich() {
	items := []map[string]any{
		{"content": "Read the old parser", "status": "completed", "priority": "low"},
		{"content": "Plan the new one", "status": "completed", "subtasks": []map[string]any{{"content": "a", "status": "completed"}, {"content": "b", "status": "completed"}}},
		{"content": "Write the parser with all its tests 名前と住所", "activeForm": "Writing the parser 名前と住所", "status": "in_progress", "priority": "high", "subtasks": []map[string]any{
			{"content": "Numbers", "status": "completed"}, {"content": "Strings", "status": "in_progress"}, {"content": "Comments", "status": "pending"},
		}},
		{"content": "Ask for the release key", "status": "blocked", "priority": "high"},
	}
	for i := range 14 {
		items = append(items, map[string]any{"content": fmt.Sprintf("Port file %d", i+1), "status": "pending", "subtasks": []map[string]any{{"content": "x", "status": "pending"}}})
	}
	w.put("s1", "", items)
	for i := range 7 {
		id := fmt.Sprint(i)
		w.call(id, "read_file", fmt.Sprintf(`{"path":"src/deeply/nested/folder/parse_%d.go"}`, i))
		w.ended(id, todo.Succeeded)
	}
	w.call("f", "bash", `{"command":"go test ./..."}`)
	w.ended("f", todo.Failed)
	w.call("r", "bash", `{"command":"go test -run Strings ./..."}`)
	w.sleep(12 * time.Second)
}

func TestPanelFrames(t *testing.T) {
	for _, size := range [][2]int{{20, 6}, {40, 12}, {60, 20}, {100, 30}} {
		for _, theme := range []string{"light", "dark"} {
			watchPanel(t, func(w *watcher) {
				w.rich()
				w.size(size[0], size[1])
				name := fmt.Sprintf("panel/%dx%d", size[0], size[1])
				golden(t, name+".txt", w.text())
				painted := w.panel.theme.paint(w.panel.frame(), true)
				golden(t, name+"-"+theme+".ansi", strings.ReplaceAll(painted, "\x1b", "␛")+"\n")
				if _, err := w.todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "The release key is missing, and only Ada has it: she is away until Monday"); err != nil {
					t.Fatal(err)
				}
				w.sleep(time.Second)
				golden(t, name+"-paused.txt", w.text())
				w.panel.Unicode = false
				golden(t, name+"-ascii.txt", w.text())
			}, func(o *PanelOptions) { o.Theme = theme })
		}
	}
}

// Nothing is wider or higher than the terminal, whatever that is, and nothing
// that a list says acts on it.
func TestPanelSizes(t *testing.T) {
	evil := "Write\n✔ Done by me\r\n\x1b[2J\u202e\u2028 名前 👩\u200d💻 e\u0301"
	watchPanel(t, func(w *watcher) {
		check := func(what string) {
			for width := 1; width <= 110; width += 3 {
				for height := 1; height <= 40; height++ {
					w.size(width, height)
					f := w.panel.frame()
					if len(f) != height {
						t.Fatalf("%s: %d rows at %d×%d", what, len(f), width, height)
					}
					for _, line := range strings.Split(strings.TrimSuffix(plain(f), "\n"), "\n") {
						if draw.Width(line) > width || strings.ContainsAny(line, "\x1b\r\u202e\u2028") {
							t.Fatalf("%s: %q at %d×%d", what, line, width, height)
						}
					}
				}
			}
		}
		check("nothing")
		w.rich()
		check("a rich list")
		w.press("space")
		check("in short")
		w.press("space", "?")
		check("help")
		w.press("?")
		w.put("s1", evil, []map[string]any{{"content": evil, "status": "in_progress", "subtasks": []map[string]any{{"content": evil, "status": "pending"}}}})
		w.press("tab")
		check("evil")
		if _, err := w.todos.Pause(t.Context(), todo.Key{Session: "s1", Agent: evil}, project, evil); err != nil {
			t.Fatal(err)
		}
		w.sleep(2 * panelEvery)
		check("evil and paused")
		w.press("p")
		check("off")
	})
}

// The panel says what todo_read says, in the same order: of the current todo
// every line, of the others the first.
func TestPanelSaysWhatTodoReadSays(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.rich()
		w.size(200, 100)
		list, err := w.todos.Read(t.Context(), todo.Key{Session: "s1"})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		current := false
		for line := range strings.Lines(todo.Structured(&list, time.Now())) {
			line = strings.TrimRight(line, "\n")
			detail := strings.HasPrefix(line, "  ")
			switch {
			case strings.HasPrefix(line, "✔"), strings.HasPrefix(line, "→"), strings.HasPrefix(line, "○"):
				current = strings.HasSuffix(line, " ← current")
				want = append(want, strings.TrimSuffix(line, " ← current"))
			case detail && current:
				line = strings.Replace(line, "• ", "○ ", 1) // one glyph for what is pending
				want = append(want, strings.Replace(line, "(running)", "(running 12 s)", 1))
			case strings.Contains(line, " tasks: "):
				want = append(want, strings.Replace(line, "tasks", "todos", 1))
			}
		}
		var got []string
		for line := range strings.Lines(w.text()) {
			line = strings.TrimPrefix(strings.TrimRight(line, " \n"), " ")
			if strings.HasPrefix(strings.TrimSpace(line), "Writing the parser") {
				continue // it is for people: an agent knows what it does
			}
			line = strings.ReplaceAll(line, " (0/1)", "") // todo_read counts what it does not list only when some of it is done
			got = append(got, strings.TrimSpace(strings.TrimSuffix(line, "s1")))
		}
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		if len(want) < 20 || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
			t.Errorf("the panel says\n%s\ntodo_read says\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if n := len(view.PanelRows(&list)); n+1 != len(want) {
			t.Errorf("%d rows, %d lines", n, len(want))
		}
	})
}

func BenchmarkPanel(b *testing.B) {
	var list todo.List
	for i := range todo.MaxItems {
		item := todo.Item{Content: fmt.Sprintf("Step %d of the plan", i), Status: todo.Pending, Priority: todo.High}
		for c := range todo.MaxToolCalls {
			item.ToolCalls = append(item.ToolCalls, todo.ToolCall{Name: "bash", Parameters: json.RawMessage(fmt.Sprintf(`{"command":"go test -run %d"}`, c))})
		}
		list.Items = append(list.Items, item)
	}
	list.Items[100].Status = todo.InProgress
	m := newPanel(b.Context(), PanelOptions{Terminal: Terminal{Unicode: true, Now: time.Now}})
	m.width, m.height = 100, 40
	for b.Loop() {
		m.take(&panelLook{key: todo.Key{Session: "s1"}, list: list, wanted: PanelWanted{On: true}})
		m.View()
	}
}

// The page about the panel shows it as it is.
func TestPanelPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "panel.md"))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := os.ReadFile(filepath.Join("testdata", "panel", "60x20.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+string(frame)+"```\n") {
		t.Errorf("docs/panel.md does not show\n%s", frame)
	}
}
