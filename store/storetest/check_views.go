package storetest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promise 4: what View does.
func viewChecks() []check {
	return []check{
		{name: "4 a view does not change while others write", run: steadyViews},
		{name: "4 a view does not change, whatever is called inside it", run: callsInView},
		{name: "4 the clock is in UTC and whole milliseconds", run: func(w *world) {
			look := func(r pawl.Reader) {
				if got, want := r.Now(), w.clock.stored(); got != want {
					w.Errorf("Now: %v, want %v", got, want)
				}
			}
			for range 3 {
				w.view(look)
				w.inUpdate(look)
				w.clock.Advance(-time.Hour - time.Microsecond)
			}
		}},
		{name: "4 the clock stands still in a view", run: func(w *world) {
			w.view(func(r pawl.Reader) {
				before := r.Now()
				w.clock.Advance(time.Minute)
				if r.Now() != before {
					w.Errorf("the clock moved from %v to %v", before, r.Now())
				}
			})
		}},
	}
}

// steadyViews reads three tasks, twice in one view and by every way there is, while a writer
// keeps them equal with every commit.
func steadyViews(w *world) {
	const rounds = 40
	own := func(d draft, n int) {
		for _, t := range d {
			t.Owner = fmt.Sprint(n)
		}
	}
	first := w.commit(func(d draft) {
		for id := range pawl.ID(3) {
			d.add(pawl.Task{ID: id + 1})
		}
		d.block(1, 2)
		d.block(2, 3)
		own(d, 0)
	})
	look := func(r pawl.Reader) error {
		want := fmt.Sprint(r.Revision() - first)
		for range 2 {
			tasks, err := r.Get(1, 2, 3)
			page, pageErr := r.Select(pawl.Query{Owner: want})
			nodes, nodesErr := r.Nodes(1, 2, 3)
			reached, reachErr := r.Reach(pawl.Dependents, 1)
			var owners []string
			for _, t := range append(tasks, page.Tasks...) {
				owners = append(owners, t.Owner)
			}
			for _, n := range append(nodes, reached...) {
				owners = append(owners, n.Owner)
			}
			same(w, "the owners in one view", slices.Repeat([]string{want}, 12), owners)
			same(w, "the revision in one view", want, fmt.Sprint(r.Revision()-first))
			if err := errors.Join(err, pageErr, nodesErr, reachErr); err != nil {
				return err
			}
		}
		return nil
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := w.store.View(w.ctx, look); err != nil {
						w.Errorf("View: %v", err)
					}
				}
			}
		})
	}
	for n := range rounds {
		w.write(step{edit: func(d draft) { own(d, n+1) }})
	}
	close(done)
	readers.Wait()
	w.agree()
}

// callsInView calls a store from the function of a view, which neither waits for it nor
// changes.
func callsInView(w *world) {
	w.commit(func(d draft) { d.add(full(1)); d.add(full(2)); d.block(1, 2) })
	next := w.plan(step{edit: func(d draft) {
		d[2].Subject = "changed"
		d.remove(1)
		// So much that a store that maps its file has to map a larger one, for
		// which some stores wait until all readers have ended.
		for id := pawl.ID(3); id < 19; id++ {
			t := full(id)
			t.Description = strings.Repeat("x", pawl.MaxDescription)
			d.add(t)
		}
	}})
	ends(w, "View, Update and Changes inside View", func(ctx context.Context) {
		err := w.store.View(ctx, func(r pawl.Reader) error {
			look := func(r pawl.Reader) []any {
				tasks, err := r.Get(1, 2)
				page, pageErr := r.Select(pawl.Query{})
				nodes, nodesErr := r.Reach(pawl.Dependencies, 2)
				if err := errors.Join(err, pageErr, nodesErr); err != nil {
					w.Errorf("a view that was begun before: %v", err)
				}
				return []any{r.Revision(), r.LastID(), tasks, page, nodes}
			}
			before := look(r)
			if err := w.store.View(ctx, func(inner pawl.Reader) error {
				same(w, "what a view inside a view shows", before, look(inner))
				return nil
			}); err != nil {
				w.Errorf("View inside View: %v", err)
			}
			if _, err := w.store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
				next.number(r.Revision())
				return next.commit, nil
			}); err != nil {
				w.Errorf("Update inside View: %v", err)
			}
			if sets, err := collect(ctx, w.store, pawl.Span{}); err != nil || len(sets) != len(next.state.sets) {
				w.Errorf("Changes inside View: %d sets, want %d (%v)", len(sets), len(next.state.sets), err)
			}
			same(w, "what the view shows after an update inside it", before, look(r))
			return nil
		})
		if err != nil {
			w.Errorf("View: %v", err)
		}
	})
	w.want = next.state
	w.agree()
}

// hangs is how long a check waits for what comes from elsewhere, such as a hint. No sound
// store takes that long, even on a busy machine.
const hangs = time.Minute

// ends fails the check unless fn ends. It waits for ever once, for a second, each goroutine
// only waits for another: a store that is slow has one that runs, or is in the system.
func ends(w *world, what string, fn func(ctx context.Context)) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, hangs)
	defer cancel()
	before, done, late := goroutines(), make(chan struct{}), time.After(2*hangs)
	go func() {
		defer close(done)
		fn(ctx)
	}()
	for idle := 0; idle < 50; idle++ {
		select {
		case <-done:
			return
		case <-late:
			idle = 50
		case <-time.After(20 * time.Millisecond):
		}
		for id, state := range goroutines() {
			if state == before[id] { // it listens for somebody else
				continue
			}
			switch state {
			case "running", "runnable", "preempted", "syscall", "IO wait":
				idle = 0
			}
		}
	}
	w.hung = true
	w.Fatalf("%s: it waits for the function that it is called in", what)
}

var goroutine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^goroutine (\d+)[^[\n]* \[([^],]+)`) })

// goroutines returns the states of all goroutines but this one, by number.
func goroutines() map[string]string {
	dump := make([]byte, 4<<20)
	states := map[string]string{}
	for _, m := range goroutine().FindAllSubmatch(dump[:runtime.Stack(dump, true)], -1)[1:] {
		states[string(m[1])] = string(m[2])
	}
	return states
}
