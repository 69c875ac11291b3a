package storetest

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promise 9: hints, where the store gives any.
func hintChecks() []check {
	return []check{
		{name: "9 every commit is hinted at, to all who listen", run: func(w *world) {
			var all []<-chan struct{}
			for range 5 {
				all = append(all, w.notify(w.ctx, w.store))
			}
			for n := range 3 {
				w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.ID(n + 1)}) })
				for _, hints := range all {
					w.hint(hints)
				}
			}
		}},
		{name: "9 hints become one when nobody takes them", run: func(w *world) {
			hints := w.notify(w.ctx, w.store)
			for n := range 20 {
				w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.ID(n + 1)}) })
			}
			w.hint(hints)
			if hints != nil && cap(hints) != 1 {
				w.Errorf("there is room for %d hints", cap(hints))
			}
		}},
		{name: "9 the channel closes with the context", run: func(w *world) {
			ctx, cancel := context.WithCancel(w.ctx)
			hints, others := w.notify(ctx, w.store), w.notify(w.ctx, w.store)
			cancel()
			w.closed(hints)
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			w.hint(others)
		}},
		{name: "9 a commit of another store on the board is hinted at", needs: canShare, run: func(w *world) {
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			other := w.share()
			here, there := w.notify(w.ctx, w.store), w.notify(w.ctx, other)
			w.write(step{edit: func(d draft) { d[1].Description = "1" }})
			w.hint(here)
			w.hint(there)
			w.count(other)
			w.hint(here)
			w.hint(there)
		}},

		{name: "9 a hint comes once its change shows", run: hintAfterTruth},
	}
}

func canShare(o *opener) bool { return o.share != nil }

// share opens the same board a second time.
func (w *world) share() pawl.Store {
	other := w.opener.share(w.opener.t, w.store.Store, w.clock.Now)
	if other != w.store.Store {
		w.Cleanup(func() {
			if err := other.Close(); err != nil {
				w.Errorf("Close: %v", err)
			}
		})
	}
	return &watched{Store: other, tb: w.TB, base: &w.base}
}

// patience is how long a check waits for news. In a synctest bubble it is shorter than
// the time after which a watch without hints looks by itself: see the tests of this
// package.
var patience = hangs

// notify listens to a store until the check ends. Where it hints at nothing, nothing can be checked
// about that, and the channel is nil.
func (w *world) notify(ctx context.Context, store pawl.Store) <-chan struct{} {
	w.Helper()
	notifier, ok := store.(*watched).Store.(pawl.Notifier)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	w.Cleanup(cancel)
	hints, err := notifier.Notify(ctx)
	if err != nil {
		w.Fatalf("Notify: %v", err)
	}
	return hints
}

// hint waits for one.
func (w *world) hint(hints <-chan struct{}) {
	w.Helper()
	if hints == nil {
		return
	}
	select {
	case _, open := <-hints:
		if !open {
			w.Fatalf("the channel was closed")
		}
	case <-time.After(patience):
		w.Fatalf("no hint came")
	}
}

// closed waits for the end of hints.
func (w *world) closed(hints <-chan struct{}) {
	w.Helper()
	for late := time.After(patience); hints != nil; {
		select {
		case _, open := <-hints:
			if !open {
				return
			}
		case <-late:
			w.Fatalf("the channel was not closed")
		}
	}
}

// hintAfterTruth looks at history at each hint, and only then: one that came too early would
// be the last one.
func hintAfterTruth(w *world) {
	at := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
	hints, seen, end := w.notify(w.ctx, w.store), make(chan pawl.Revision, 100), make(chan struct{})
	if hints == nil {
		return
	}
	w.Cleanup(func() { close(end) })
	go func() {
		for last := at; ; {
			select {
			case <-hints:
			case <-end:
				return
			}
			for set := range w.store.Changes(w.ctx, pawl.Span{After: last}) {
				last = set.Revision
				seen <- last
			}
		}
	}()
	for rev := at + 1; rev <= at+4; rev++ {
		w.count(w.store)
		select {
		case now := <-seen:
			same(w, "a revision that shows", rev, now)
		case <-time.After(patience):
			w.Fatalf("no hint came when history showed revision %d", rev)
		}
	}
}
