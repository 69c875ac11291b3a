package show

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A Graph is tasks, the dependencies among them, and where to draw them.
type Graph struct {
	Nodes  []GraphNode // by id
	Edges  []GraphEdge // by who is waited for, then who waits
	Chain  []pawl.ID   // the longest chain of open tasks, each waiting for the one before; empty where none waits
	Cycles [][]pawl.ID // tasks that wait for one another
	Around pawl.ID     // the task that it is about; zero: all of them alike
	Layout *graph.Layout
}

// A GraphNode is a task in a graph.
type GraphNode struct {
	Task    pawl.Task
	State   query.State
	Undrawn []pawl.ID // what it waits for without an edge that can be drawn: it is not in the graph, or the edge closes a cycle
}

// MissingNode stands for a task that others name and that is not on the board.
func MissingNode(id pawl.ID) GraphNode {
	return GraphNode{Task: pawl.Task{ID: id, Status: pawl.Pending}, State: query.Missing}
}

// A GraphEdge leads from a task to one that waits for it, each by its place in
// Nodes.
type GraphEdge struct {
	From, To int
	Child    bool // From is a child of To
	Open     bool // To waits for From now
	Back     bool // closes a cycle, and is not drawn
}

// NewGraph makes the graph of tasks as the one called name sees it. missing are
// tasks that others wait for and that are not on the board.
func NewGraph(tasks []pawl.Task, missing []pawl.ID, name string) *Graph {
	g := &Graph{}
	for _, t := range tasks {
		g.Nodes = append(g.Nodes, GraphNode{Task: t, State: query.StateOf(&t, name)})
	}
	for _, id := range missing {
		g.Nodes = append(g.Nodes, MissingNode(id))
	}
	slices.SortFunc(g.Nodes, func(a, b GraphNode) int { return cmp.Compare(a.Task.ID, b.Task.ID) })
	place := make(map[pawl.ID]int, len(g.Nodes))
	for i := range g.Nodes {
		place[g.Nodes[i].Task.ID] = i
	}
	for to := range g.Nodes {
		n := &g.Nodes[to]
		for _, id := range n.Task.Blockers {
			if from, in := place[id]; in {
				g.Edges = append(g.Edges, GraphEdge{From: from, To: to, Open: g.Nodes[from].Task.Open() && n.Task.Open()})
			} else if slices.Contains(n.Task.BlockedBy, id) {
				n.Undrawn = append(n.Undrawn, id)
			}
		}
		for _, id := range n.Task.Children {
			if from, in := place[id]; in {
				g.Edges = append(g.Edges, GraphEdge{From: from, To: to, Child: true, Open: g.Nodes[from].Task.Open() && n.Task.Open()})
			}
		}
	}
	slices.SortStableFunc(g.Edges, func(a, b GraphEdge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	g.Edges = slices.CompactFunc(g.Edges, func(a, b GraphEdge) bool { return a.From == b.From && a.To == b.To }) // a child that is waited for is drawn once
	next := make([][]int32, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], int32(e.To))
	}
	g.Layout = graph.LayOut(next)
	for i, e := range g.Layout.Edges { // in the same order
		if g.Edges[i].Back = e.Back; e.Back {
			n := &g.Nodes[e.To]
			n.Undrawn = append(n.Undrawn, g.Nodes[e.From].Task.ID)
		}
	}
	for _, cycle := range graph.Cycles(next) {
		ids := make([]pawl.ID, len(cycle))
		for i, v := range cycle {
			ids[i] = g.Nodes[v].Task.ID
		}
		g.Cycles = append(g.Cycles, ids)
	}
	g.Chain = g.chain()
	return g
}

// chain walks back from the last of the longest chain of open tasks; of several
// it is the one with the lowest numbers.
func (g *Graph) chain() []pawl.ID {
	order := make([]int32, 0, len(g.Nodes)) // each behind all that it waits for
	for _, part := range g.Layout.Parts {
		order = append(order, part...)
	}
	waits := make([][]int32, len(g.Nodes)) // open edges, the ones of cycles left out
	for _, e := range g.Edges {
		if e.Open && !e.Back && g.Nodes[e.From].State != query.Missing {
			waits[e.To] = append(waits[e.To], int32(e.From))
		}
	}
	length, before := make([]int, len(g.Nodes)), make([]int32, len(g.Nodes))
	last := int32(-1)
	for _, v := range order {
		before[v] = -1
		for _, u := range waits[v] {
			if length[u]+1 > length[v] {
				length[v], before[v] = length[u]+1, u
			}
		}
		if length[v] > 0 && (last < 0 || length[v] > length[last] || length[v] == length[last] && v < last) {
			last = v
		}
	}
	var ids []pawl.ID
	for v := last; v >= 0; v = before[v] {
		ids = append(ids, g.Nodes[v].Task.ID)
	}
	slices.Reverse(ids)
	return ids
}

// At returns the place of a task in Nodes; -1: it is not in the graph.
func (g *Graph) At(id pawl.ID) int {
	at, found := slices.BinarySearchFunc(g.Nodes, id, func(n GraphNode, id pawl.ID) int { return cmp.Compare(n.Task.ID, id) })
	if !found {
		return -1
	}
	return at
}

// Layer is how many steps a task is away from one that waits for nothing in the
// graph.
func (g *Graph) Layer(node int) int { return int(g.Layout.Spots[node].Layer) }

// GraphRemark is Remark where edges are drawn: it does not repeat them. Where
// they are not, it says what the task comes after.
func GraphRemark(f *query.Facts, n *GraphNode, after ...pawl.ID) string {
	if n.State == query.Missing {
		return "missing"
	}
	t := &n.Task
	words := append(text.Some(CheckedWords(t)), StateWords(f, t)...)
	if len(after) > 0 {
		words = append(words, "after "+FewIDs(after))
	}
	return strings.Join(append(words, WaitWords(t, n.Undrawn)...), ", ")
}

// Kin is the relation of a task of a graph to a certain one, through others too.
type Kin uint8

// The kinds of kin. In a cycle, where a task is both, it is Before.
const (
	Apart  Kin = iota
	Before     // the certain one waits for it
	Behind     // it waits for the certain one
	Same       // the certain one itself
)

// Kin returns the relation of each node to a task; nil when that is not in the
// graph.
func (g *Graph) Kin(id pawl.ID) []Kin {
	at := g.At(id)
	if at < 0 {
		return nil
	}
	kin := make([]Kin, len(g.Nodes))
	kin[at] = Same
	for _, as := range []Kin{Before, Behind} {
		next := make([][]int, len(g.Nodes))
		for _, e := range g.Edges {
			if as == Before {
				next[e.To] = append(next[e.To], e.From)
			} else {
				next[e.From] = append(next[e.From], e.To)
			}
		}
		seen := make([]bool, len(g.Nodes))
		seen[at] = true
		for way := []int{at}; len(way) > 0; {
			last := way[len(way)-1]
			way = way[:len(way)-1]
			for _, v := range next[last] {
				if seen[v] {
					continue
				}
				seen[v] = true
				if kin[v] == Apart {
					kin[v] = as
				}
				way = append(way, v)
			}
		}
	}
	return kin
}
