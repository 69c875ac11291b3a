package graph

// settles is how often vertices are moved towards their neighbours: down and
// up again, each time.
const settles = 4

// fine is into how many steps a row is divided while vertices move, so that the
// middle of two rows can be told from both.
const fine = 64

// A placer moves vertices.
type placer struct {
	*graph
	y      []int64 // in steps
	blocks []block
}

// place gives the vertices of ordered layers their rows, from the given one on,
// and returns the last one. Edges are to be straight, long ones above all, and
// nodes in the middle of what they are joined to.
func (p *placer) place(layers [][]int32, from int32) int32 {
	for _, layer := range layers {
		var at int64
		for k, v := range layer {
			if k > 0 {
				at += p.gap(layer[k-1], v)
			}
			p.y[v] = at
		}
	}
	for range settles {
		for i := 1; i < len(layers); i++ {
			p.settle(layers[i], p.above)
		}
		for i := len(layers) - 2; i >= 0; i-- {
			p.settle(layers[i], p.below)
		}
	}
	for _, layer := range layers {
		p.round(layer)
	}
	least, most := p.y[layers[0][0]], p.y[layers[0][0]]
	for _, layer := range layers {
		if len(layer) > 0 {
			least, most = min(least, p.y[layer[0]]), max(most, p.y[layer[len(layer)-1]])
		}
	}
	for _, layer := range layers {
		for _, v := range layer {
			p.spots[v].Row = from + int32((p.y[v]-least)/fine)
		}
	}
	return from + int32((most-least)/fine)
}

// gap is how far apart two vertices must be, in steps.
func (g *graph) gap(u, v int32) int64 {
	if int(u) < g.nodes && int(v) < g.nodes {
		return NodeGap * fine
	}
	return fine
}

// A block is vertices of a layer that touch, and stand where all of them
// together are best off.
type block struct {
	sum, weight int64 // of where each would have the block begin
	count       int
}

func (b block) at() int64 { return floorDiv(b.sum, b.weight) }

// settle moves the vertices of a layer as near as possible to the middle of
// their neighbours on one side, without changing their order: each wish is a
// block of its own, and blocks that would overlap become one that stands in the
// middle of its members' wishes.
func (p *placer) settle(layer []int32, neighbours [][]int32) {
	p.blocks = p.blocks[:0]
	var before int64 // how far from the first vertex this one must be at least
	for k, v := range layer {
		if k > 0 {
			before += p.gap(layer[k-1], v)
		}
		wish, weight := p.wish(v, neighbours[v])
		b := block{sum: (wish - before) * weight, weight: weight, count: 1}
		for len(p.blocks) > 0 && p.blocks[len(p.blocks)-1].at() >= b.at() {
			last := p.blocks[len(p.blocks)-1]
			b.sum, b.weight, b.count = b.sum+last.sum, b.weight+last.weight, b.count+last.count
			p.blocks = p.blocks[:len(p.blocks)-1]
		}
		p.blocks = append(p.blocks, b)
	}
	before = 0
	k := 0
	for _, b := range p.blocks {
		for range b.count {
			if k > 0 {
				before += p.gap(layer[k-1], layer[k])
			}
			p.y[layer[k]] = b.at() + before
			k++
		}
	}
}

// wish is where a vertex would like to stand, and how much it matters. That the
// parts of one long edge are in line matters most.
func (p *placer) wish(v int32, neighbours []int32) (at, weight int64) {
	if len(neighbours) == 0 {
		return p.y[v], 1
	}
	var sum int64
	for _, u := range neighbours {
		w := int64(1)
		if int(u) >= p.nodes && int(v) >= p.nodes {
			w = 8
		} else if int(u) >= p.nodes || int(v) >= p.nodes {
			w = 2
		}
		sum += p.y[u] * w
		weight += w
	}
	return floorDiv(sum, weight), weight
}

// round brings the vertices of a layer to whole rows. Vertices that were far enough
// apart stay so, because all gaps are whole rows.
func (p *placer) round(layer []int32) {
	var before int64
	for k, v := range layer {
		if k > 0 {
			before += p.gap(layer[k-1], v)
		}
		p.y[v] = floorDiv(p.y[v]-before+fine/2, fine)*fine + before
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
