package wire

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// GraphJSON is the envelope of a graph. Its places are on a grid: a node stands
// on a layer and a row of it, at least two rows from the next one, and an edge
// that passes a layer does so on a row of its own, which is its bend there.
type GraphJSON struct {
	Envelope
	Revision pawl.Revision   `json:"revision"` // of the board
	Now      Moment          `json:"now"`      // by the board's clock, which decides leases
	Nodes    []GraphNodeJSON `json:"nodes"`    // the tasks, by id
	Edges    []GraphEdgeJSON `json:"edges"`    // the edges among them
	Chain    []pawl.ID       `json:"chain"`    // the longest chain of open tasks, each waiting for the one before
	Cycles   [][]pawl.ID     `json:"cycles"`   // cycles of tasks; only external edits can make one
	Alone    int             `json:"alone"`    // number of tasks left out because they have no edges
	Layers   int             `json:"layers"`   // number of layers
	Rows     int             `json:"rows"`     // number of rows
}

// GraphNodeJSON is a task in a graph.
type GraphNodeJSON struct {
	ID        pawl.ID         `json:"id"`                 // its number
	Subject   string          `json:"subject"`            // one line; empty if the task is missing or damaged
	Status    pawl.Status     `json:"status"`             // pending, in_progress or completed
	State     query.StateName `json:"state"`              // its state, for the caller
	Priority  Level           `json:"priority"`           // its own priority
	Owner     string          `json:"owner"`              // its owner; empty: nobody
	Labels    []string        `json:"labels,omitempty"`   // as in its file
	Layer     int             `json:"layer"`              // number of steps from tasks that wait for nothing in this graph, from 0
	Row       int             `json:"row"`                // its row on the layer, from 0
	Parent    pawl.ID         `json:"parent,omitempty"`   // the task that it is a part of
	Children  int             `json:"children,omitempty"` // number of children
	Done      int             `json:"done,omitempty"`     // number of completed children
	BlockedBy []pawl.ID       `json:"blockedBy"`          // open tasks that it waits for, in this graph or not
	Unblocks  int             `json:"unblocks"`           // number of open tasks that wait for it, directly or not; 99 means 99 or more
	Doing     string          `json:"doing,omitempty"`    // of a task in progress: what is being done
	Other     string          `json:"other,omitempty"`    // which task of another branch has its number until pawl merge, in words
	Why       string          `json:"why,omitempty"`      // why it cannot be claimed, or why its owner should stop, in words
	AsDone    bool            `json:"asDone,omitempty"`   // it is completed only in this what-if
}

// GraphEdgeJSON leads from a task to one that waits for it.
type GraphEdgeJSON struct {
	From  pawl.ID  `json:"from"`            // the blocker, or the child
	To    pawl.ID  `json:"to"`              // the task that waits
	Kind  EdgeKind `json:"kind"`            // blocks, or child: from is a child of to
	Open  bool     `json:"open"`            // whether to waits now: neither of them is completed
	Chain bool     `json:"chain,omitempty"` // it is a part of the longest chain
	Back  bool     `json:"back,omitempty"`  // it closes a cycle, and leads to a layer at or before its own
	Bends [][2]int `json:"bends,omitempty"` // where it crosses the layers between its ends: a layer and a row each
}

// An EdgeKind is why one task waits for another: blocks or child.
type EdgeKind string

// GraphOf is the graph of an answer as an envelope that has yet to begin. It wants
// [query.GraphQuery.Waits].
func GraphOf(name string, a *query.GraphTasks) *GraphJSON {
	g := show.NewGraph(a.Tasks, a.Missing, name)
	j := &GraphJSON{
		Revision: a.Revision, Now: Time(a.Now), Alone: a.Alone,
		Nodes: []GraphNodeJSON{}, Edges: []GraphEdgeJSON{}, Chain: list(g.Chain),
		Cycles: list(g.Cycles), Layers: int(g.Layout.Size.Layer), Rows: int(g.Layout.Size.Row),
	}
	for i := range g.Nodes {
		t, spot := &g.Nodes[i].Task, g.Layout.Spots[i]
		n := GraphNodeJSON{
			ID: t.ID, Subject: t.Subject, Status: t.Status, State: g.Nodes[i].State.Name(), Priority: Level(t.Priority.String()), Owner: t.Owner,
			Labels: t.Labels, Layer: int(spot.Layer), Row: int(spot.Row), Parent: t.Parent, Children: len(t.Children), Done: len(t.Children) - t.OpenChildren,
			BlockedBy: list(t.BlockedBy), Unblocks: a.Unblocks[t.ID], AsDone: slices.Contains(a.AsDone, t.ID),
		}
		n.Other = show.OtherBranch(t)
		if g.Nodes[i].State != query.Missing {
			card := a.Card(t, name)
			n.Doing, n.Why = show.Doing(card), show.Why(card)
		}
		j.Nodes = append(j.Nodes, n)
	}
	before := map[pawl.ID]pawl.ID{} // in the chain
	for i := 1; i < len(g.Chain); i++ {
		before[g.Chain[i]] = g.Chain[i-1]
	}
	for i, e := range g.Edges {
		edge := GraphEdgeJSON{From: g.Nodes[e.From].Task.ID, To: g.Nodes[e.To].Task.ID, Kind: "blocks", Open: e.Open, Back: e.Back}
		if e.Child {
			edge.Kind = "child"
		}
		edge.Chain = before[edge.To] == edge.From
		for _, b := range g.Layout.Edges[i].Bends {
			edge.Bends = append(edge.Bends, [2]int{int(b.Layer), int(b.Row)})
		}
		j.Edges = append(j.Edges, edge)
	}
	return j
}
