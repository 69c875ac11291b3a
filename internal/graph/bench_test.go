package graph

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// exactly makes a graph with so many nodes and edges, no edge twice, none that
// closes a cycle.
func exactly(nodes, edges int, pair func() (from, to int)) [][]int32 {
	next := make([][]int32, nodes)
	seen := map[[2]int]bool{}
	for len(seen) < edges {
		from, to := pair()
		if from >= to || to >= nodes || seen[[2]int{from, to}] {
			continue
		}
		seen[[2]int{from, to}] = true
		next[from] = append(next[from], int32(to))
	}
	return next
}

// shapes are graphs of 1,000 nodes and 3,000 edges: what is to be laid out in 50
// ms.
func shapes() map[string][][]int32 {
	rng := rand.New(rand.NewPCG(1, 2))
	const nodes, edges = 1_000, 3_000
	any := func() (int, int) { return rng.IntN(nodes), rng.IntN(nodes) }
	near := func(most int) func() (int, int) {
		return func() (int, int) {
			from := rng.IntN(nodes)
			return from, from + 1 + rng.IntN(most)
		}
	}
	layered := func(width int) func() (int, int) {
		return func() (int, int) {
			from := rng.IntN(nodes - width)
			return from, (from/width+1)*width + rng.IntN(width)
		}
	}
	// along yields edges over so many nodes, one after another, and then any.
	along := func(far int) func() (int, int) {
		from := -1
		return func() (int, int) {
			if from++; from+far < nodes {
				return from, from + far
			}
			return any()
		}
	}
	return map[string][][]int32{
		"any":       exactly(nodes, edges, any),
		"near-100":  exactly(nodes, edges, near(100)),
		"near-10":   exactly(nodes, edges, near(10)),
		"layers-10": exactly(nodes, edges, layered(100)),
		"layers-50": exactly(nodes, edges, layered(20)),
		"chains":    exactly(nodes, edges, along(20)),
		"one-chain": exactly(nodes, edges, along(1)),
		"hubs":      exactly(nodes, edges, func() (int, int) { return rng.IntN(10) * 100, rng.IntN(nodes) }),
	}
}

func BenchmarkShapes(b *testing.B) {
	for name, next := range shapes() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				LayOut(next)
			}
		})
	}
}

func BenchmarkLayout(b *testing.B) {
	for _, c := range []struct {
		nodes, edges, near int
	}{{60, 90, 20}, {10_000, 20_000, 500}} {
		next := random(rand.New(rand.NewPCG(1, 2)), c.nodes, c.edges, c.near, false)
		b.Run(fmt.Sprint(c.nodes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				LayOut(next)
			}
		})
	}
}
