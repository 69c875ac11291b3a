package todotest

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"pgregory.net/rapid"
)

var modelTime = flag.Duration("todotest.time", time.Second, "how long the random calls of one store may take; zero: no limit")

// runModel makes random calls of a store and of one in memory, and wants the
// same answers. It makes as many as rapid's flags say and as the time allows:
// some stores wait for a disk after each.
func runModel(t *testing.T, open func(TB) todo.Store, opts ...Option) {
	t.Run("model random calls", func(t *testing.T) {
		const least = 5
		start, ran, failed := time.Now(), 0, false
		rapid.Check(t, func(rt *rapid.T) {
			if late := *modelTime > 0 && time.Since(start) > *modelTime; late && ran >= least && !failed {
				return
			}
			ran++
			rt.Cleanup(func() { failed = failed || rt.Failed() }) // from then on it is run again to make it smaller
			m := &machine{world: newWorld(rt, open, opts...), model: todomem.New()}
			rt.Repeat(map[string]func(*rapid.T){
				"update": m.change, "call": m.call, "end": m.end, "remove": m.remove, "sweep": m.sweep, "": m.compare,
				"reopen": func(*rapid.T) { m.reopen() },
			})
		})
		t.Logf("%d sequences of random calls", ran)
	})
}

type machine struct {
	*world
	model *todomem.Store
	steps int
}

var someKeys = []todo.Key{{}, {Session: "default", Agent: "a"}, {Session: "A"}, {Session: "a"}, {Session: "../a", Agent: "a"}}

func aKey(rt *rapid.T) todo.Key { return rapid.SampledFrom(someKeys).Draw(rt, "key") }

func (m *machine) change(rt *rapid.T) {
	key, fn := aKey(rt), m.draw(rt)
	want, wantErr := m.model.Update(rt.Context(), key, fn)
	got, err := m.store.Update(rt.Context(), key, fn)
	if err != wantErr {
		rt.Fatalf("update of %q: %v, want %v", key, err, wantErr)
	}
	m.expect(fmt.Sprintf("update of %q", key), got, want)
}

// draw returns a change of some kind, the same each time that it is run.
func (m *machine) draw(rt *rapid.T) func(*todo.List) error {
	m.steps++
	n, now := rapid.IntRange(0, 3).Draw(rt, "n"), at(m.steps)
	text := rapid.StringMatching(`[a-z<>&é"\\ \n]{1,12}`).Draw(rt, "text")
	status := rapid.SampledFrom([]todo.Status{todo.Pending, todo.InProgress, todo.Completed}).Draw(rt, "status")
	what := rapid.SampledFrom([]string{"nothing", "refuse", "append", "append", "status", "drop", "clear", "blank", "pause", "past", "news", "before", "check", "ran", "bad", "full"}).Draw(rt, "what")
	return func(l *todo.List) error {
		if what != "nothing" {
			l.UpdatedAt = now
		}
		switch what {
		case "refuse":
			l.Items = nil
			return errRefused
		case "append":
			it := item(text)
			it.ID, it.Status, it.CreatedAt = fmt.Sprint(m.steps), status, now
			l.Items = append(l.Items, it)
		case "status":
			if n < len(l.Items) {
				l.Items[n].Status = status
			}
		case "drop":
			if n < len(l.Items) {
				l.Items = slices.Delete(l.Items, n, n+1)
			}
		case "clear":
			l.Items = []todo.Item{}
		case "blank":
			*l = todo.List{}
		case "pause":
			if l.Pause = nil; n > 0 {
				l.Pause = &todo.Pause{Reason: text, At: now}
			}
		case "past":
			for _, i := range l.Items {
				l.Past = append(l.Past, todo.Past{Item: i, How: todo.Finished, At: now})
			}
		case "news":
			if l.News = append(l.News, text); n == 0 {
				l.News = nil
			}
		case "before":
			if l.Before = nil; n > 0 {
				l.Before = &todo.Snapshot{What: text, At: now, Items: todo.CloneItems(l.Items)}
			}
		case "check":
			if l.Check, l.BadCheck = nil, nil; n > 0 {
				l.Check = &pawl.Check{Name: fmt.Sprint(n), Run: []string{"true", text}}
			}
		case "ran":
			if l.Checked = nil; n > 0 {
				l.Checked = &todo.Checked{Sum: text, Passed: n > 1, Exit: n, At: now}
			}
		case "bad":
			l.Check, l.BadCheck = nil, []byte(`{"run":["x"],"of":"another version","n":`+fmt.Sprint(n)+`}`)
		case "full":
			*l = full(l.Key)
			l.UpdatedAt = now
		}
		return nil
	}
}

// call and end tell both stores of a tool call, through the service that hooks
// use: one keeps a log, the other writes its list.
func (m *machine) call(rt *rapid.T) {
	m.steps++
	call := todo.Call{ToolCall: begun(fmt.Sprint(m.steps)), Project: "/p", Arguments: rapid.Bool().Draw(rt, "arguments")}
	m.both(rt, func(s *todo.Service, key todo.Key) error { return s.CallStarted(rt.Context(), key, call) })
}

func (m *machine) end(rt *rapid.T) {
	id := fmt.Sprint(rapid.IntRange(max(0, m.steps-10), m.steps).Draw(rt, "id"))
	all := rapid.IntRange(0, 9).Draw(rt, "all") == 0
	m.both(rt, func(s *todo.Service, key todo.Key) error {
		if all {
			return s.CallsInterrupted(rt.Context(), key)
		}
		return s.CallEnded(rt.Context(), key, id, todo.Succeeded)
	})
}

func (m *machine) both(rt *rapid.T, tell func(*todo.Service, todo.Key) error) {
	key := aKey(rt)
	for _, store := range []todo.Store{m.model, m.store} {
		if err := tell(todo.New(store, func() time.Time { return at(m.steps) }), key); err != nil {
			rt.Fatalf("a call of %q: %v", key, err)
		}
	}
}

func (m *machine) remove(rt *rapid.T) {
	key := aKey(rt)
	m.model.Remove(rt.Context(), key)
	if err := m.store.Remove(rt.Context(), key); err != nil {
		rt.Fatalf("remove %q: %v", key, err)
	}
}

func (m *machine) sweep(rt *rapid.T) {
	sweeper, ok := m.store.(todo.Sweeper)
	if !ok {
		return
	}
	done := at(rapid.IntRange(0, m.steps).Draw(rt, "done"))
	open := at(rapid.IntRange(0, m.steps).Draw(rt, "open"))
	want, _ := m.model.Sweep(rt.Context(), done, open)
	if got, err := sweeper.Sweep(rt.Context(), done, open); got != want || err != nil {
		rt.Fatalf("sweep removed %d, %v; want %d", got, err, want)
	}
}

func (m *machine) compare(rt *rapid.T) {
	for _, key := range someKeys {
		want, _ := m.model.Load(rt.Context(), key)
		m.expect(fmt.Sprintf("the list of %q", key), m.load(key), want)
		m.look(key)
	}
	want, _ := m.model.Lists(rt.Context(), time.Time{})
	if got := m.lists(); !slices.Equal(got, want) {
		rt.Fatalf("lists tells of\n     %+v,\nwant %+v", got, want)
	}
	if problems := m.store.Problems(); len(problems) != 0 {
		rt.Fatalf("there are problems: %q", problems)
	}
}
