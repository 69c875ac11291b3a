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
)

// Compare tells the same to two stores, the stories and some made-up scripts,
// and fails when an answer differs or when they do not hold the same after a
// line: every field, the ready order, history. The options are those of one.
func Compare(t *testing.T, one, other func(t *testing.T, clock func() time.Time) pawl.Store, opts ...Option) {
	a, b := &opener{open: one}, &opener{open: other}
	for _, opt := range opts {
		opt(a)
	}
	all := scripts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			x, y := *a, *b
			x.t, y.t = t, t
			all[name](&pair{TB: t, one: newWorld(t, &x), other: newWorld(t, &y)})
		})
	}
}

// scripts are what two stores are told.
func scripts() map[string]func(p *pair) {
	all := map[string]func(p *pair){}
	for name, text := range storyTexts() {
		all["story "+name] = func(p *pair) {
			for _, batch := range batches(text) {
				p.tell(batch)
			}
		}
	}
	for seed := range uint64(5) {
		all[fmt.Sprint("moves from seed ", seed)] = func(p *pair) {
			c := dice{rand.New(rand.NewPCG(seed, 7))}
			g := writer{}
			for range 60 {
				b := p.one.snapshot()
				g.last, g.rev = b.lastID, b.revision-p.one.lens().base
				p.tell(g.write(c))
			}
		}
	}
	return all
}

// A pair is two boards that are told the same.
type pair struct {
	TB
	one, other *world
	script     []string
}

func (p *pair) tell(batch []string) {
	p.Helper()
	p.script = append(p.script, strings.Join(batch, "\n& "))
	var answers [2][]string
	var dumps [2]string
	for i, w := range []*world{p.one, p.other} {
		var err error
		if answers[i], err = w.act(batch); err != nil {
			p.Fatalf("%v", err)
		}
		dumps[i] = w.lens().dump(w.snapshot())
	}
	if dumps[0] != dumps[1] || !slices.Equal(answers[0], answers[1]) {
		same(p, "the answer (-one +other)", answers[0], answers[1])
		same(p, "the board (-one +other)", strings.Split(dumps[0], "\n"), strings.Split(dumps[1], "\n"))
		p.Fatalf("the script:\n%s", strings.Join(p.script, "\n"))
	}
}
