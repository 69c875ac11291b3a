package graph

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// graphs are small ones whose layouts are pinned: from → to.
var graphs = []struct{ name, edges string }{
	{"empty", ""},
	{"chain", "0-1 1-2 2-3"},
	{"diamond", "0-1 0-2 1-3 2-3 3-4"},
	{"fan", "0-1 0-2 0-3 0-4 0-5"},
	{"fan-in", "0-5 1-5 2-5 3-5 4-5"},
	{"long", "0-1 1-2 2-3 0-3 4-3"},
	{"shared-bends", "0-1 1-2 2-3 3-4 0-3 0-4 0-2"},
	{"crossed", "0-3 1-2 2-5 3-4"},
	{"apart", "0-2 1-3 4-5 6-7 7-8 6-8"},
	{"complete", "0-3 0-4 0-5 1-3 1-4 1-5 2-3 2-4 2-5"},
	{"cycle", "0-1 1-2 2-0 2-3"},
	{"to-itself", "0-0 0-1"},
	{"two-cycles", "0-1 1-0 1-2 2-3 3-2 3-0"},
	{"plan", "0-1 0-2 0-3 1-4 2-4 2-5 3-6 4-7 5-7 6-7 7-8 0-8 9-6 9-8"},
}

func parse(t *testing.T, edges string) [][]int32 {
	t.Helper()
	var next [][]int32
	for edge := range strings.FieldsSeq(edges) {
		var from, to int32
		if _, err := fmt.Sscanf(edge, "%d-%d", &from, &to); err != nil {
			t.Fatal(err)
		}
		for int(max(from, to)) >= len(next) {
			next = append(next, nil)
		}
		next[from] = append(next[from], to)
	}
	return next
}

// picture draws a layout: a column for each layer, nodes by their numbers, bends
// as dots.
func picture(lay *Layout) string {
	grid := make([][]byte, lay.Size.Row)
	for i := range grid {
		grid[i] = []byte(strings.Repeat(" ", int(lay.Size.Layer)*4))
	}
	for _, e := range lay.Edges {
		for _, b := range e.Bends {
			grid[b.Row][b.Layer*4] = '.'
		}
	}
	for i, s := range lay.Spots {
		copy(grid[s.Row][s.Layer*4:], fmt.Sprint(i))
	}
	var b strings.Builder
	for _, line := range grid {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	for _, e := range lay.Edges {
		if e.Back {
			fmt.Fprintf(&b, "back: %d-%d\n", e.From, e.To)
		}
	}
	fmt.Fprintf(&b, "parts: %v, crossings: %d\n", lay.Parts, crossings(lay))
	return b.String()
}

// crossings counts those of a finished layout the slow way: every two pieces of
// edges between the same layers.
func crossings(lay *Layout) (n int) {
	type piece struct{ layer, from, to int32 }
	pieces := map[piece]bool{} // what edges share counts once
	for _, e := range lay.Edges {
		if e.Back || len(e.Bends) == 0 && lay.Spots[e.To].Layer-lay.Spots[e.From].Layer > 1 {
			continue
		}
		at := lay.Spots[e.From]
		for _, s := range append(slices.Clone(e.Bends), lay.Spots[e.To]) {
			pieces[piece{at.Layer, at.Row, s.Row}] = true
			at = s
		}
	}
	for a := range pieces {
		for b := range pieces {
			if a.layer == b.layer && a.from < b.from && a.to > b.to {
				n++
			}
		}
	}
	return n
}

func TestGolden(t *testing.T) {
	for _, g := range graphs {
		lay := LayOut(parse(t, g.edges))
		got := g.edges + "\n\n" + picture(lay)
		path := filepath.Join("testdata", g.name+".txt")
		if *update {
			must.Do(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want := must.Get(os.ReadFile(path))(t)
		if got != string(want) {
			t.Errorf("%s differs; -update writes it anew\ngot:\n%s\nwant:\n%s", g.name, got, want)
		}
		check(t, parse(t, g.edges), lay)
	}
}

// check holds a layout to its promises.
func check(t *testing.T, next [][]int32, lay *Layout) {
	t.Helper()
	if len(lay.Spots) != len(next) {
		t.Fatalf("%d spots for %d nodes", len(lay.Spots), len(next))
	}
	edges := map[[2]int32]bool{}
	for i, out := range next {
		for _, j := range out {
			edges[[2]int32{int32(i), j}] = true
		}
	}
	layer := make([]int32, len(next))
	node := map[Spot]int{}
	taken := map[Spot]int32{} // by the source of the bend, or -1
	for i, s := range lay.Spots {
		if s.Row < 0 || s.Row >= lay.Size.Row || s.Layer >= lay.Size.Layer {
			t.Errorf("node %d is at %v, outside of %v", i, s, lay.Size)
		}
		for d := int32(1 - NodeGap); d < NodeGap; d++ {
			if j, ok := node[Spot{s.Layer, s.Row + d}]; ok {
				t.Errorf("nodes %d and %d are too near at %v", i, j, s)
			}
		}
		node[s] = i
		taken[s] = -1
	}
	for _, e := range lay.Edges {
		if !edges[[2]int32{e.From, e.To}] {
			t.Errorf("edge %v is not in the graph, or there twice", e)
		}
		delete(edges, [2]int32{e.From, e.To})
		if e.Back {
			continue
		}
		from, to := lay.Spots[e.From], lay.Spots[e.To]
		if from.Layer >= to.Layer {
			t.Errorf("%v leads from layer %d to %d", e, from.Layer, to.Layer)
		}
		layer[e.To] = max(layer[e.To], from.Layer+1)
		if len(e.Bends) > 0 && len(e.Bends) != int(to.Layer-from.Layer-1) {
			t.Errorf("%v has %d bends", e, len(e.Bends))
		}
		for k, b := range e.Bends {
			if b.Layer != from.Layer+int32(k)+1 {
				t.Errorf("%v has a bend at %v", e, b)
			}
			if of, ok := taken[b]; ok && of != e.From {
				t.Errorf("%v passes %v, where something else is", e, b)
			}
			taken[b] = e.From
		}
	}
	for e := range edges {
		t.Errorf("edge %v is missing", e)
	}
	for i, s := range lay.Spots {
		if s.Layer != layer[i] {
			t.Errorf("node %d is on layer %d, want %d", i, s.Layer, layer[i])
		}
	}
	seen := map[int32]int{}
	for k, part := range lay.Parts {
		for i, v := range part {
			seen[v] = k
			if i > 0 {
				a, b := lay.Spots[part[i-1]], lay.Spots[v]
				if a.Layer > b.Layer || a.Layer == b.Layer && a.Row >= b.Row {
					t.Errorf("in part %v, %v comes before %v", part, a, b)
				}
			}
		}
	}
	if len(seen) != len(next) {
		t.Errorf("%d of %d nodes are in parts", len(seen), len(next))
	}
	for _, e := range lay.Edges {
		if seen[e.From] != seen[e.To] {
			t.Errorf("%v leads from one part to another", e)
		}
	}
}

// random makes a graph as plans are: edges mostly lead to what comes soon after,
// and some close cycles.
func random(rng *rand.Rand, nodes, edges, near int, cycles bool) [][]int32 {
	next := make([][]int32, nodes)
	for range edges {
		from := rng.IntN(nodes - 1)
		to := from + 1 + rng.IntN(min(near, nodes-from-1))
		if cycles && rng.IntN(10) == 0 {
			from, to = to, rng.IntN(nodes)
		}
		next[from] = append(next[from], int32(to))
	}
	return next
}

func TestRandom(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		nodes := 2 + rng.IntN(60)
		next := random(rng, nodes, rng.IntN(2*nodes), 1+rng.IntN(nodes), seed%2 == 0)
		lay := LayOut(next)
		check(t, next, lay)
		if again := LayOut(next); !reflect.DeepEqual(lay, again) {
			t.Errorf("seed %d: two layouts of one graph", seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%v\n%s", seed, next, picture(lay))
		}
	}
}

// A forest has no crossings, whatever its numbers are.
func TestForest(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 2 + rng.IntN(80)
		names := rng.Perm(n)
		next := make([][]int32, n)
		for i := 1; i < n; i++ {
			if rng.IntN(8) > 0 {
				from := names[rng.IntN(i)]
				next[from] = append(next[from], int32(names[i]))
			}
		}
		if c := crossings(LayOut(next)); c > 0 {
			t.Errorf("seed %d: %d crossings in a forest", seed, c)
		}
	}
}

// The search for an order pays: compared with the order of numbers there are far
// fewer crossings.
func TestFewerCrossings(t *testing.T) {
	var before, after int
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 4))
		next := random(rng, 60, 90, 60, false)
		g := newGraph(next)
		g.layer()
		g.bend()
		layers := make([][]int32, 60)
		for v, s := range g.spots {
			layers[s.Layer] = append(layers[s.Layer], int32(v))
		}
		o := orderer{graph: g, at: make([]int32, len(g.spots)), layers: layers}
		for _, layer := range layers {
			slices.SortStableFunc(layer, func(a, b int32) int { return int(o.owner(a) - o.owner(b)) })
		}
		o.number()
		before += o.crossings()
		o.order(layers)
		o.number()
		after += o.crossings()
	}
	t.Logf("%d crossings became %d", before, after)
	if after*2 > before {
		t.Errorf("%d crossings became only %d", before, after)
	}
}

// Shapes that could cost too much: each is to be laid out at all, in moments.
func TestExtremes(t *testing.T) {
	chain := make([][]int32, 5_000)
	for i := range len(chain) - 1 {
		chain[i] = []int32{int32(i + 1)}
	}
	comb := make([][]int32, 2_000) // a chain, and an edge from each to the last
	for i := range len(comb) - 1 {
		comb[i] = []int32{int32(i + 1), int32(len(comb) - 1)}
	}
	star := make([][]int32, 5_000)
	for i := 1; i < len(star); i++ {
		star[0] = append(star[0], int32(i))
	}
	ring := slices.Clone(chain)
	ring[len(ring)-1] = []int32{0}
	full := make([][]int32, 300) // each before all that follow
	for i := range full {
		for j := i + 1; j < len(full); j++ {
			full[i] = append(full[i], int32(j))
		}
	}
	for name, next := range map[string][][]int32{
		"chain": chain, "comb": comb, "star": star, "ring": ring, "full": full, "nothing": make([][]int32, 10_000), "none": nil,
	} {
		lay := LayOut(next)
		t.Run(name, func(t *testing.T) {
			check(t, next, lay)
			bends := map[Spot]bool{}
			for _, e := range lay.Edges {
				for _, b := range e.Bends {
					bends[b] = true
				}
			}
			if len(bends) > 10_000 {
				t.Errorf("%d bends: more than anybody could follow, or wait for", len(bends))
			}
		})
	}
}
