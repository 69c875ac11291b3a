package graph

import "slices"

// How long to look for an order with fewer crossings: so many sweeps at most,
// fewer of them where there are many vertices to move, and none once several
// brought nothing.
const (
	maxSweeps   = 24
	sweptAtMost = 100_000 // vertices, over all sweeps
	patience    = 4
)

// An orderer is a search for an order.
type orderer struct {
	*graph
	layers [][]int32
	at     []int32 // where each vertex stands in its layer
	tree   []int32 // for counting
	means  []mean
}

// order orders each layer so that few edges cross. It begins with the order of
// the nodes' numbers and changes it only for fewer crossings: a graph that can
// be drawn well in the order of its numbers is drawn so, and what is added to
// one corner of it leaves the others alone.
func (o *orderer) order(layers [][]int32) {
	vertices := 0
	for _, layer := range layers {
		vertices += len(layer)
		slices.SortStableFunc(layer, func(a, b int32) int { return int(o.owner(a) - o.owner(b)) })
	}
	o.layers = layers
	o.number()
	best, least := o.copy(), o.crossings()
	vain := 0
	for sweep := 0; least > 0 && vain < patience && sweep < min(maxSweeps, max(2, sweptAtMost/vertices)); sweep++ {
		if sweep%2 == 0 {
			for i := 1; i < len(layers); i++ {
				o.sort(layers[i], o.above)
			}
		} else {
			for i := len(layers) - 2; i >= 0; i-- {
				o.sort(layers[i], o.below)
			}
		}
		o.exchange()
		if n := o.crossings(); n < least {
			best, least, vain = o.copy(), n, 0
		} else {
			vain++
		}
	}
	for i := range layers {
		copy(layers[i], best[i])
	}
}

func (o *orderer) number() {
	for _, layer := range o.layers {
		for k, v := range layer {
			o.at[v] = int32(k)
		}
	}
}

func (o *orderer) copy() [][]int32 {
	c := make([][]int32, len(o.layers))
	for i, layer := range o.layers {
		c[i] = slices.Clone(layer)
	}
	return c
}

// A mean is the middle of a vertex's neighbours, as a fraction.
type mean struct {
	vertex   int32
	sum, num int64
}

// sort moves each vertex of a layer to the middle of its neighbours on one side.
// Those without neighbours there keep their places.
func (o *orderer) sort(layer []int32, neighbours [][]int32) {
	o.means = o.means[:0]
	for _, v := range layer {
		m := mean{vertex: v, num: int64(len(neighbours[v]))}
		for _, u := range neighbours[v] {
			m.sum += int64(o.at[u])
		}
		if m.num > 0 {
			o.means = append(o.means, m)
		}
	}
	slices.SortFunc(o.means, func(a, b mean) int {
		if d := a.sum*b.num - b.sum*a.num; d != 0 {
			return int(min(1, max(-1, d)))
		}
		return int(o.at[a.vertex] - o.at[b.vertex]) // which is faster than a stable sort
	})
	k := 0
	for i, v := range layer {
		if len(neighbours[v]) > 0 {
			v = o.means[k].vertex
			k++
		}
		layer[i] = v
		o.at[v] = int32(i)
	}
}

// exchange swaps neighbours in a layer where that takes crossings away.
func (o *orderer) exchange() {
	for _, layer := range o.layers {
		for i := 1; i < len(layer); i++ {
			u, v := layer[i-1], layer[i]
			now := o.pair(o.above[u], o.above[v]) + o.pair(o.below[u], o.below[v])
			then := o.pair(o.above[v], o.above[u]) + o.pair(o.below[v], o.below[u])
			if then < now {
				layer[i-1], layer[i] = v, u
				o.at[u], o.at[v] = o.at[v], o.at[u]
			}
		}
	}
}

// mostPairs bounds the work for two vertices with very many edges.
const mostPairs = 2_000

// pair counts crossings between the edges of two vertices that follow one
// another in a layer, to their neighbours in another.
func (o *orderer) pair(first, second []int32) (n int) {
	if len(first)*len(second) > mostPairs {
		return 0
	}
	for _, a := range first {
		for _, b := range second {
			if o.at[a] > o.at[b] {
				n++
			}
		}
	}
	return n
}

// crossings counts all pairs of edges that cross.
func (o *orderer) crossings() (n int) {
	var ends []int32
	for i := 1; i < len(o.layers); i++ {
		// Edges in the order of their upper ends; each one crosses those before
		// it that end behind it.
		o.tree = slices.Grow(o.tree[:0], len(o.layers[i])+1)[:len(o.layers[i])+1]
		clear(o.tree)
		seen := 0
		for _, u := range o.layers[i-1] {
			ends = ends[:0]
			for _, v := range o.below[u] {
				ends = append(ends, o.at[v])
			}
			for _, at := range ends {
				n += seen - o.upTo(at)
			}
			for _, at := range ends {
				o.add(at)
			}
			seen += len(ends)
		}
	}
	return n
}

// add and upTo count, in a Fenwick tree, the edges that end at a place and those
// that end there or before it.
func (o *orderer) add(at int32) {
	for k := at + 1; int(k) < len(o.tree); k += k & -k {
		o.tree[k]++
	}
}

func (o *orderer) upTo(at int32) (n int) {
	for k := at + 1; k > 0; k -= k & -k {
		n += int(o.tree[k])
	}
	return n
}
