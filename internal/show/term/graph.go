package term

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// Graph draws dependencies, from left to right and from top to bottom, a task a
// line:
//
//	◆─┐ #1 Set up the project
//	  ├─○─┐ #2 Write the parser
//	  └─○─┤ #3 Write the emitter
//	      └─○ #4 Write the tests
//
// A line that runs into another one joins it; one that stops before another and
// goes on behind it only passes. Dashes lead from children to their parent.
// Connected tasks are one drawing; a drawing without room for its tasks' names
// becomes a list, layer by layer.
func (sc Screen) Graph(g *show.Graph, facts *query.Facts) []Line {
	rows := sc.GraphRows(g, facts, 0)
	lines := make([]Line, len(rows))
	for i, row := range rows {
		lines[i] = row.Line
	}
	return lines
}

// A GraphRow is a line of a drawing and what it is about.
type GraphRow struct {
	Line Line
	Task pawl.ID  // zero: none, as between two drawings
	Kin  show.Kin // how that stands to the task in focus
}

// GraphRows is [Screen.Graph] with the rows of its tasks. A task in focus is
// brought out with all that it waits for and all that wait for it, and the rest
// steps back; zero: none is in focus.
func (sc Screen) GraphRows(g *show.Graph, facts *query.Facts, focus pawl.ID) []GraphRow {
	var rows []GraphRow
	kin := g.Kin(focus)
	drawings := sc.drawings(g)
	for i, d := range drawings {
		d.kin = kin
		if i > 0 && (len(d.rows) > 1 || len(drawings[i-1].rows) > 1) {
			rows = append(rows, GraphRow{})
		}
		if step := d.fits(sc); step > 0 {
			rows = append(rows, d.draw(sc, facts, step)...)
		} else {
			rows = append(rows, d.layers(sc, facts)...)
		}
	}
	return rows
}

// mostDrawn is how many tasks are drawn together: lines do not help anybody who
// must scroll to see where they end.
const mostDrawn = 200

// A drawing is a part of a graph whose tasks hang together.
type drawing struct {
	graph *show.Graph
	rows  []int // nodes, in the order in which they are drawn
	layer []int // of each row
	wires []strand
	lanes []int      // for each layer, how many wires start there
	chain []int      // rows of the longest chain, where it is in this part
	kin   []show.Kin // of each node of the graph, to the task in focus; nil: none is
}

// drawings are the parts of a graph. Those with a single task come last.
func (sc Screen) drawings(g *show.Graph) []*drawing {
	rowOf := make([]int, len(g.Nodes))
	partOf := make([]int, len(g.Nodes))
	var all []*drawing
	for i, part := range g.Layout.Parts {
		d := &drawing{graph: g}
		for _, v := range part {
			rowOf[v], partOf[v] = len(d.rows), i
			d.rows = append(d.rows, int(v))
			d.layer = append(d.layer, g.Layer(int(v)))
		}
		d.lanes = make([]int, d.layer[len(d.layer)-1]+1)
		all = append(all, d)
	}
	edges := make([][]edge, len(all))
	for _, e := range g.Edges {
		if !e.Back {
			i := partOf[e.From]
			edges[i] = append(edges[i], edge{rowOf[e.From], rowOf[e.To], e.Child})
		}
	}
	for i, d := range all {
		if len(d.rows) <= mostDrawn {
			d.wires = wires(edges[i], d.layer)
		}
		for _, w := range d.wires {
			d.lanes[d.layer[w.from[0]]]++
		}
	}
	for _, id := range g.Chain {
		v := g.At(id)
		d := all[partOf[v]]
		d.chain = append(d.chain, rowOf[v])
	}
	slices.SortStableFunc(all, func(a, b *drawing) int { return min(1, len(b.rows)-1) - min(1, len(a.rows)-1) })
	return all
}

// column is where the tasks of a layer stand, when lanes are so many columns
// apart.
func (d *drawing) column(layer, step int) int {
	x := 0
	for _, n := range d.lanes[:layer] {
		x += n*step + step
	}
	return x
}

// text is the column in which the words of a layer begin.
func (d *drawing) text(layer, step int) int {
	return d.column(layer, step) + d.lanes[layer]*step + 2
}

// leastText is how many columns of a task's number and subject make a drawing
// worth having.
const leastText = 26

// fits says how far apart lanes can be: 2 columns, 1, or 0 where there is no
// room for a drawing.
func (d *drawing) fits(sc Screen) int {
	if len(d.rows) > mostDrawn {
		return 0
	}
	for _, step := range []int{2, 1} {
		if !slices.ContainsFunc(d.rows, func(v int) bool {
			need := min(leastText, Width(d.graph.Nodes[v].Task.ID.String()+" "+show.Subject(&d.graph.Nodes[v].Task)))
			return d.text(d.graph.Layer(v), step)+need > sc.Width
		}) {
			return step
		}
	}
	return 0
}

// draw draws the part.
func (d *drawing) draw(sc Screen, facts *query.Facts, step int) []GraphRow {
	c := d.lines(step)
	var out []GraphRow
	for row, v := range d.rows {
		n := &d.graph.Nodes[v]
		x := d.column(d.layer[row], step)
		label := d.label(n, facts, d.of(v))
		c.cells[row][x] = cell{glyph: sc.Glyph(&n.Task, n.State), tone: label[0].Tone}
		line := c.row(row, sc.Unicode)
		pad := d.text(d.layer[row], step) - line.width()
		line = append(line, Part{spaces(pad), Quiet})
		out = append(out, GraphRow{sc.Cut(append(line, label...)), n.Task.ID, d.of(v)})
	}
	return out
}

// of is how a node stands to the task in focus.
func (d *drawing) of(node int) show.Kin {
	if d.kin == nil {
		return show.Apart
	}
	return d.kin[node]
}

// tune brings out what is said of a task that has to do with the one in focus,
// and makes step back what is said of any other.
func (d *drawing) tune(l Line, kin show.Kin) Line {
	for i := range l {
		switch {
		case d.kin == nil:
		case kin == show.Apart:
			l[i].Tone = Quiet
		case l[i].Tone == Quiet:
			l[i].Tone = Normal
		}
	}
	return l
}

func (l Line) width() (n int) {
	for _, p := range l {
		n += Width(p.Text)
	}
	return n
}

// label is what is written beside a task that is drawn. The one that the graph
// is about stands out, and the one in focus.
func (d *drawing) label(n *show.GraphNode, facts *query.Facts, kin show.Kin) Line {
	mark, text, quiet := TonesOf(&n.Task, n.State)
	if kin == show.Same || d.kin == nil && n.Task.ID == d.graph.Around {
		text = Title
	}
	line := Line{{n.Task.ID.String(), mark}}
	if n.Task.Subject != "" {
		line = append(line, Part{" " + show.Subject(&n.Task), text})
	}
	if p := show.Priority(&n.Task); p != "" {
		line = append(line, Part{gap + p, text})
	}
	if remark := show.GraphRemark(facts, n); remark != "" {
		line = append(line, Part{gap + remark, quiet})
	}
	return d.tune(line, kin)
}

// lines draws the wires of the part.
func (d *drawing) lines(step int) *canvas {
	last := len(d.lanes) - 1
	c := newCanvas(len(d.rows), d.column(last, step)+1)
	at := make([]int, len(d.wires)) // the column of each wire
	on := map[[2]int]int{}          // the wire in a cell, for each cell that has one
	for i, w := range d.wires {
		layer := d.layer[w.from[0]]
		at[i] = d.column(layer, step) + step*(d.lanes[layer]-w.lane)
		top, bottom := w.from[0], w.to[len(w.to)-1]
		for row := top; row <= bottom; row++ {
			on[[2]int{row, at[i]}] = i
			if row > top {
				c.add(row, at[i], up, w.child)
			}
			if row < bottom {
				c.add(row, at[i], down, w.child)
			}
		}
	}
	for i, w := range d.wires {
		for _, row := range w.from {
			d.across(c, row, d.column(d.layer[row], step), at[i], i, on)
		}
		for _, row := range w.to {
			d.across(c, row, at[i], d.column(d.layer[row], step), i, on)
		}
	}
	for i, w := range d.wires {
		for _, from := range w.from {
			for _, to := range w.to {
				if d.lit(from, to) {
					c.light(from, d.column(d.layer[from], step), at[i], to, d.column(d.layer[to], step))
				}
			}
		}
	}
	return c
}

// lit says whether the line between two rows is brought out: it is one of the
// longest chain, or, where a task is in focus, on the way to or from that.
func (d *drawing) lit(from, to int) bool {
	if d.kin == nil {
		i := slices.Index(d.chain, from)
		return i >= 0 && i+1 < len(d.chain) && d.chain[i+1] == to
	}
	a, b := d.kin[d.rows[from]], d.kin[d.rows[to]]
	return a != show.Apart && b != show.Apart && (a == show.Same || b == show.Same || a == b)
}

// across draws the line between a task and its wire. Where it meets a wire that
// the task has nothing to do with, that one is left whole.
func (d *drawing) across(c *canvas, row, from, to, wire int, on map[[2]int]int) {
	thin := d.wires[wire].child
	for x := from; x <= to; x++ {
		if i, taken := on[[2]int{row, x}]; taken && !d.wires[i].joins(row) {
			c.cells[row][x].passes = true
			continue
		}
		if x > from {
			c.add(row, x, left, thin)
		}
		if x < to {
			c.add(row, x, right, thin)
		}
	}
}

// layers lists a part that cannot be drawn.
func (d *drawing) layers(sc Screen, facts *query.Facts) []GraphRow {
	g := d.graph
	after := map[int][]pawl.ID{}
	for _, e := range g.Edges {
		if !e.Back {
			after[e.To] = append(after[e.To], g.Nodes[e.From].Task.ID)
		}
	}
	rows := slices.Clone(d.rows)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Or(cmp.Compare(g.Layer(a), g.Layer(b)), cmp.Compare(a, b)) })
	entries := make([]entry, len(rows))
	for i, v := range rows {
		n := &g.Nodes[v]
		entries[i] = entry{&n.Task, n.State, show.GraphRemark(facts, n, after[v]...), ""}
	}
	const indent = 2
	inner := sc
	inner.Width -= indent
	var out []GraphRow
	for i, line := range inner.rows(entries) {
		if layer := g.Layer(rows[i]); i == 0 || layer > g.Layer(rows[i-1]) {
			out = append(out, GraphRow{Line: Line{{fmt.Sprintf("Layer %d", layer+1), Title}}})
		}
		kin := d.of(rows[i])
		line = append(Line{{spaces(indent), Normal}}, d.tune(line, kin)...)
		out = append(out, GraphRow{line, entries[i].task.ID, kin})
	}
	return out
}
