package todotest

import (
	"fmt"

	"github.com/pawl-dev/pawl/todo"
)

func powerChecks() []check {
	return []check{
		{"panels are open until they are closed", func(w *world) {
			panels, ok := w.store.(todo.Panels)
			if !ok {
				return
			}
			expect := func(session string, want bool) {
				w.Helper()
				if open, err := panels.PanelOpen(w.Context(), session); open != want || err != nil {
					w.Errorf("a panel on %q is open: %v, %v", session, open, err)
				}
			}
			open := func(session string) func() error {
				w.Helper()
				closed, err := panels.OpenPanel(w.Context(), session)
				if err != nil {
					w.Fatalf("open a panel: %v", err)
				}
				return closed
			}
			expect("s", false)
			one, two, other := open("s"), open("s"), open("../s")
			for range 2 { // looking changes nothing
				expect("s", true)
				expect("../s", true)
				expect("S", false)
			}
			for _, step := range []struct {
				close func() error
				left  bool
			}{{one, true}, {one, true}, {two, false}, {two, false}} {
				if err := step.close(); err != nil {
					w.Errorf("close a panel: %v", err)
				}
				expect("s", step.left)
				expect("../s", true)
			}
			again := open("s")
			expect("s", true)
			for _, close := range []func() error{again, other} {
				if err := close(); err != nil {
					w.Errorf("close a panel: %v", err)
				}
			}
			expect("../s", false)
			if heads := w.lists(); len(heads) != 0 {
				w.Errorf("a panel made a list: %v", heads)
			}
		}},
		{"a stamp tells of each change", func(w *world) {
			stamper, ok := w.store.(todo.Stamper)
			if !ok {
				return
			}
			stamp := func(key todo.Key) string {
				w.Helper()
				stamp, err := stamper.Stamp(w.Context(), key)
				if err != nil {
					w.Fatalf("stamp of %q: %v", key, err)
				}
				return stamp
			}
			last := stamp(mine)
			moved := func(what string, want bool) {
				w.Helper()
				now := stamp(mine)
				if moved := now != last; moved != want {
					w.Errorf("%s changed the stamp: %v", what, moved)
				}
				last = now
			}
			w.put(mine, "one", at(1))
			moved("the first write", true)
			w.put(mine, "two", at(1)) // of the same length
			moved("a rewrite", true)
			w.load(mine)
			w.put(mine, "two", at(1))
			moved("a look and a write of the same", false)
			if w.working(mine, "x") {
				moved("a todo in progress", true)
				w.begin(mine, "1")
				moved("a tool call", true)
				w.ends(mine, "1", todo.Failed)
				moved("its end", true)
			}
			all := func() string {
				w.Helper()
				stamp, err := stamper.StampAll(w.Context())
				if err != nil {
					w.Fatalf("stamp of all: %v", err)
				}
				return stamp
			}
			before := all()
			if now := all(); now != before {
				w.Errorf("nothing changed the stamp of all: %s, then %s", before, now)
			}
			for n := 0; all() == before; n++ { // a coarse clock may need a few
				if w.put(todo.Key{Session: "other"}, fmt.Sprint(n), at(n)); n == 1000 {
					w.Errorf("%d changes of another list left the stamp of all as it is", n)
					break
				}
			}
			w.remove(mine)
			moved("removing it", true)
		}},
		{"sweep removes what nobody came back to", func(w *world) {
			sweeper, ok := w.store.(todo.Sweeper)
			if !ok {
				return
			}
			finished := func(l *todo.List) {
				l.Past, l.UpdatedAt = []todo.Past{{Item: item("p"), How: todo.Finished, At: at(10)}}, at(10)
			}
			w.update(todo.Key{Session: "done old"}, finished)
			w.update(todo.Key{Session: "done new"}, func(l *todo.List) { finished(l); l.UpdatedAt = at(21) })
			w.update(todo.Key{Session: "done just"}, func(l *todo.List) { finished(l); l.UpdatedAt = at(20) })
			w.put(todo.Key{Session: "open"}, "x", at(10))
			w.put(todo.Key{Session: "open old"}, "x", at(4))
			n, err := sweeper.Sweep(w.Context(), at(20), at(5))
			if n != 2 || err != nil {
				w.Errorf("sweep removed %d lists, %v; want 2", n, err)
			}
			w.reopen()
			var left []string
			for _, h := range w.lists() {
				left = append(left, h.Session)
			}
			if len(left) != 3 || left[0] != "done new" || left[1] != "done just" || left[2] != "open" {
				w.Errorf("sweep left %q", left)
			}
		}},
	}
}
