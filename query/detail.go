package query

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A Detail is a task with the tasks around it, which are told in brief.
type Detail struct {
	Task     pawl.Task   `json:"task"`
	Parent   *pawl.Task  `json:"parent,omitempty"`
	Blockers []pawl.Task `json:"blockers,omitempty"` // all that it waits or waited for
	Blocks   []pawl.Task `json:"blocks,omitempty"`   // all that wait or waited for it
	Children []pawl.Task `json:"children,omitempty"`
	Lost     []pawl.ID   `json:"lost,omitempty"` // blockers that an edge names and that are not there
	Once     []pawl.Task `json:"once,omitempty"` // the first of those that had its number until a merge gave them another
}

// loadDetail reads a task and what surrounds it.
func loadDetail(r pawl.Reader, id pawl.ID) (*Detail, error) {
	tasks, err := r.Get(id)
	if err != nil {
		return nil, err
	}
	d := &Detail{Task: tasks[0]}
	if d.Once, err = onceOf(r, id); err != nil {
		return nil, err
	}
	t := &d.Task
	if d.Blockers, d.Lost, err = present(r, t.Blockers); err != nil {
		return nil, err
	}
	if d.Blocks, _, err = present(r, t.Blocks); err != nil {
		return nil, err
	}
	if d.Children, _, err = present(r, t.Children); err != nil {
		return nil, err
	}
	if t.Parent != 0 {
		parents, _, err := present(r, []pawl.ID{t.Parent})
		if err != nil {
			return nil, err
		}
		if len(parents) > 0 {
			d.Parent = &parents[0]
		}
	}
	return d, nil
}

// mostOnce is how many tasks a number leads to, besides the one that has it.
const mostOnce = 5

// onceOf returns tasks that had a number once, in brief.
func onceOf(r pawl.Reader, id pawl.ID) ([]pawl.Task, error) {
	page, err := r.Select(pawl.Query{Was: id, Brief: true, Limit: mostOnce})
	if len(page.Tasks) == 0 {
		return nil, err
	}
	return page.Tasks, err
}

// Card is the task as a card of the board, as the one called name sees it.
func (d *Detail) Card(name string) *Card {
	t := &d.Task
	c := &Card{Task: *t, State: StateOf(t, name)}
	switch LaneOf(c.State) {
	case Doing:
		c.Notes = len(t.Notes)
	case Blocked:
		ids := slices.Clone(t.BlockedBy)
		c.Waits = len(t.BlockedBy) + t.OpenChildren
		for i := range d.Children {
			child := &d.Children[i]
			switch {
			case t.OpenChildren == 0 || !child.Open() && child.Damage == "":
			case slices.Contains(t.BlockedBy, child.ID):
				c.Waits--
			default:
				ids = append(ids, child.ID)
			}
		}
		for _, id := range ids[:min(len(ids), mostWaitFor)] {
			c.WaitFor = append(c.WaitFor, d.waited(id, name))
		}
	}
	return c
}

func (d *Detail) waited(id pawl.ID, name string) Waited {
	for _, tasks := range [][]pawl.Task{d.Blockers, d.Children} {
		for i := range tasks {
			if tasks[i].ID == id {
				return Waited{Brief{id, tasks[i].Subject}, StateOf(&tasks[i], name)}
			}
		}
	}
	return Waited{Brief{ID: id}, Missing}
}

// present gets those of the tasks that are there, in brief, and names the others.
func present(r pawl.Reader, ids []pawl.ID) (tasks []pawl.Task, lost []pawl.ID, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	nodes, err := r.Nodes(ids...)
	if err != nil {
		return nil, nil, err
	}
	var there []pawl.ID
	for _, n := range nodes {
		if n.Missing {
			lost = append(lost, n.ID)
		} else {
			there = append(there, n.ID)
		}
	}
	if len(there) > 0 {
		tasks, err = r.Briefs(there...)
	}
	return tasks, lost, err
}

// Whole reads tasks with all that they have, however many. It fails with the fault of
// the first one that cannot be read.
func Whole(ctx context.Context, b Board, who Asker, ids []pawl.ID) ([]pawl.Task, error) {
	var tasks []pawl.Task
	for some := range slices.Chunk(ids, MostNames) {
		var q TaskQuery
		for _, id := range some {
			q.Names = append(q.Names, id.String())
		}
		found, err := Of(ctx, b, who, q)
		if err != nil {
			return nil, err
		}
		for i := range found.Tasks {
			if fault := found.Tasks[i].Fault; fault != nil {
				return nil, fault
			}
			tasks = append(tasks, found.Tasks[i].Detail.Task)
		}
	}
	return tasks, nil
}
