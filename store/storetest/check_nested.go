package storetest

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// hangs is how long a check waits for an end or a hint. No correct store takes that
// long, even on a busy machine.
const hangs = time.Minute

// ends fails the check unless fn, which gets a context that ends earlier, ends.
func ends(w *world, what string, fn func(ctx context.Context)) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, hangs)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn(ctx)
	}()
	select {
	case <-done:
	case <-time.After(2 * hangs):
		w.hung = true
		w.Fatalf("%s: it hangs", what)
	}
}

// callsInView calls a store from the function of a view, which still shows the
// board as it was.
func callsInView(w *world) {
	w.commit(func(d draft) { d.add(full(1)); d.add(full(2)); d.block(1, 2) })
	next := w.plan(step{edit: func(d draft) {
		d[2].Subject = "changed"
		d.remove(1)
		// So much that a store that maps its file has to map a larger one, for
		// which some wait until nobody reads any more.
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

// callsInDoThen calls the board, and another one, from a function that runs
// while the store is being updated: both refuse at once.
func callsInDoThen(w *world) {
	ada := pawl.Actor{Name: "ada"}
	one := pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}
	nothing := func(pawl.Reader) error { return nil }
	before := w.board.Changes(w.ctx, pawl.Span{})
	ends(w, "the board inside DoThen", func(ctx context.Context) {
		_, err := w.board.DoThen(ctx, []pawl.Request{one}, func(pawl.Reader, []pawl.Result, error) {
			for _, board := range []*pawl.Board{w.board, pawl.NewBoard(w.store)} {
				_, done := board.Do(ctx, one)
				_, tried := board.Try(ctx, one)
				_, got := board.Get(ctx, 1)
				_, glanced := board.Glance(ctx, pawl.GlanceQuery{Ready: 1})
				_, _, polled := board.ChangedSince(ctx, 0)
				_, checked := board.Check(ctx)
				_, mended := board.Mend(ctx, ada, true)
				var listed, ranged, watched error
				for _, err := range board.Changes(ctx, pawl.Span{}) {
					listed = err
				}
				for _, err := range before {
					ranged = err
				}
				for _, err := range board.Watch(ctx, 0) {
					if watched = err; err == nil {
						break
					}
				}
				for name, err := range map[string]error{
					"Do": done, "Try": tried, "View": board.View(ctx, nothing), "Recorded": board.Recorded(ctx, nothing), "Get": got,
					"Glance": glanced, "ChangedSince": polled, "Check": checked, "Mend": mended, "Changes": listed, "Changes from before": ranged, "Watch": watched, "Close": board.Close(),
				} {
					if !errors.Is(err, pawl.Invalid) {
						w.Errorf("%s inside DoThen: %v, want it refused as %v", name, err, pawl.Invalid)
					}
				}
			}
		})
		if err != nil {
			w.Errorf("DoThen: %v", err)
		}
	})
	if tasks, err := w.board.Get(w.ctx, 1); err != nil || len(tasks) != 1 {
		w.Errorf("afterwards: %v, %v", tasks, err)
	}
}
