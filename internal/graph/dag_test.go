package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRank(t *testing.T) {
	for _, tt := range []struct {
		name    string
		next    [][]int32
		urgency []int8
		height  []int32
		wantU   []int8
		wantH   []int32
	}{
		{"nothing", nil, nil, nil, nil, nil},
		{"one", [][]int32{nil}, []int8{-1}, []int32{0}, []int8{-1}, []int32{0}},
		{"chain", [][]int32{{1}, {2}, nil}, []int8{-1, 0, 1}, []int32{0, 0, 0}, []int8{1, 1, 1}, []int32{2, 1, 0}},
		{"against the numbers", [][]int32{nil, {0}, {1}}, []int8{1, 0, 0}, []int32{0, 0, 0}, []int8{1, 1, 1}, []int32{0, 1, 2}},
		{"the longer way counts", [][]int32{{3, 1}, {2}, {3}, nil}, make([]int8, 4), make([]int32, 4), make([]int8, 4), []int32{3, 2, 1, 0}},
		{"an edge twice", [][]int32{{1, 1}, nil}, []int8{0, 1}, []int32{0, 0}, []int8{1, 1}, []int32{1, 0}},
		{"a known height at the edge", [][]int32{{1}, nil}, []int8{0, 1}, []int32{0, 7}, []int8{1, 1}, []int32{8, 7}},
		{"a lower bound", [][]int32{{1}, nil}, []int8{0, 0}, []int32{5, 0}, []int8{0, 0}, []int32{5, 0}},
		{"a node that waits for itself", [][]int32{{0}}, []int8{0}, []int32{0}, []int8{0}, []int32{0}},
		{"a cycle", [][]int32{{1}, {0}}, []int8{-1, 1}, []int32{0, 0}, []int8{1, 1}, []int32{0, 0}},
		{"before and behind a cycle", [][]int32{{1}, {2}, {1, 3}, {4}, nil}, []int8{0, -1, 0, 0, 1}, make([]int32, 5), []int8{1, 1, 1, 1, 1}, []int32{3, 2, 2, 1, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, h := slices.Clone(tt.urgency), slices.Clone(tt.height)
			Rank(tt.next, u, h)
			if !slices.Equal(u, tt.wantU) || !slices.Equal(h, tt.wantH) {
				t.Errorf("Rank(%v): urgency %v height %v, want %v %v", tt.next, u, h, tt.wantU, tt.wantH)
			}
		})
	}
}

func TestCycles(t *testing.T) {
	for _, tt := range []struct {
		name string
		next [][]int32
		want [][]int32
	}{
		{"nothing", nil, nil},
		{"a tree", [][]int32{{1, 2}, nil, nil}, nil},
		{"a node that waits for itself", [][]int32{nil, {1}}, [][]int32{{1}}},
		{"two apart", [][]int32{{3}, {2}, {1}, {0}, nil}, [][]int32{{0, 3}, {1, 2}}},
		{"two that touch are one", [][]int32{{1}, {0, 2}, {1}}, [][]int32{{0, 1, 2}}},
		{"one that leads to another", [][]int32{{1}, {0, 2}, {3}, {2}}, [][]int32{{0, 1}, {2, 3}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Cycles(tt.next)); diff != "" {
				t.Errorf("Cycles(%v) (-want +got):\n%s", tt.next, diff)
			}
		})
	}
}

func TestPath(t *testing.T) {
	next := map[int64][]int64{1: {2, 3}, 2: {4}, 3: {5}, 4: {5}, 5: {6, 1}, 7: {7}}
	for _, tt := range []struct {
		name     string
		from, to int64
		want     []int64
	}{
		{"itself", 1, 1, []int64{1}},
		{"an edge", 1, 2, []int64{1, 2}},
		{"the shorter of two", 1, 6, []int64{1, 3, 5, 6}},
		{"round a cycle", 3, 2, []int64{3, 5, 1, 2}},
		{"none", 6, 1, nil},
		{"none, past a self-edge", 7, 1, nil},
		{"to a node nobody knows", 1, 99, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := map[int64]int{}
			got := Path(tt.from, tt.to, func(i int64) []int64 { asked[i]++; return next[i] })
			if !slices.Equal(got, tt.want) {
				t.Errorf("Path(%d, %d) = %v, want %v", tt.from, tt.to, got, tt.want)
			}
			for i, n := range asked {
				if n != 1 {
					t.Errorf("node %d was asked for %d times", i, n)
				}
			}
		})
	}
}

// reach is the naive closure: what can be got to from each node in one or more steps.
func reach(next [][]int32) [][]bool {
	n := len(next)
	can := make([][]bool, n)
	for i := range can {
		can[i] = make([]bool, n)
		for _, j := range next[i] {
			can[i][j] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				can[i][j] = can[i][j] || can[i][k] && can[k][j]
			}
		}
	}
	return can
}

// naiveRank follows the definition until nothing moves.
func naiveRank(next [][]int32, can [][]bool, urgency []int8, height []int32) {
	for moved := true; moved; {
		moved = false
		for i := range next {
			for j := range next {
				if can[i][j] && urgency[j] > urgency[i] {
					urgency[i], moved = urgency[j], true
				}
				if can[i][j] && can[j][i] && height[j] > height[i] {
					height[i], moved = height[j], true
				}
			}
			for _, j := range next[i] {
				if !can[j][i] && height[j]+1 > height[i] {
					height[i], moved = height[j]+1, true
				}
			}
		}
	}
}

var anyGraph = rapid.Custom(func(t *rapid.T) [][]int32 {
	n := rapid.IntRange(1, 12).Draw(t, "nodes")
	node := rapid.Int32Range(0, int32(n-1))
	next := make([][]int32, n)
	for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
		from := node.Draw(t, "from")
		next[from] = append(next[from], node.Draw(t, "to"))
	}
	return next
})

func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		next := anyGraph.Draw(t, "next")
		can := reach(next)
		n := len(next)

		urgency := rapid.SliceOfN(rapid.Int8Range(-1, 1), n, n).Draw(t, "urgency")
		height := rapid.SliceOfN(rapid.Int32Range(0, 3), n, n).Draw(t, "height")
		wantU, wantH := slices.Clone(urgency), slices.Clone(height)
		naiveRank(next, can, wantU, wantH)
		Rank(next, urgency, height)
		if !slices.Equal(urgency, wantU) || !slices.Equal(height, wantH) {
			t.Errorf("Rank: %v %v, want %v %v", urgency, height, wantU, wantH)
		}

		var want [][]int32
		for i := range n {
			var cycle []int32
			for j := range n {
				if can[i][j] && can[j][i] {
					cycle = append(cycle, int32(j))
				}
			}
			if len(cycle) > 0 && cycle[0] == int32(i) {
				want = append(want, cycle)
			}
		}
		if diff := cmp.Diff(want, Cycles(next)); diff != "" {
			t.Errorf("Cycles (-want +got):\n%s", diff)
		}

		from, to := rapid.IntRange(0, n-1).Draw(t, "start"), rapid.IntRange(0, n-1).Draw(t, "end")
		checkPath(t, next, can, from, to)
	})
}

func checkPath(t *rapid.T, next [][]int32, can [][]bool, from, to int) {
	path := Path(int64(from), int64(to), func(i int64) []int64 {
		var out []int64
		for _, j := range next[i] {
			out = append(out, int64(j))
		}
		return out
	})
	if (path != nil) != (can[from][to] || from == to) {
		t.Fatalf("Path(%d, %d) = %v", from, to, path)
	}
	if path == nil {
		return
	}
	if path[0] != int64(from) || path[len(path)-1] != int64(to) {
		t.Fatalf("Path(%d, %d) = %v ends elsewhere", from, to, path)
	}
	for i := range len(path) - 1 {
		if !slices.Contains(next[path[i]], int32(path[i+1])) {
			t.Fatalf("Path(%d, %d) = %v has a step that is no edge", from, to, path)
		}
	}
	if want := steps(next, from, to); len(path)-1 != want {
		t.Fatalf("Path(%d, %d) = %v, but %d steps are enough", from, to, path, want)
	}
}

// steps is the naive distance: how many times the set of nodes has to be
// widened until to is in it.
func steps(next [][]int32, from, to int) int {
	in := map[int32]bool{int32(from): true}
	for n := 0; ; n++ {
		if in[int32(to)] {
			return n
		}
		wider := map[int32]bool{}
		for i := range in {
			wider[i] = true
			for _, j := range next[i] {
				wider[j] = true
			}
		}
		in = wider
	}
}

// A chain as long as a large board, both ways round, and the same as a ring.
func TestLongChain(t *testing.T) {
	const n = 200_000
	up, down := make([][]int32, n), make([][]int32, n)
	for i := range n - 1 {
		up[i] = []int32{int32(i + 1)}
		down[i+1] = []int32{int32(i)}
	}
	for name, next := range map[string][][]int32{"up": up, "down": down} {
		urgency, height := make([]int8, n), make([]int32, n)
		Rank(next, urgency, height)
		if got := max(height[0], height[n-1]); got != n-1 {
			t.Errorf("%s: the chain is %d high, want %d", name, got, n-1)
		}
		if c := Cycles(next); c != nil {
			t.Errorf("%s: %d cycles in a chain", name, len(c))
		}
	}
	if path := Path(0, n-1, func(i int64) []int64 { return []int64{min(i+1, n-1)} }); len(path) != n {
		t.Errorf("path of %d nodes, want %d", len(path), n)
	}
	up[n-1] = []int32{0}
	if c := Cycles(up); len(c) != 1 || len(c[0]) != n {
		t.Errorf("a ring is one cycle of %d, got %d cycles", n, len(c))
	}
}

// board makes a graph as a large board has it: edges go from older to newer
// tasks, mostly near ones.
func board(nodes, edges int) [][]int32 {
	rng := rand.New(rand.NewPCG(1, 2))
	next := make([][]int32, nodes)
	for range edges {
		from := rng.IntN(nodes - 1)
		to := from + 1 + rng.IntN(min(1_000, nodes-from-1))
		next[from] = append(next[from], int32(to))
	}
	return next
}

func BenchmarkRank(b *testing.B) {
	next := board(100_000, 300_000)
	urgency, height := make([]int8, len(next)), make([]int32, len(next))
	b.ReportAllocs()
	for b.Loop() {
		clear(urgency)
		clear(height)
		Rank(next, urgency, height)
	}
}

func BenchmarkCycles(b *testing.B) {
	next := board(100_000, 300_000)
	b.ReportAllocs()
	for b.Loop() {
		if Cycles(next) != nil {
			b.Fatal("a cycle in a graph that goes one way")
		}
	}
}

func BenchmarkPath(b *testing.B) {
	next := map[int64][]int64{}
	for i, out := range board(100_000, 300_000) {
		for _, j := range out {
			next[int64(i)] = append(next[int64(i)], int64(j))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Path(0, -1, func(i int64) []int64 { return next[i] })
	}
}
