package tui

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// The panel waits for a session, follows one of the project, and makes the one
// that it shows interactive.
func TestPanelFollows(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.sees("No session of this project has todos yet")
		w.write("s1", "", "x Plan", "> Write tests", "o Run tests")
		w.sees("3 todos: 1 completed, 1 in progress, 1 pending", "s1", "✔ Plan", "→ Write tests", "○ Run tests")
		w.watched("s1", true)
		must.Get(w.todos.Write(t.Context(), todo.Key{Session: "elsewhere"}, todo.Draft{}, todo.Writing{Project: "/other"}))(t)
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
		w.sees("Session s1 has no todos yet. The panel waits for them.")
		w.write("s2", "", "> Something else")
		w.seesNot("→ Something else")
		w.sees("Sessions with todos: s2.")
		w.write("s1", "", "> Plan")
		w.sees("→ Plan")
		w.write("s1", "", "x Plan")
		w.sees("All done, just now.")
	}, func(o *PanelOptions) { o.Session = "s1" })
}

// The panel goes over to a session that begins. Of two at work it stays with the
// one that it shows, for a while after that one's last renewal.
func TestPanelStays(t *testing.T) {
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Plan", "o Write tests")
		w.write("s2", "", "> Something else")
		w.sees("→ Something else", "s2 (2 of 2)")
		w.watched("s1", false)
		w.watched("s2", true)
		w.write("s1", "", "> Plan", "o Write the tests")
		w.sees("→ Something else")
		w.press("n")
		w.sees("→ Plan", "s1 (1 of 2)")
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
		w.write("s2", "", "x Something else, still")
		w.sees("All done, just now.")
		w.write("s3", "", "> Another thing")
		w.sees("→ Another thing")
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
		w.sees("→ Another session")
		w.press("tab")
		w.sees("No other agent of this session has todos.")
		w.press("n")
		w.sees("→ Lead", "s1 +2") // another session, so the main agent's
	})
	watchPanel(t, func(w *watcher) {
		w.write("s1", "", "> Lead")
		w.sees("Agent tester has no todos yet. The panel waits for them.", "Agents with todos: main.", "s1/tester")
		w.write("s1", "tester", "> Test")
		w.sees("→ Test")
	}, func(o *PanelOptions) { o.Agent = "tester" })
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

// The panel reports a failure, and keeps the list as it was seen last.
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

// Where files look the same after a change it shows anyway, though later.
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
		must.Do(t, store.Remove(t.Context(), todo.Key{Session: "s1"}))
		w.sleep(panelAnyway * panelEvery)
		w.sees("No session of this project has todos yet")
		w.watched("s1", false)
	}, func(o *PanelOptions) { o.Todos = todo.New(store, time.Now) })
}

// coarse is a store whose stamps are the test's.
type coarse struct {
	*todomem.Store
	stamp atomic.Int64
}

func (c *coarse) Stamp(ctx context.Context, _ todo.Key) (string, error) { return c.StampAll(ctx) }

func (c *coarse) StampAll(context.Context) (string, error) { return fmt.Sprint(c.stamp.Load()), nil }

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
				must.Get(w.todos.Write(t.Context(), todo.Key{Session: "s1"}, draft, todo.Writing{Project: project}))(t)
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

// A session that is shown is watched, even if somebody removes the lock.
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
