package graph

import "slices"

// A graph is what is being laid out: the nodes, and behind them the bends of
// long edges, which are vertices like them.
type graph struct {
	nodes        int
	next         [][]int32 // each edge once, but for those that close a cycle
	back         [][]int32 // those, and edges of a node to itself
	spots        []Spot
	source       []int32   // for each bend, counted from the first, the node that its edges come from
	trunk        [][]int32 // for each node, its bends in the layers behind it
	far          int32     // edges over more layers than this have no bends
	above, below [][]int32 // for each vertex, its neighbours in the layer before and behind
}

// newGraph copies the edges, each one once, and takes out those that close a
// cycle: the ones that lead back to a node on the way from where a depth-first
// walk came from. The walk begins at the first node, so of the members of a
// cycle the first is drawn first.
func newGraph(next [][]int32) *graph {
	g := &graph{nodes: len(next), next: make([][]int32, len(next)), back: make([][]int32, len(next))}
	const (
		fresh = iota
		open
		closed
	)
	state := make([]uint8, len(next))
	sorted := make([][]int32, len(next))
	for i, out := range next {
		sorted[i] = slices.Compact(slices.Sorted(slices.Values(out)))
	}
	at := make([]int, len(next)) // how many edges of a node were followed
	var way []int32
	for root := range next {
		if state[root] != fresh {
			continue
		}
		way = append(way, int32(root))
		state[root] = open
		for len(way) > 0 {
			i := way[len(way)-1]
			if at[i] == len(sorted[i]) {
				state[i] = closed
				way = way[:len(way)-1]
				continue
			}
			j := sorted[i][at[i]]
			at[i]++
			switch state[j] {
			case open:
				g.back[i] = append(g.back[i], j)
				continue
			case fresh:
				state[j] = open
				way = append(way, j)
			}
			g.next[i] = append(g.next[i], j)
		}
	}
	return g
}

// layer puts each node on the layer behind the last of those before it.
func (g *graph) layer() {
	g.spots = make([]Spot, g.nodes)
	before := make([]int32, g.nodes)
	for _, out := range g.next {
		for _, j := range out {
			before[j]++
		}
	}
	var free []int32
	for i, n := range before {
		if n == 0 {
			free = append(free, int32(i))
		}
	}
	for k := 0; k < len(free); k++ {
		i := free[k]
		for _, j := range g.next[i] {
			g.spots[j].Layer = max(g.spots[j].Layer, g.spots[i].Layer+1)
			if before[j]--; before[j] == 0 {
				free = append(free, j)
			}
		}
	}
}

// maxBends bounds the vertices that long edges add. A graph that would need
// more is not one that anybody could read: its longest edges go without.
const maxBends = 10_000

// bend makes the bends and joins all vertices to those in the next layer.
func (g *graph) bend() {
	g.far = g.reach()
	g.above, g.below = make([][]int32, g.nodes), make([][]int32, g.nodes)
	g.trunk = make([][]int32, g.nodes)
	for i, out := range g.next {
		here := g.spots[i].Layer
		for _, j := range out {
			span := g.spots[j].Layer - here
			if span > g.far {
				continue
			}
			from := int32(i)
			if span > 1 {
				g.grow(int32(i), int(span-1))
				from = g.trunk[i][span-2]
			}
			g.join(from, j)
		}
	}
}

// reach is how many layers an edge may span.
func (g *graph) reach() int32 {
	longest := int32(1)
	for i, out := range g.next {
		for _, j := range out {
			longest = max(longest, g.spots[j].Layer-g.spots[i].Layer)
		}
	}
	// bends counts what edges up to this length need.
	bends := func(far int32) (n int) {
		for i, out := range g.next {
			var most int32
			for _, j := range out {
				if span := g.spots[j].Layer - g.spots[i].Layer; span <= far {
					most = max(most, span)
				}
			}
			n += int(max(0, most-1))
		}
		return n
	}
	if bends(longest) <= maxBends {
		return longest
	}
	low, high := int32(1), longest // low is within the bound, high is not
	for high-low > 1 {
		if mid := (low + high) / 2; bends(mid) <= maxBends {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// grow gives node i bends in the n layers behind it.
func (g *graph) grow(i int32, n int) {
	for k := len(g.trunk[i]); k < n; k++ {
		v := int32(len(g.spots))
		g.spots = append(g.spots, Spot{Layer: g.spots[i].Layer + int32(k) + 1})
		g.source = append(g.source, i)
		g.above, g.below = append(g.above, nil), append(g.below, nil)
		from := i
		if k > 0 {
			from = g.trunk[i][k-1]
		}
		g.trunk[i] = append(g.trunk[i], v)
		g.join(from, v)
	}
}

func (g *graph) join(u, v int32) {
	g.below[u] = append(g.below[u], v)
	g.above[v] = append(g.above[v], u)
}

// owner is the node itself, or the one that a bend belongs to.
func (g *graph) owner(v int32) int32 {
	if int(v) < g.nodes {
		return v
	}
	return g.source[int(v)-g.nodes]
}

// parts lists the nodes that hang together, each list and the lists by their
// first node.
func (g *graph) parts() [][]int32 {
	root := make([]int32, g.nodes)
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, edges := range [][][]int32{g.next, g.back} {
		for i, out := range edges {
			for _, j := range out {
				a, b := find(int32(i)), find(j)
				root[max(a, b)] = min(a, b)
			}
		}
	}
	var parts [][]int32
	at := map[int32]int{}
	for i := range root {
		r := find(int32(i))
		k, ok := at[r]
		if !ok {
			k = len(parts)
			at[r] = k
			parts = append(parts, nil)
		}
		parts[k] = append(parts[k], int32(i))
	}
	return parts
}

// edges lists all edges with the places of their bends.
func (g *graph) edges() []Edge {
	var edges []Edge
	for i := range g.next {
		for _, j := range g.next[i] {
			e := Edge{From: int32(i), To: j}
			if span := g.spots[j].Layer - g.spots[i].Layer; span <= g.far {
				for _, v := range g.trunk[i][:span-1] {
					e.Bends = append(e.Bends, g.spots[v])
				}
			}
			edges = append(edges, e)
		}
		for _, j := range g.back[i] {
			edges = append(edges, Edge{From: int32(i), To: j, Back: true})
		}
	}
	slices.SortStableFunc(edges, func(a, b Edge) int {
		if a.From != b.From {
			return int(a.From - b.From)
		}
		return int(a.To - b.To)
	})
	return edges
}
