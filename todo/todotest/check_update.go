package todotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/spoil"
	"github.com/pawl-dev/pawl/todo"
)

var mine = todo.Key{Session: "s1"}

// full is a list in which every field says something.
func full(key todo.Key) todo.List {
	calls := []todo.ToolCall{
		{ID: "c1", Name: "edit", Parameters: json.RawMessage(`{"file":"a <b> & c"}`), StartedAt: at(1), EndedAt: at(2), Outcome: todo.Succeeded},
		{ID: "c2", Name: "run", StartedAt: at(3), Outcome: todo.Running},
	}
	working := todo.Item{
		ID: "a", Content: "Write <tests> “now”\n\tfor é\u2028& 漢", Status: todo.InProgress, Priority: todo.High, ActiveForm: "Writing", Task: 12,
		Subtasks:  []todo.Subtask{{ID: "a1", Content: "first", Status: todo.Completed, ToolCalls: calls[:1]}, {ID: "a2", Content: "second", Status: todo.Pending}},
		ToolCalls: calls, CreatedAt: at(0), StartedAt: at(1),
	}
	done := todo.Item{ID: "b", Content: "Plan", Status: todo.Completed, Priority: todo.Low, ActiveForm: "Planning", CreatedAt: at(0), StartedAt: at(0), CompletedAt: at(1)}
	blocked := item("wait")
	blocked.Blocked = true
	return todo.List{
		Key: key, Project: "/home/ann/shop", StartedAt: at(0), UpdatedAt: at(9),
		Items:      []todo.Item{done, working, blocked},
		Pause:      &todo.Pause{Reason: "no key", At: at(8)},
		Past:       []todo.Past{{Item: done, How: todo.Finished, At: at(5)}, {Item: blocked, How: todo.Cancelled, At: at(6)}},
		News:       []string{"Ann removed 2 todos."},
		NewsAt:     at(7),
		FinishedAt: at(6),
		Before:     &todo.Snapshot{What: "removed 2 todos", At: at(7), Items: []todo.Item{done, blocked}},
		Check:      &pawl.Check{Name: "tests <é>", Run: []string{"go", "test", "a b", ""}, Dir: "web", Timeout: pawl.Duration(90 * time.Second), Env: []string{"GOFLAGS"}, Expect: 2},
		Checked:    &todo.Checked{Sum: "aa", Passed: true, Exit: 2, At: at(8)},
	}
}

var errRefused = errors.New("refused")

func updateChecks() []check {
	return []check{
		{"2 a key without a list has a blank one", func(w *world) {
			w.expect("load", w.load(mine), todo.List{Key: mine})
			w.expect("in an update", w.update(mine, func(l *todo.List) { w.expect("given", *l, todo.List{Key: mine}) }), todo.List{Key: mine})
		}},
		{"2 all of a list is stored", func(w *world) {
			want := full(mine)
			w.expect("the update's answer", w.update(mine, func(l *todo.List) { *l = full(mine) }), want)
			w.expect("load", w.load(mine), want)
			w.reopen()
			w.expect("load after reopening", w.load(mine), want)
			w.update(mine, func(l *todo.List) { w.expect("the next update", *l, want) })
		}},
		{"2 the list keeps its key", func(w *world) {
			w.expect("the update's answer", w.update(mine, func(l *todo.List) { *l = full(todo.Key{Session: "other", Agent: "x"}) }), full(mine))
			w.expect("load", w.load(mine), full(mine))
			w.expect("the other key", w.load(todo.Key{Session: "other", Agent: "x"}), todo.List{Key: todo.Key{Session: "other", Agent: "x"}})
		}},
		{"2 updates at the same time follow one another", func(w *world) {
			const writers, each = 8, 6
			var all sync.WaitGroup
			for n := range writers {
				all.Go(func() {
					for i := range each {
						if _, err := w.store.Update(w.Context(), mine, func(l *todo.List) error {
							l.Items = append(l.Items, item(fmt.Sprint(n, " ", i)))
							return nil
						}); err != nil {
							w.Errorf("update: %v", err)
						}
					}
				})
			}
			all.Wait()
			seen := map[string]bool{}
			for _, i := range w.load(mine).Items {
				seen[i.Content] = true
			}
			if len(seen) != writers*each {
				w.Errorf("%d of %d updates are there", len(seen), writers*each)
			}
		}},
		{"1 what is returned is a copy", func(w *world) {
			want := full(mine)
			answer := w.update(mine, func(l *todo.List) { *l = full(mine) })
			spoil.All(&answer)
			loaded := w.load(mine)
			w.expect("after writing into the update's answer", loaded, want)
			spoil.All(&loaded)
			w.expect("after writing into what was loaded", w.load(mine), want)
		}},
		{"1 what fn had is not kept", func(w *world) {
			var kept todo.List
			w.update(mine, func(l *todo.List) { *l = full(mine); kept = *l })
			spoil.All(&kept)
			w.expect("after fn's list was written into", w.load(mine), full(mine))
			if _, err := w.store.Update(w.Context(), mine, func(l *todo.List) error { spoil.All(l); return errRefused }); err != errRefused {
				w.Errorf("the error of fn became %v", err)
			}
			w.expect("after a refused update wrote into its list", w.load(mine), full(mine))
		}},
		{"3 an error of fn stores nothing", func(w *world) {
			refuse := func(l *todo.List) error { l.Items = append(l.Items, item("x")); return errRefused }
			for range 2 {
				before := w.load(mine)
				if _, err := w.store.Update(w.Context(), mine, refuse); err != errRefused {
					w.Errorf("the error of fn became %v", err)
				}
				w.expect("after a refused update", w.load(mine), before)
				w.put(mine, "here", at(0))
			}
		}},
		{"3 a list that has become blank leaves nothing behind", func(w *world) {
			w.put(mine, "x", at(0))
			got := w.update(mine, func(l *todo.List) { l.Items = []todo.Item{} })
			w.expect("the update's answer", got, todo.List{Key: mine})
			w.expect("load", w.load(mine), todo.List{Key: mine})
			if heads := w.lists(); len(heads) != 0 {
				w.Errorf("lists tells of %v", heads)
			}
		}},
		{"3 what is remembered keeps a list", func(w *world) {
			for i, keep := range []func(*todo.List){
				func(l *todo.List) { l.Pause = &todo.Pause{Reason: "r", At: at(1)} },
				func(l *todo.List) { l.Past = []todo.Past{{Item: item("p"), How: todo.Finished, At: at(1)}} },
				func(l *todo.List) { l.News = []string{"n"} },
				func(l *todo.List) { l.Before = &todo.Snapshot{What: "w", At: at(1)} },
			} {
				key := todo.Key{Session: fmt.Sprint(i)}
				want := todo.List{Key: key}
				keep(&want)
				w.update(key, keep)
				w.reopen()
				w.expect("load", w.load(key), want)
			}
			if n := len(w.lists()); n != 4 {
				w.Errorf("lists tells of %d lists, want 4", n)
			}
		}},
		{"3 the same list again is no news", func(w *world) {
			w.put(mine, "x", at(0))
			want := w.load(mine)
			w.expect("the update's answer", w.update(mine, func(l *todo.List) {}), want)
			w.expect("load", w.load(mine), want)
		}},
		{"2 removed is removed", func(w *world) {
			for range 2 { // the second time there is nothing
				w.remove(mine)
				w.update(mine, func(l *todo.List) { *l = full(mine) })
				w.remove(mine)
				w.reopen()
				w.expect("load", w.load(mine), todo.List{Key: mine})
			}
		}},
		{"2 a large list is stored whole", func(w *world) {
			w.update(mine, func(l *todo.List) {
				for i := range todo.MaxItems {
					l.Items = append(l.Items, item(fmt.Sprint(i, strings.Repeat(" é", todo.MaxContent/2))))
				}
			})
			w.reopen()
			list := w.load(mine)
			if n := len(list.Items); n != todo.MaxItems || !strings.HasPrefix(list.Items[n-1].Content, "199 é") {
				w.Errorf("%d todos are there", n)
			}
		}},
	}
}
