package graph

import "slices"

// A Layout says where the nodes of a graph stand and how its edges run, so that it can be
// drawn with every edge going one way:
//
//	next[0] = [1, 2]    layer 0   layer 1   layer 2
//	next[1] = [3]             ┌── 1 ──┐
//	next[2] = [3]        0 ───┤       ├─── 3
//	                          └── 2 ──┘
//
// It knows nothing of pixels. The same graph always gets the same places, on every
// machine: nothing in it is random or a fraction.
type Layout struct {
	Spots []Spot    // one for each node
	Edges []Edge    // each one once, by From, then To
	Parts [][]int32 // the nodes that hang together, in the order to read them: by layer, then row
	Size  Spot      // one beyond the last layer and the last row
}

// A Spot is a place. A node stands on the layer behind the last of those that
// come before it; nodes of one layer are at least NodeGap rows apart, and a
// bend is at least one row away from everything.
type Spot struct {
	Layer, Row int32
}

// NodeGap is how many rows lie between two nodes of a layer. It is not 1 because
// edges that pass between nodes need less room than nodes.
const NodeGap = 2

// An Edge leads from one node to another.
type Edge struct {
	From, To int32
	// Back says that the edge closes a cycle: it leads to a layer at or before
	// its own, and takes no part in the layout.
	Back bool
	// Bends are where it passes the layers between its nodes. Edges from one
	// node share them as far as they go together. An edge that is much longer
	// than the others has none.
	Bends []Spot
}

// LayOut lays out the graph in which next[i] come after i.
func LayOut(next [][]int32) *Layout {
	g := newGraph(next)
	g.layer()
	g.bend()
	lay := &Layout{Spots: make([]Spot, len(next)), Parts: g.parts()}
	partOf := make([]int32, len(next))
	for i, part := range lay.Parts {
		for _, v := range part {
			partOf[v] = int32(i)
		}
	}
	layers := make([][][]int32, len(lay.Parts))
	for v := range g.spots {
		part := partOf[g.owner(int32(v))]
		at := int(g.spots[v].Layer)
		for len(layers[part]) <= at {
			layers[part] = append(layers[part], nil)
		}
		layers[part][at] = append(layers[part][at], int32(v))
	}
	o := orderer{graph: g, at: make([]int32, len(g.spots))}
	p := placer{graph: g, y: make([]int64, len(g.spots))}
	for i := range layers {
		o.order(layers[i])
		lay.Size.Row = p.place(layers[i], lay.Size.Row) + NodeGap
	}
	lay.Size.Row = max(0, lay.Size.Row-NodeGap+1)
	copy(lay.Spots, g.spots)
	for _, s := range lay.Spots {
		lay.Size.Layer = max(lay.Size.Layer, s.Layer+1)
	}
	for _, part := range lay.Parts {
		slices.SortFunc(part, func(a, b int32) int {
			x, y := lay.Spots[a], lay.Spots[b]
			if x.Layer != y.Layer {
				return int(x.Layer - y.Layer)
			}
			return int(x.Row - y.Row)
		})
	}
	lay.Edges = g.edges()
	return lay
}
