package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// Compare makes moves on the stores that open makes, and the same ones on package memory.
// It fails if an answer differs, or if after a move the two differ in tasks, nodes, pages,
// glances, results or change sets, byte for byte as package pawl encodes them. Revisions
// count from the first one of each board.
func Compare(t *testing.T, open func(t *testing.T, clock func() time.Time) pawl.Store, opts ...Option) {
	runChecks(t, moveChecks(), open, opts)
}

func moveChecks() []check {
	checks := []check{{name: "moves an ended lease is counted once", run: func(w *world) {
		p := compared(w.opener)(w.TB)
		by := func(name, session string, op pawl.Op) move {
			return move{requests: []pawl.Request{{By: pawl.Actor{Name: name, Session: session}, Op: op}}}
		}
		high := pawl.High
		for _, m := range []move{
			by("ada", "s1", pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}}),
			by("ada", "s1", pawl.ClaimTask{Lease: pawl.Duration(10 * time.Minute)}),
			{wait: 20 * time.Minute},
			by("bob", "s2", pawl.ClaimTask{Lease: pawl.Duration(10 * time.Minute), Filter: pawl.ClaimFilter{Priority: &high}}),
			by("bob", "s2", pawl.ClaimTask{}),
		} {
			p.play(m)
		}
		p.end()
	}}}
	for seed := range uint64(2) { // the same on every machine
		checks = append(checks, check{name: fmt.Sprint("moves from seed ", seed), run: func(w *world) {
			fromSeed(w.TB, compared(w.opener), seed, 120)
		}})
	}
	return append(checks, check{name: "moves at random", run: func(w *world) { atRandom(w, compared(w.opener)) }})
}

// compared opens a store of o, and one in memory.
func compared(o *opener) func(tb TB) player {
	inMemory := &opener{t: o.t, open: func(_ *testing.T, clock func() time.Time) pawl.Store { return memory.New(memory.WithClock(clock)) }}
	return func(tb TB) player {
		return &pair{TB: tb, model: newWorld(tb, inMemory), store: newWorld(tb, o), rand: rand.New(rand.NewPCG(7, 7))}
	}
}

// A pair is two boards that are told the same.
type pair struct {
	TB
	model, store *world
	rand         *rand.Rand    // chooses what is looked at after each move
	ops          []pawl.OpID   // that were sent
	last         pawl.ID       // the last id on the model
	sets         pawl.Revision // how many change sets it has
}

func (p *pair) next(g *writer) move { return g.next(p.last, p.sets) }

// play makes a move on both boards, and compares what came of it and some of what they
// show then.
func (p *pair) play(m move) {
	p.Helper()
	for _, req := range m.requests {
		if req.ID != "" && !slices.Contains(p.ops, req.ID) {
			p.ops = append(p.ops, req.ID)
		}
	}
	p.same("what came of it", func(w *world) []string { return w.play(m) })
	before := p.sets
	p.model.view(func(r pawl.Reader) {
		if p.last = r.LastID(); p.model.base.Load() >= 0 { // something was committed
			p.sets = r.Revision() - p.model.first()
		}
	})
	at := p.someSight()
	at.spans = append(at.spans, pawl.Span{After: before})
	p.same("the board", func(w *world) []string { return w.show(at) })
}

// end compares everything that the boards show.
func (p *pair) end() {
	p.Helper()
	at := p.wholeSight()
	p.same("the whole board", func(w *world) []string { return w.show(at) })
}

// play makes a move and returns what came of it.
func (w *world) play(m move) []string {
	w.Helper()
	if len(m.requests) == 0 {
		if w.clock.Advance(m.wait); m.wait == 0 {
			w.reopen()
		}
		return nil
	}
	results, err := w.board.DoAll(w.ctx, m.from(w.first())...)
	s := w.shown() // by now there may be a first revision
	for i, res := range results {
		if err := pawl.ErrorAt(err, i); err != nil {
			s.add("error", err)
		} else {
			s.add("result", res)
		}
	}
	return s.lines
}

// same holds what the store shows to what the model shows.
func (p *pair) same(what string, show func(w *world) []string) {
	p.Helper()
	want, got, before := show(p.model), show(p.store), ""
	for i := range max(len(want), len(got)) {
		var a, b string
		if i < len(want) {
			a = want[i]
		}
		if i < len(got) {
			b = got[i]
		}
		if a != b {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			around := func(s string) string { return s[max(0, min(len(s), at-300)):min(len(s), at+300)] }
			p.Fatalf("%s, after %.300s (-memory +store):\n-%s\n+%s", what, before, around(a), around(b))
		}
		before = a
	}
}
