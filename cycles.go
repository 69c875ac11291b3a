package pawl

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl/internal/graph"
)

// An Edge says that a task waits, or waited, for another one, or is its child.
type Edge struct {
	Task   ID   `json:"task"`             // the task that depends, or the child
	For    ID   `json:"for"`              // the task that it depends on, or its parent
	Parent bool `json:"parent,omitempty"` // it is a child and its parent
}

// Cycles returns the tasks of each cycle of recorded edges and parents. A board refuses
// cycles, so only a store whose files other programs edit can have some; its Reader has
// this method.
func Cycles(r Reader) ([][]ID, error) {
	if c, ok := r.(interface{ Cycles() ([][]ID, error) }); ok {
		return c.Cycles()
	}
	return nil, nil
}

func (o *overlay) Cycles() ([][]ID, error) { return Cycles(o.base) }

// untangle puts on the batch what ends the cycles that other programs have made, such as
// git of two branches. It leaves a cycle in which a file cannot be written. No task's
// UpdatedAt changes: clones that cut the same edge then have the same files.
func untangle(batch *overlay) (set ChangeSet, cut []Edge, err error) {
	set = ChangeSet{At: batch.now, By: Actor{Name: systemName}, Verb: VerbUpdate}
	cycles, err := Cycles(batch)
	if err != nil || len(cycles) == 0 {
		return set, nil, err
	}
	x := &tx{overlay: newOverlay(batch)}
	for _, ids := range cycles {
		tasks, err := x.Briefs(ids...)
		if err != nil {
			return set, nil, err
		}
		if slices.ContainsFunc(tasks, func(t Task) bool { return t.Damage != "" || t.Conflicted || len(t.Merging) > 0 }) {
			continue
		}
		for _, e := range closing(tasks) {
			if e.Parent {
				err = x.adopt(e.Task, 0)
			} else {
				err = x.unlink(e.For, e.Task)
			}
			if err != nil {
				return set, nil, err
			}
			cut = append(cut, e)
		}
	}
	if err := x.rerank(); err != nil {
		return set, nil, err
	}
	set.Changes, set.Ready = x.changes(), x.overlay.freed()
	batch.absorb(x.overlay)
	return set, cut, nil
}

// closing returns the edges among tasks that have to go so that none needs itself. An
// edge yields to those of older tasks, as in a merge of boards: every clone comes to the
// same ones.
func closing(tasks []Task) []Edge {
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.first(), b.first()), cmp.Compare(a.ID, b.ID))
	})
	age := make(map[ID]int32, len(tasks))
	for i := range tasks {
		age[tasks[i].ID] = int32(i)
	}
	var edges []Edge
	for i := range tasks {
		t := &tasks[i]
		for _, id := range t.Blockers {
			edges = append(edges, Edge{Task: t.ID, For: id})
		}
		edges = append(edges, Edge{Task: t.ID, For: t.Parent, Parent: true})
	}
	edges = slices.DeleteFunc(edges, func(e Edge) bool { _, in := age[e.For]; return !in })
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(age[a.Task], age[b.Task]), cmp.Compare(age[a.For], age[b.For]))
	})
	arrows := make([][2]int32, len(edges))
	for i, e := range edges {
		if arrows[i] = [2]int32{age[e.Task], age[e.For]}; e.Parent {
			slices.Reverse(arrows[i][:]) // a parent needs its child
		}
	}
	var cut []Edge
	for _, i := range graph.Closing(make([][]int32, len(tasks)), arrows) {
		cut = append(cut, edges[i])
	}
	return cut
}

// first is the number under which the task was made.
func (t *Task) first() ID {
	if len(t.Was) > 0 {
		return t.Was[0]
	}
	return t.ID
}
