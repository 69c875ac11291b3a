package todotest

import (
	"fmt"
	"sync"

	"github.com/pawl-dev/pawl/todo"
)

func callChecks() []check {
	return []check{
		onList("a noted call is there at once", func(w *world) {
			want := w.load(mine)
			w.begin(mine, "1")
			want.Items[0].ToolCalls = []todo.ToolCall{begun("1")}
			w.expect("load", w.load(mine), want)
			w.expect("an update that changes nothing", w.update(mine, func(l *todo.List) { w.expect("given", *l, want) }), want)
			w.reopen()
			w.expect("load after reopening", w.load(mine), want)

			w.begin(mine, "2")
			w.ends(mine, "1", todo.Failed)
			calls := []todo.ToolCall{begun("1"), begun("2")}
			calls[0].EndedAt, calls[0].Outcome = at(2), todo.Failed
			want.Items[0].ToolCalls, want.Project = calls, "/p"
			w.expect("the update's answer", w.update(mine, func(l *todo.List) { l.Project = "/p" }), want)
			w.ends(mine, "2", todo.Succeeded)
			calls[1].EndedAt, calls[1].Outcome = at(2), todo.Succeeded
			for range 2 {
				w.expect("load after an update", w.load(mine), want)
				w.reopen()
			}
			if heads := w.lists(); len(heads) != 1 || heads[0] != want.Head() {
				w.Errorf("lists tells of %+v, want %+v", heads, want.Head())
			}
		}),
		onList("what is not to be noted leaves nothing behind", func(w *world) {
			want, other := w.load(mine), todo.Key{Session: "s1", Agent: "other"}
			for _, key := range []todo.Key{mine, other} {
				w.note(key, "1", func(l *todo.List) (todo.CallNote, bool) {
					if l.Key != key {
						w.Errorf("the list of %q has the key %q", key, l.Key)
					}
					n := todo.CallNote{Call: begun("1")}
					if key == mine {
						n.Todo, n.Content = l.Items[0].ID, todo.ContentSum(l.Items[0].Content)
					}
					return n, false
				})
			}
			w.expect("load", w.load(mine), want)
			w.expect("load of another", w.load(other), todo.List{Key: other})
		}),
		onList("a call stays with its todo", func(w *world) {
			w.begin(mine, "1")
			w.begin(mine, "2")
			w.update(mine, func(l *todo.List) {
				gone := l.Items[0]
				gone.Status = todo.Completed
				l.Past = append(l.Past, todo.Past{Item: gone, How: todo.Finished, At: at(3)})
				l.Items = []todo.Item{item("y")} // which has the other's id
			})
			w.ends(mine, "2", todo.Succeeded)
			w.reopen()
			list := w.load(mine)
			if calls := list.Past[0].Item.ToolCalls; len(calls) != 2 || calls[0].Outcome != todo.Running || calls[1].Outcome != todo.Succeeded || list.Items[0].ToolCalls != nil {
				w.Errorf("the list is %s", show(list))
			}
		}),
		onList("all calls that run end at once", func(w *world) {
			w.begin(mine, "1")
			w.ends(mine, "1", todo.Succeeded)
			w.begin(mine, "2")
			w.update(mine, func(l *todo.List) { l.Project = "/p" })
			w.begin(mine, "3")
			w.note(mine, "", func(*todo.List) (todo.CallNote, bool) {
				return todo.CallNote{Ends: todo.All, Call: todo.ToolCall{EndedAt: at(2), Outcome: todo.Interrupted}}, true
			})
			w.begin(mine, "4")
			w.reopen()
			w.outcomes(mine, todo.Succeeded, todo.Interrupted, todo.Interrupted, todo.Running)
		}),
		onList("what is noted goes with its list", func(w *world) {
			for range 2 {
				w.working(mine, "x")
				want := w.load(mine)
				w.begin(mine, "1")
				w.remove(mine)
				w.reopen()
				w.working(mine, "x")
				w.expect("a new list like the old one", w.load(mine), want)
				w.begin(mine, "2")
				w.update(mine, func(l *todo.List) { *l = todo.List{} })
				w.working(mine, "x")
				w.expect("a new list after a blank one", w.load(mine), want)
			}
		}),
		onList("any number of calls can be noted", func(w *world) {
			const n = 400 // more than one log has room for
			for i := range n {
				w.begin(mine, fmt.Sprint(i))
				w.ends(mine, fmt.Sprint(i), todo.Succeeded)
			}
			calls := w.load(mine).Items[0].ToolCalls
			if len(calls) != todo.MaxToolCalls {
				w.Fatalf("%d calls are kept, want %d", len(calls), todo.MaxToolCalls)
			}
			for i, c := range calls {
				if want := fmt.Sprint(n - todo.MaxToolCalls + i); c.ID != want || c.Outcome != todo.Succeeded {
					w.Errorf("call %d is %q, %s; want %q", i, c.ID, c.Outcome, want)
				}
			}
		}),
		onList("nothing is lost of what is noted at the same time", func(w *world) {
			const agents, each = 4, todo.MaxToolCalls / 4
			var all sync.WaitGroup
			for n := range agents {
				all.Go(func() {
					for i := range each {
						id := fmt.Sprint(n, ".", i)
						w.begin(mine, id)
						w.ends(mine, id, todo.Succeeded)
					}
				})
			}
			for range 2 {
				all.Go(func() {
					for i := range 2 * each {
						w.update(mine, func(l *todo.List) { l.News = append(l.News, fmt.Sprint(i)) })
					}
				})
			}
			done := make(chan struct{})
			var watching sync.WaitGroup
			watching.Go(func() {
				for seen := 0; ; {
					n := len(w.load(mine).Items[0].ToolCalls)
					if n < seen {
						w.Errorf("%d calls were there, and then %d", seen, n)
					}
					seen = n
					select {
					case <-done:
						return
					default:
					}
				}
			})
			all.Wait()
			close(done)
			watching.Wait()
			list, seen := w.load(mine), map[string]bool{}
			for _, c := range list.Items[0].ToolCalls {
				if seen[c.ID] || c.Outcome != todo.Succeeded {
					w.Errorf("%s is there again, or %s", c.ID, c.Outcome)
				}
				seen[c.ID] = true
			}
			if len(seen) != agents*each || len(list.News) != 4*each {
				w.Errorf("%d of %d calls are there, and %d of %d updates", len(seen), agents*each, len(list.News), 4*each)
			}
		}),
	}
}

// onList is a check on a list with one todo in progress, of a store that notes calls.
func onList(name string, run func(*world)) check {
	return check{name, func(w *world) {
		if w.working(mine, "x") {
			run(w)
		}
	}}
}

// working gives a key a list with one todo in progress, and reports whether the
// store notes calls.
func (w *world) working(key todo.Key, content string) bool {
	w.Helper()
	if _, ok := w.store.(todo.CallLog); !ok {
		return false
	}
	w.put(key, content, at(0))
	w.update(key, func(l *todo.List) { l.Items[0].Status = todo.InProgress })
	return true
}

func (w *world) note(key todo.Key, id string, note func(*todo.List) (todo.CallNote, bool)) {
	w.Helper()
	if err := w.store.(todo.CallLog).LogCall(w.Context(), key, id, note); err != nil {
		w.Errorf("note a call of %q: %v", key, err)
	}
}

func begun(id string) todo.ToolCall {
	return todo.ToolCall{ID: id, Name: "edit", Parameters: []byte(`{"file":"a <b> é & c"}`), StartedAt: at(1), Outcome: todo.Running}
}

// begin notes the start of a call for the first todo.
func (w *world) begin(key todo.Key, id string) {
	w.Helper()
	w.note(key, id, func(l *todo.List) (todo.CallNote, bool) {
		return todo.CallNote{Todo: l.Items[0].ID, Content: todo.ContentSum(l.Items[0].Content), Call: begun(id)}, true
	})
}

func (w *world) ends(key todo.Key, id string, outcome todo.Outcome) {
	w.Helper()
	w.note(key, id, func(*todo.List) (todo.CallNote, bool) {
		return todo.CallNote{Ends: todo.One, Call: todo.ToolCall{ID: id, EndedAt: at(2), Outcome: outcome}}, true
	})
}

func (w *world) outcomes(key todo.Key, want ...todo.Outcome) {
	w.Helper()
	var got []todo.Outcome
	for _, c := range w.load(key).Items[0].ToolCalls {
		got = append(got, c.Outcome)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.Errorf("the calls ended as %q, want %q", got, want)
	}
}
