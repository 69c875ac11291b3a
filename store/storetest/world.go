package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawl-dev/pawl"
)

// A world is one board under test: a store, a clock, and what the store should
// hold by now as far as hand-made commits went.
type world struct {
	TB
	opener *opener
	clock  *Clock
	store  *watched
	board  *pawl.Board
	base   atomic.Int64
	ctx    context.Context // outlives the test, for what runs at its end
	hung   bool            // a call did not end: closing might wait for it

	want state
}

// newWorld opens a store that is watched. When the check ends, whatever board
// it left is checked and the store closed.
func newWorld(tb TB, o *opener) *world {
	clock := NewClock()
	w := &world{TB: tb, opener: o, clock: clock, ctx: context.WithoutCancel(tb.Context()), want: state{tasks: draft{}}}
	w.base.Store(-1)
	w.use(o.open(o.t, clock.Now))
	tb.Cleanup(func() {
		if !tb.Failed() {
			CheckInvariants(tb, w.store)
		}
		if w.hung {
			return
		}
		if err := w.store.Close(); err != nil {
			tb.Errorf("Close: %v", err)
		}
	})
	return w
}

// Errorf says the first thing that is wrong: what follows from it would only be long.
func (w *world) Errorf(format string, args ...any) {
	w.Helper()
	if !w.Failed() {
		w.TB.Errorf(format, args...)
	}
}

func (w *world) use(store pawl.Store) {
	w.store = &watched{Store: store, tb: w.TB, base: &w.base}
	w.board = pawl.NewBoard(w.store)
}

// reopen closes the store and opens the same board again, if that can be done.
func (w *world) reopen() {
	w.Helper()
	if w.opener.again == nil {
		return
	}
	if err := w.store.Close(); err != nil {
		w.Fatalf("Close: %v", err)
	}
	w.use(w.opener.again(w.opener.t, w.store.Store, w.clock.Now))
}

// bound goes on with another board, which keeps little history.
func (w *world) bound() {
	w.Helper()
	if err := w.store.Close(); err != nil {
		w.Fatalf("Close: %v", err)
	}
	w.use(w.opener.bounded(w.opener.t, w.clock.Now))
}

// view runs fn, which may not fail.
func (w *world) view(fn func(r pawl.Reader)) {
	w.Helper()
	if err := w.store.View(w.ctx, func(r pawl.Reader) error { fn(r); return nil }); err != nil {
		w.Fatalf("View: %v", err)
	}
}

// first is the revision before the first change, from which moves count.
func (w *world) first() pawl.Revision { return max(0, pawl.Revision(w.base.Load())) }

// origin is what the board counts its sets from.
func (w *world) origin() (origin pawl.Revision) {
	w.Helper()
	w.view(func(r pawl.Reader) { origin = r.Origin() })
	return origin
}

// history returns the whole history of the board.
func (w *world) history() []pawl.ChangeSet {
	w.Helper()
	return w.changes(pawl.Span{})
}

func (w *world) changes(span pawl.Span) []pawl.ChangeSet {
	w.Helper()
	sets, err := collect(w.ctx, w.store, span)
	if err != nil {
		w.Fatalf("Changes(%+v): %v", span, err)
	}
	return sets
}

func collect(ctx context.Context, store pawl.Store, span pawl.Span) ([]pawl.ChangeSet, error) {
	var sets []pawl.ChangeSet
	for set, err := range store.Changes(ctx, span) {
		if err != nil {
			return sets, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// get returns a task, which must be there.
func (w *world) get(id pawl.ID) pawl.Task {
	w.Helper()
	var task pawl.Task
	w.view(func(r pawl.Reader) {
		w.Helper()
		tasks, err := r.Get(id)
		if err != nil || len(tasks) != 1 {
			w.Fatalf("Get(%v): %d tasks, %v", id, len(tasks), err)
		}
		task = tasks[0]
	})
	return task
}

// same fails the test when got is not want, empty and nil being the same. A test that has
// failed has said enough.
func same(tb TB, what string, want, got any) {
	tb.Helper()
	if tb.Failed() || reflect.DeepEqual(want, got) { // which is nearly always, and much faster
		return
	}
	if w, g := idsOf(want), idsOf(got); !slices.Equal(w, g) {
		tb.Errorf("%s has the tasks %v, want %v", what, g, w)
	} else if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, cut(diff))
	}
}

func idsOf(v any) (ids []pawl.ID) {
	switch v := v.(type) {
	case pawl.Page:
		return idsOf(v.Tasks)
	case []pawl.Task:
		for _, t := range v {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// cut returns the first lines of a text.
func cut(text string) string {
	const most = 40
	lines := strings.Split(text, "\n")
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "\n") + fmt.Sprintf("\n… and %d lines more", len(lines)-most)
}

// wantKind fails the test unless err is an *Error of the kind.
func wantKind(tb TB, kind pawl.Kind, err error) {
	tb.Helper()
	if e, ok := errors.AsType[*pawl.Error](err); !ok || !errors.Is(err, kind) {
		tb.Errorf("error %v (%T, %v), want a *pawl.Error that is %v", err, err, e, kind)
	}
}

// A state is what a store should hold.
type state struct {
	tasks    draft
	lastID   pawl.ID
	revision pawl.Revision // of the last set
	sets     []pawl.ChangeSet
}

// A step is one change set of a hand-made commit: what it says of itself, and
// an edit of the board.
type step struct {
	set  pawl.ChangeSet
	edit func(d draft)
}

// commit writes one set that makes of the board what edit makes of the draft,
// and returns its revision.
func (w *world) commit(edit func(d draft)) pawl.Revision {
	w.Helper()
	return w.commitSteps(step{edit: edit})
}

// commitSteps writes one commit of several sets, then compares the store with
// what it should hold.
func (w *world) commitSteps(steps ...step) pawl.Revision {
	w.Helper()
	rev := w.write(steps...)
	w.agree()
	return rev
}

// write is commitSteps without looking at what came of it.
func (w *world) write(steps ...step) pawl.Revision {
	w.Helper()
	return w.bring(w.plan(steps...))
}

// bring commits what is planned.
func (w *world) bring(p *planned) pawl.Revision {
	w.Helper()
	rev, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
		p.number(r.Revision())
		return p.commit, nil
	})
	if err != nil {
		w.Fatalf("Update: %v", err)
	}
	w.want = p.state
	same(w, "the revision that Update returned", w.want.revision, rev)
	return rev
}

// count commits an edit that [counted] makes, to a store on the board.
func (w *world) count(store pawl.Store) pawl.Revision {
	w.Helper()
	rev, err := store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { return counted(r, 1), nil })
	if err != nil {
		w.Fatalf("Update: %v", err)
	}
	return rev
}

// inUpdate runs look in an update that commits nothing.
func (w *world) inUpdate(look func(r pawl.Reader)) {
	w.Helper()
	_, err := w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) { look(r); return pawl.Commit{}, nil })
	if err != nil {
		w.Fatalf("Update: %v", err)
	}
}

// A planned commit, and the state that it should lead to.
type planned struct {
	commit pawl.Commit
	state  state
	first  int // how many sets the state had before
}

func (w *world) plan(steps ...step) *planned {
	p := &planned{first: len(w.want.sets)}
	p.state = w.want
	p.state.sets = slices.Clone(w.want.sets)
	brought := map[pawl.ID]pawl.Rank{} // the places that the store knows from what changed
	for id, t := range w.want.tasks {
		brought[id] = t.Rank()
	}
	for _, s := range steps {
		before := p.state.tasks
		p.state.tasks = before.clone()
		s.edit(p.state.tasks)
		p.state.tasks.settle()
		changes := before.diff(p.state.tasks)
		for _, c := range changes {
			if c.After != nil {
				brought[c.ID] = c.After.Rank()
			}
		}
		set := s.set
		if set.Verb == "" {
			set.Verb = "edit"
		}
		set.At, set.Changes = w.clock.stored(), changes
		p.commit.Sets = append(p.commit.Sets, set)
		kept := set
		kept.Changes = nil
		for _, c := range changes {
			kept.Changes = append(kept.Changes, c.Trim())
		}
		p.state.sets = append(p.state.sets, kept)
	}
	for _, t := range p.state.tasks.list() {
		p.state.lastID = max(p.state.lastID, t.ID)
		if was := w.want.tasks[t.ID]; brought[t.ID] != t.Rank() || was != nil && was.Rank() != t.Rank() {
			p.commit.Ranks = append(p.commit.Ranks, t.Rank())
		}
	}
	p.commit.LastID = p.state.lastID
	return p
}

// number gives the expected sets their revisions.
func (p *planned) number(last pawl.Revision) {
	for i := p.first; i < len(p.state.sets); i++ {
		p.state.sets[i].Revision = last + pawl.Revision(i-p.first+1)
	}
	p.state.revision = last + pawl.Revision(len(p.state.sets)-p.first)
}

// agree compares everything that the store shows with what it should hold.
func (w *world) agree() {
	w.Helper()
	w.view(func(r pawl.Reader) {
		w.Helper()
		if len(w.want.sets) > 0 {
			same(w, "revision", w.want.revision, r.Revision())
		}
		same(w, "last id", w.want.lastID, r.LastID())
		tasks, err := selectAll(r, pawl.Query{})
		if err != nil {
			w.Fatalf("Select: %v", err)
		}
		same(w, "tasks", w.want.tasks.list(), tasks)
		briefs, err := selectAll(r, pawl.Query{Brief: true})
		if err != nil {
			w.Fatalf("Select: %v", err)
		}
		same(w, "briefs", brief(w.want.tasks.list()), briefs)
	})
	same(w, "history", w.want.sets, w.history())
}
