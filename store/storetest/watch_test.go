package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// A board is watched on top of the hints that a store gives.
func TestWatch(t *testing.T) {
	for _, c := range []check{
		{name: "a watch shows what was there and what comes", run: func(w *world) {
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
		{name: "two stores on a board see what the other does", run: func(w *world) {
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1, Description: "0"}) })
			other := w.share()
			here, there := w.follow(w.store, rev), w.follow(other, rev)
			for range 4 {
				for _, store := range []pawl.Store{w.store, other} {
					rev = w.count(store)
					here.reach(rev)
					there.reach(rev)
				}
			}
			here.end()
			there.end()
		}},
		{name: "a burst is watched without a gap", run: func(w *world) {
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
		{name: "who watches slowly misses nothing, and keeps nobody waiting", run: func(w *world) {
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
		{name: "a watch of a new board sees it begin", run: func(w *world) {
			f := w.follow(w.store, 0)
			rev := w.commit(func(d draft) { d.add(pawl.Task{ID: 1}) })
			f.reach(rev)
			f.end()
			same(w, "what the watch showed", w.want.sets, f.sets)
		}},
		{name: "a watch goes on after history that is gone", run: goneOn},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(newWorld(t, sound(t, nil))) })
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
	w.bound()
	var revs []pawl.Revision
	for range w.opener.sets + 1 {
		revs = append(revs, w.count(w.store))
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
