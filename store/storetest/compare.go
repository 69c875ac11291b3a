package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"pgregory.net/rapid"
)

// A Candidate is a store that [Compare] compares with others.
type Candidate struct {
	Name    string
	Open    func(t *testing.T, clock func() time.Time) pawl.Store
	Options []Option
}

// Compare plays the same stories, fixed scripts and random ones on several stores.
// It fails if an answer differs, or if after a step the stores differ in tasks,
// nodes, pages, glances, results or change sets, byte for byte as package pawl
// encodes them. Revisions count from the first one of each board.
func Compare(t *testing.T, stores ...Candidate) {
	all := scripts()
	open := func(t *testing.T, tb TB) *peers {
		var names []string
		var worlds []*world
		for _, s := range stores {
			o := &opener{t: t, open: s.Open}
			for _, opt := range s.Options {
				opt(o)
			}
			names, worlds = append(names, s.Name), append(worlds, newWorld(tb, o))
		}
		return newPeers(tb, names, worlds...)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) { all[name](open(t, t)) })
	}
	t.Run("random moves", func(t *testing.T) {
		const least = 5
		start, ran, failed := time.Now(), 0, false
		rapid.Check(t, func(rt *rapid.T) {
			if late := *modelTime > 0 && time.Since(start) > *modelTime; late && ran >= least && !failed {
				return
			}
			ran++
			p, g := open(t, rt), writer{}
			rt.Cleanup(func() { failed = failed || rt.Failed() }) // from here on it is run again to make it smaller
			rt.Repeat(map[string]func(*rapid.T){"move": func(rt *rapid.T) { p.move(&g, drawn{rt}) }})
			p.end()
		})
		t.Logf("%d sequences of random moves", ran)
	})
}

// scripts are what stores are told to be compared.
func scripts() map[string]func(p *peers) {
	all := map[string]func(p *peers){}
	for name, text := range storyTexts() {
		all["story "+name] = func(p *peers) {
			for _, batch := range batches(text) {
				p.tell(batch)
			}
			p.end()
		}
	}
	for seed := range uint64(5) {
		all[fmt.Sprint("moves from seed ", seed)] = func(p *peers) {
			c, g := dice{rand.New(rand.NewPCG(seed, 7))}, writer{}
			for range 60 {
				p.move(&g, c)
			}
			p.end()
		}
	}
	all["an ended lease is counted once"] = func(p *peers) {
		for _, line := range []string{"ada/s1: create one | two", "ada/s1: claim lease:10m", "wait 20m", "bob/s2: claim lease:10m pri:high", "bob/s2: claim"} {
			p.tell([]string{line})
		}
		p.end()
	}
	all["values"] = func(p *peers) {
		for i, v := range values() {
			p.write(v.name, func(d draft) {
				t := pawl.Task{ID: pawl.ID(i + 1), Subject: v.name, Status: pawl.Pending}
				v.set(&t)
				d.add(t)
			})
		}
		p.end()
	}
	return all
}

// peers are boards that are told the same.
type peers struct {
	TB
	names  []string
	worlds []*world
	script []string
	rand   *rand.Rand    // chooses what is looked at after each step
	ops    []pawl.OpID   // that were sent
	last   pawl.ID       // the last id on the first board
	sets   pawl.Revision // how many change sets it has
}

func newPeers(tb TB, names []string, worlds ...*world) *peers {
	return &peers{TB: tb, names: names, worlds: worlds, rand: rand.New(rand.NewPCG(7, 7))}
}

// move makes up the next step.
func (p *peers) move(g *writer, c chooser) {
	p.Helper()
	g.last, g.rev = p.last, p.sets
	p.tell(g.write(c))
}

// tell takes a step on all boards, and compares some of what they show then.
func (p *peers) tell(batch []string) {
	p.Helper()
	p.script = append(p.script, strings.Join(batch, "\n& "))
	p.compare("what came of it", func(w *world) []string { return p.act(w, batch) })
	p.look()
}

// write has all boards commit an edit by hand, and compares them.
func (p *peers) write(what string, edit func(d draft)) {
	p.Helper()
	p.script = append(p.script, what)
	for _, w := range p.worlds {
		w.write(step{edit: edit})
	}
	p.look()
}

// look compares some of what the boards show.
func (p *peers) look() {
	p.Helper()
	before := p.sets
	p.worlds[0].view(func(r pawl.Reader) {
		p.last, p.sets = r.LastID(), r.Revision()-p.worlds[0].lens().base
		if p.worlds[0].base.Load() < 0 { // nothing was committed
			p.sets = 0
		}
	})
	at := p.someSight()
	at.spans = append(at.spans, pawl.Span{After: before})
	p.compare("the board", func(w *world) []string { return w.show(at) })
}

// end compares everything that the boards show.
func (p *peers) end() {
	p.Helper()
	at := p.wholeSight()
	p.compare("the whole board", func(w *world) []string { return w.show(at) })
}

// act carries out a batch on one board.
func (p *peers) act(w *world, batch []string) []string {
	p.Helper()
	m, ok, err := parseMove(batch, w.lens().base)
	if !ok && err == nil && len(batch) == 1 {
		answers, err := w.look(batch[0])
		if err != nil {
			p.Fatalf("%v", err)
		}
		return answers
	}
	if err != nil {
		p.Fatalf("%q: %v", batch, err)
	}
	if m.undo != 0 {
		m.requests[0].Op = pawl.Undo{Revision: m.undo}
	}
	for _, req := range m.requests {
		if req.ID != "" && !slices.Contains(p.ops, req.ID) {
			p.ops = append(p.ops, req.ID)
		}
	}
	results := outcomes(w.board.DoAll(w.ctx, m.requests...))
	s := w.shown() // by now there may be a first revision
	for _, came := range results {
		if came.Err != nil {
			s.add("error", came.Err)
		} else {
			s.add("result", came.Result)
		}
	}
	return s.lines
}

// compare holds what the others show to what the first one shows.
func (p *peers) compare(what string, show func(w *world) []string) {
	p.Helper()
	want := show(p.worlds[0])
	for i, w := range p.worlds[1:] {
		if got := show(w); !slices.Equal(want, got) {
			same(p, fmt.Sprintf("%s (-%s +%s)", what, p.names[0], p.names[i+1]), want, got)
		}
	}
	if p.Failed() {
		p.Fatalf("the script:\n%s", strings.Join(p.script, "\n"))
	}
}
