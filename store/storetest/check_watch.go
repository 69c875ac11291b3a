package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promise 9: hints, where the store gives any, and [pawl.Board.Watch] on top of
// whatever it gives.
func watchChecks() []check {
	return []check{
		{name: "9 every commit is hinted at", run: func(w *world) {
			hints := w.notify(w.ctx, w.store)
			for n := range 3 {
				w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.ID(n + 1)}) })
				w.hint(hints)
			}
		}},
		{name: "9 nobody who listens is left out", run: func(w *world) {
			var all []<-chan struct{}
			for range 5 {
				all = append(all, w.notify(w.ctx, w.store))
			}
			w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			for _, hints := range all {
				w.hint(hints)
			}
		}},
		{name: "9 hints become one when nobody takes them", run: func(w *world) {
			hints := w.notify(w.ctx, w.store)
			for n := range 20 {
				w.commit(func(d draft) { d.add(pawl.Task{ID: pawl.ID(n + 1)}) })
			}
			w.hint(hints)
			if cap(hints) != 1 {
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
			if _, err := other.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), nil }); err != nil {
				w.Fatalf("Update: %v", err)
			}
			w.hint(here)
			w.hint(there)
		}},

		{name: "9 a watch shows what was there and what comes", run: func(w *world) {
			workload(w)
			for i := range w.want.sets {
				f := w.follow(w.store, w.want.sets[i].Revision)
				f.reach(w.want.revision)
				w.commit(func(d draft) { d[1].Description += "." })
				f.reach(w.want.revision)
				f.end()
				same(w, "what the watch showed", w.want.sets[i+1:], f.sets)
			}
		}},
		{name: "9 two stores on a board see what the other does", needs: canShare, run: func(w *world) {
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			other := w.share()
			here, there := w.follow(w.store, rev), w.follow(other, rev)
			for range 4 {
				for _, store := range []pawl.Store{w.store, other} {
					var err error
					rev, err = store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), nil })
					if err != nil {
						w.Fatalf("Update: %v", err)
					}
					here.reach(rev)
					there.reach(rev)
				}
			}
			here.end()
			there.end()
		}},
		{name: "9 a burst is watched without a gap", run: func(w *world) {
			const commits, sets = 10, 100
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			f := w.follow(w.store, rev)
			for range commits {
				_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
					commit := counted(r, 1)
					for range sets - 1 {
						commit.Sets = append(commit.Sets, pawl.ChangeSet{At: r.Now(), Verb: "nothing"})
					}
					return commit, nil
				})
				if err != nil {
					w.Fatalf("Update: %v", err)
				}
			}
			f.reach(rev + commits*sets)
			f.end()
		}},
		{name: "9 who watches slowly misses nothing, and keeps nobody waiting", run: func(w *world) {
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			at := rev
			w.commit(func(d draft) { d[1].Description += "." })
			ctx, cancel := context.WithTimeout(w.ctx, hangs+20*pawl.WatchInterval)
			defer cancel()
			for set, err := range w.board.Watch(ctx, rev) {
				if err != nil || set.Revision != at+1 {
					w.Fatalf("revision %d follows %d: %v", set.Revision, at, err)
				}
				if at = set.Revision; at == rev+20 {
					break
				}
				for range 3 { // the watch is in the middle of its sequence
					w.commit(func(d draft) { d[1].Description += "." })
				}
			}
			if at != rev+20 {
				w.Errorf("the watch came to revision %d of %d", at, w.want.revision)
			}
		}},
		{name: "9 a watch of a new board sees it begin", run: func(w *world) {
			f := w.follow(w.store, 0)
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			f.reach(rev)
			f.end()
			same(w, "what the watch showed", w.want.sets, f.sets)
		}},
		{name: "9 a watch goes on after history that is gone", run: goneOn, needs: func(o *opener) bool { return o.bounded != nil }},
	}
}

func canShare(o *opener) bool { return o.share != nil }

// share opens the same board a second time.
func (w *world) share() pawl.Store {
	other := w.opener.share(w.opener.t, w.watch.Store, w.clock.Now)
	if other != w.watch.Store {
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

// A follower watches a board from a goroutine of its own.
type follower struct {
	w      *world
	cancel context.CancelFunc
	news   chan pawl.ChangeSet
	err    error // read after news is closed
	at     pawl.Revision
	sets   []pawl.ChangeSet
}

func (w *world) follow(store pawl.Store, after pawl.Revision) *follower {
	ctx, cancel := context.WithCancel(w.ctx)
	f := &follower{w: w, cancel: cancel, news: make(chan pawl.ChangeSet), at: after}
	go func() {
		defer close(f.news)
		for set, err := range pawl.NewBoard(store).Watch(ctx, after) {
			if err != nil {
				f.err = err
				return
			}
			select {
			case f.news <- set:
			case <-ctx.Done():
			}
		}
	}()
	w.Cleanup(cancel)
	return f
}

// reach waits until the watch has shown a revision, and every one before it.
func (f *follower) reach(rev pawl.Revision) {
	f.w.Helper()
	for f.at < rev {
		select {
		case set, more := <-f.news:
			if !more {
				f.w.Fatalf("the watch ended at revision %d: %v", f.at, f.err)
			}
			if f.at != 0 && set.Revision != f.at+1 {
				f.w.Fatalf("revision %d follows %d", set.Revision, f.at)
			}
			f.at = set.Revision
			f.sets = append(f.sets, set)
		case <-time.After(patience):
			f.w.Fatalf("the watch did not come further than revision %d of %d", f.at, rev)
		}
	}
}

// end ends the watch, which may have nothing more to show.
func (f *follower) end() {
	f.w.Helper()
	f.cancel()
	for late := time.After(patience); ; {
		select {
		case set, more := <-f.news:
			if !more {
				if f.err != nil {
					f.w.Errorf("the watch: %v", f.err)
				}
				return
			}
			f.w.Errorf("revision %d came although the board is at %d", set.Revision, f.at)
		case <-late:
			f.w.Fatalf("the watch did not end with its context")
		}
	}
}

// goneOn watches a board from before its history begins.
func goneOn(w *world) {
	if err := w.store.Close(); err != nil {
		w.Fatalf("Close: %v", err)
	}
	w.use(w.opener.bounded(w.opener.t, w.clock.Now))
	var revs []pawl.Revision
	for range w.opener.sets + 1 {
		rev, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), nil })
		if err != nil {
			w.Fatalf("Update: %v", err)
		}
		revs = append(revs, rev)
	}
	last := revs[len(revs)-1]
	ctx, cancel := context.WithTimeoutCause(w.ctx, hangs, fmt.Errorf("it showed too little"))
	defer cancel()
	at, told := pawl.Revision(0), false
	for set, err := range w.board.Watch(ctx, revs[0]-1) {
		if e, ok := errors.AsType[*pawl.Error](err); ok && e.Kind == pawl.Gone && !told {
			at, told = e.Revision, true
		} else if err != nil || !told || set.Revision != at+1 {
			w.Fatalf("revision %d follows %d: %v", set.Revision, at, err)
		} else {
			at = set.Revision
		}
		if at == last {
			break
		}
	}
	if at != last {
		w.Errorf("the watch came to revision %d of %d: %v", at, last, context.Cause(ctx))
	}
}
