package storetest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// Promise 12: a board that becomes the copy of another one.
func receiveChecks() []check {
	receiver := func(o *opener) bool { return o.receiver }
	all := []check{
		{name: "12 a copy is the same board", run: func(w *world) {
			withPast(w)
			to := w.second()
			w.copyTo(to, "run", fresh)
			w.sameBoard(to)
			to.reopen()
			w.sameBoard(to)
			// Both go on from the same revision and the same id.
			for _, at := range []*world{w, to} {
				do(at, pawl.Create{Tasks: []pawl.NewTask{{Subject: "later"}}})
			}
			w.sameBoard(to)
		}},
		{name: "12 a copy keeps claims and their tokens", run: func(w *world) {
			do(w, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}})
			bob := pawl.Actor{Name: "bob", Session: "s"}
			res, err := w.board.Do(w.ctx, pawl.Request{By: bob, Op: pawl.ClaimTask{Lease: time.Hour}})
			if err != nil {
				w.Fatalf("claim: %v", err)
			}
			token := res.Changes[0].After.Claim.Token
			to := w.second()
			w.copyTo(to, "run", fresh)
			_, err = to.board.Do(w.ctx, pawl.Request{By: bob, Op: pawl.Complete{IDs: res.IDs, Token: token}})
			if err != nil {
				to.Errorf("completing under the token of the other board: %v", err)
			}
			res, err = to.board.Do(w.ctx, pawl.Request{By: bob, Op: pawl.ClaimTask{Lease: time.Hour}})
			if err != nil || res.Changes[0].After.Claim.Token <= token {
				to.Errorf("a claim after the copy: %+v, %v, and the token before was %d", res, err, token)
			}
		}},
		{name: "12 a request that ran on the one board does not run on the other", run: func(w *world) {
			req := pawl.Request{By: pawl.Actor{Name: "ada"}, ID: "once", Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}
			if _, err := w.board.Do(w.ctx, req); err != nil {
				w.Fatalf("create: %v", err)
			}
			w.clock.Advance(20 * time.Hour)
			to := w.second()
			w.copyTo(to, "run", fresh)
			to.reopen()
			if _, err := to.board.Do(w.ctx, req); err != nil {
				to.Errorf("again: %v", err)
			}
			w.sameBoard(to)
		}},
		{name: "12 an unfinished copy is no board yet", run: func(w *world) {
			withPast(w)
			to := w.second()
			parts := w.parts("run", fresh)
			for i, part := range parts {
				if to.receive(part); i == len(parts)-1 {
					break
				}
				if i%3 == 1 {
					to.reopen()
				}
				if is := to.receiving(); is == nil || is.Run != "run" {
					to.Fatalf("after part %d of %d: %+v", i, len(parts), is)
				}
				to.refuses()
			}
			if is := to.receiving(); is != nil {
				to.Errorf("after the end: %+v", is)
			}
			w.sameBoard(to)
		}},
		{name: "12 an interrupted copy goes on", run: func(w *world) {
			withPast(w)
			n := len(w.parts("run", fresh))
			for stop := 1; stop < n; stop += 2 {
				to := w.second()
				for _, part := range w.parts("first", fresh)[:stop] {
					to.receive(part)
				}
				to.reopen()
				w.commit(func(d draft) { d[1].Description += "." }) // the other board goes on
				is := to.receiving()
				if is == nil {
					to.Fatalf("after %d parts nothing is unfinished", stop)
				}
				if is.Last.Revision != 0 {
					same(to, "the last set that came", w.changes(pawl.Span{After: is.Revision - 1, Before: is.Revision + 1}), []pawl.ChangeSet{is.Last})
				}
				w.copyTo(to, "second", is.Revision)
				w.sameBoard(to)
			}
		}},
		{name: "12 a second run brings what is new", run: func(w *world) {
			withPast(w)
			to := w.second()
			w.copyTo(to, "first", fresh)
			for n := range 3 {
				at := w.revision()
				w.clock.Advance(time.Minute)
				switch n {
				case 0:
					w.commit(func(d draft) { d.remove(1); d.add(full(9)); d.block(9, 3); d[4].Parent = 3 })
				case 1:
					w.commit(func(d draft) { d[9].Status = pawl.Completed; d[9].Claim = pawl.Claim{}; d[3].Expired = 2 })
				}
				parts := w.parts(fmt.Sprint("run ", n), at)
				to.receive(parts[0])
				to.refuses()
				is := to.receiving()
				if is == nil || is.Revision != at {
					to.Fatalf("at %d it says of itself: %+v", at, is)
				}
				same(to, "the last set that it has", w.changes(pawl.Span{After: at - 1, Before: at + 1}), []pawl.ChangeSet{is.Last})
				for _, part := range parts[1:] {
					to.receive(part)
				}
				w.sameBoard(to)
			}
		}},
		{name: "12 without history a copy says that it is gone", run: func(w *world) {
			withPast(w)
			sets := w.history()
			since := sets[2].Revision
			to := w.second()
			for _, part := range w.parts("run", since) {
				if part.Begin != nil {
					part.Begin.Empty = true
				}
				to.receive(part)
			}
			for range 2 {
				same(to, "what is left", sets[3:], to.changes(pawl.Span{After: since}))
				_, err := collect(to.ctx, to.store, pawl.Span{After: since - 1})
				wantKind(to, pawl.Gone, err)
				e, _ := errors.AsType[*pawl.Error](err)
				if e == nil || e.Revision != since {
					to.Errorf("Gone: %+v, want from %d", e, since)
				}
				back, err := collect(to.ctx, to.store, pawl.Span{Backward: true})
				wantKind(to, pawl.Gone, err)
				same(to, "backward", backward(sets[3:]), back)
				same(to, "origin", w.origin(), to.origin())
				to.reopen()
			}
		}},
		{name: "12 a part that does not fit changes nothing", run: misfits},
	}
	for i := range all {
		all[i].needs = receiver
	}
	return all
}

// withPast is a board that has nearly everything.
func withPast(w *world) {
	workload(w)
	w.commitSteps(step{
		set: pawl.ChangeSet{OpID: "op", Result: []byte("{}"), By: pawl.Actor{Name: "ada", Session: "s", Agent: "a"}, Ready: []pawl.ID{3}},
		edit: func(d draft) {
			d.add(full(7))
			d[7].Claim.Until = d[7].Claim.Until.Add(time.Hour)
			d.add(pawl.Task{ID: 12, Parent: 5})
		},
	})
	w.commit(func(d draft) { d.remove(12) }) // whose id does not come again
}

func do(w *world, op pawl.Op) {
	w.Helper()
	if _, err := w.board.Do(w.ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
		w.Fatalf("%T: %v", op, err)
	}
}

// second opens another board.
func (w *world) second() *world {
	w.Helper()
	at := *w.opener
	to := newWorld(w.TB, &at)
	to.clock = w.clock
	if err := to.store.Close(); err != nil {
		w.Fatalf("Close: %v", err)
	}
	to.use(at.open(at.t, w.clock.Now))
	return to
}

func (w *world) revision() (rev pawl.Revision) {
	w.Helper()
	w.view(func(r pawl.Reader) { rev = r.Revision() })
	return rev
}

func (w *world) receiver() pawl.Receiver {
	w.Helper()
	r, ok := w.watch.Store.(pawl.Receiver)
	if !ok {
		w.Fatalf("%T is not a Receiver", w.watch.Store)
	}
	return r
}

func (w *world) receiving() *pawl.Receiving {
	w.Helper()
	is, err := w.receiver().Receiving(w.ctx)
	if err != nil {
		w.Fatalf("Receiving: %v", err)
	}
	return is
}

func (w *world) receive(part pawl.Part) {
	w.Helper()
	if err := w.receiver().Receive(w.ctx, part); err != nil {
		w.Fatalf("Receive(%+v): %v", part, err)
	}
}

// refuses checks that the board cannot be used.
func (w *world) refuses() {
	w.Helper()
	unfinished := func(what string, err error) {
		w.Helper()
		if !errors.Is(err, pawl.Unavailable) {
			w.Errorf("%s of an unfinished copy: %v", what, err)
		}
	}
	unfinished("View", w.store.View(w.ctx, func(pawl.Reader) error { return nil }))
	_, err := w.watch.Store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return pawl.Commit{}, nil })
	unfinished("Update", err)
	_, err = collect(w.ctx, w.store, pawl.Span{})
	unfinished("Changes", err)
	if g, ok := w.watch.Store.(pawl.Glancer); ok {
		if _, ok, err := g.Glance(w.ctx, pawl.GlanceQuery{}); ok && err == nil {
			w.Errorf("Glance answers of an unfinished copy")
		}
	}
}

// fresh stands for the revision of a board that is empty.
const fresh pawl.Revision = -1

// parts are those that copy the board, from a revision on.
func (w *world) parts(run string, since pawl.Revision) []pawl.Part {
	w.Helper()
	const few = 2
	var parts []pawl.Part
	sets := w.changes(pawl.Span{After: max(since, 0)})
	w.view(func(r pawl.Reader) {
		tasks, err := selectAll(r, pawl.Query{})
		if err != nil {
			w.Fatalf("Select: %v", err)
		}
		begin := pawl.Begin{Origin: r.Origin(), Since: since}
		if since == fresh {
			begin.Empty, begin.Since = true, r.Revision()
			if len(sets) > 0 {
				begin.Since = sets[0].Revision - 1
			}
		}
		parts = append(parts, pawl.Part{Begin: &begin})
		for some := range slices.Chunk(sets, few) {
			parts = append(parts, pawl.Part{Sets: some})
		}
		var after pawl.ID
		for some := range slices.Chunk(tasks, few) {
			upTo := some[len(some)-1].ID
			parts = append(parts, pawl.Part{Tasks: &pawl.Stretch{After: after, UpTo: upTo, Tasks: some}})
			after = upTo
		}
		parts = append(parts,
			pawl.Part{Tasks: &pawl.Stretch{After: after, UpTo: pawl.MaxID}},
			pawl.Part{End: &pawl.End{Revision: r.Revision(), LastID: r.LastID()}})
	})
	for i := range parts {
		parts[i].Run = run
	}
	return parts
}

// copyTo makes another board a copy, which is at a revision, or fresh.
func (w *world) copyTo(to *world, run string, since pawl.Revision) {
	w.Helper()
	for _, part := range w.parts(run, since) {
		to.receive(part)
	}
}

// sameBoard compares everything that two boards show.
func (w *world) sameBoard(to *world) {
	w.Helper()
	same(w, "origin", w.origin(), to.origin())
	one, err := snapshot(w.ctx, w.store)
	if err != nil {
		w.Fatalf("%v", err)
	}
	other, err := snapshot(w.ctx, to.store)
	if err != nil {
		w.Fatalf("%v", err)
	}
	same(w, "revision", one.revision, other.revision)
	same(w, "last id", one.lastID, other.lastID)
	same(w, "tasks", one.tasks, other.tasks)
	same(w, "the ready order", one.ready, other.ready)
	same(w, "history", one.sets, other.sets)
	same(w, "trimmed", one.trimmed, other.trimmed)
	w.view(func(r pawl.Reader) {
		to.view(func(s pawl.Reader) {
			for _, set := range one.sets {
				was, ran, err := r.Result(set.OpID)
				is, again, err2 := s.Result(set.OpID)
				if err != nil || err2 != nil || ran != again || string(was) != string(is) {
					w.Errorf("the result of %q: %q, %v, %v, and of the copy %q, %v, %v", set.OpID, was, ran, err, is, again, err2)
				}
			}
		})
	})
}

// misfits sends parts that do not fit, between those that do.
func misfits(w *world) {
	withPast(w)
	to := w.second()
	refused := func(kind pawl.Kind, what string, part pawl.Part) {
		w.Helper()
		if part.Run == "" {
			part.Run = "run"
		}
		if err := to.receiver().Receive(w.ctx, part); !errors.Is(err, kind) {
			w.Errorf("%s: %v, want %v", what, err, kind)
		}
	}
	parts := w.parts("run", fresh)
	sets := w.history()
	first := sets[0].Revision
	refused(pawl.Conflict, "sets before the beginning", parts[1])
	refused(pawl.Conflict, "the end before the beginning", parts[len(parts)-1])
	refused(pawl.Conflict, "more of a copy that is not there", pawl.Part{Begin: &pawl.Begin{Origin: w.origin(), Since: first}})
	refused(pawl.Invalid, "nothing", pawl.Part{})
	to.receive(parts[0])
	refused(pawl.Conflict, "a beginning on an empty board", parts[0])
	refused(pawl.Conflict, "another board", pawl.Part{Begin: &pawl.Begin{Origin: w.origin() + 1, Since: first + 1}})
	refused(pawl.Conflict, "sets after a gap", pawl.Part{Sets: sets[1:2]})
	refused(pawl.Invalid, "sets with a gap", pawl.Part{Sets: []pawl.ChangeSet{sets[0], sets[2]}})
	refused(pawl.Conflict, "parts of another run", pawl.Part{Run: "other", Sets: sets[:1]})
	refused(pawl.Conflict, "an early end", pawl.Part{End: &pawl.End{Revision: w.revision()}})
	stretch := func(tasks ...pawl.Task) pawl.Part {
		return pawl.Part{Tasks: &pawl.Stretch{After: 2, UpTo: 5, Tasks: tasks}}
	}
	task := func(id pawl.ID, edit func(*pawl.Task)) pawl.Task {
		t := pawl.Task{ID: id, Subject: "x", Status: pawl.Pending}
		edit(&t)
		return t
	}
	plain := func(*pawl.Task) {}
	refused(pawl.Invalid, "a task before the stretch", stretch(task(2, plain)))
	refused(pawl.Invalid, "a task after the stretch", stretch(task(6, plain)))
	refused(pawl.Invalid, "tasks in disorder", stretch(task(4, plain), task(3, plain)))
	refused(pawl.Invalid, "a task twice", stretch(task(3, plain), task(3, plain)))
	refused(pawl.Invalid, "a damaged task", stretch(task(3, func(t *pawl.Task) { t.Damage = "torn" })))
	refused(pawl.Invalid, "a task that was not merged", stretch(task(3, func(t *pawl.Task) { t.Merging = []pawl.Task{{ID: 3}} })))
	refused(pawl.Invalid, "a status that does not exist", stretch(task(3, func(t *pawl.Task) { t.Status = "lost" })))
	refused(pawl.Invalid, "a claim that no board makes", stretch(task(3, func(t *pawl.Task) { t.Claim.Token = -1 })))
	if is := to.receiving(); is == nil || is.Run != "run" || is.Revision != first-1 || is.Last.Revision != 0 {
		w.Errorf("after all that: %+v", is)
	}
	for _, part := range parts[1:] {
		to.receive(part)
	}
	refused(pawl.Conflict, "a part after the end", parts[1])
	refused(pawl.Conflict, "a beginning on a board that has tasks", parts[0])
	refused(pawl.Conflict, "a beginning somewhere else", pawl.Part{Begin: &pawl.Begin{Origin: w.origin(), Since: w.revision() - 1}})
	w.sameBoard(to)
}
