package storetest

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A draft is a whole board in the making. Checks edit what a commit may set;
// settle derives the rest in the plainest way there is.
type draft map[pawl.ID]*pawl.Task

// add puts a task on the draft.
func (d draft) add(t pawl.Task) {
	if t.Status == "" {
		t.Status = pawl.Pending
	}
	if t.Subject == "" {
		t.Subject = "task " + t.ID.String()
	}
	d[t.ID] = &t
}

// block records that later waits for earlier.
func (d draft) block(earlier, later pawl.ID) {
	d[earlier].Blocks = append(slices.Clone(d[earlier].Blocks), later)
}

// remove takes a task off, and every reference to it.
func (d draft) remove(id pawl.ID) {
	delete(d, id)
	for _, t := range d {
		t.Blocks = slices.DeleteFunc(slices.Clone(t.Blocks), func(b pawl.ID) bool { return b == id })
		if t.Parent == id {
			t.Parent = 0
		}
	}
}

func (d draft) clone() draft {
	c := draft{}
	for id, t := range d {
		t := t.Clone()
		c[id] = &t
	}
	return c
}

// list returns the tasks by id.
func (d draft) list() []pawl.Task {
	tasks := make([]pawl.Task, 0, len(d))
	for _, id := range slices.Sorted(maps.Keys(d)) {
		tasks = append(tasks, d[id].Clone())
	}
	return tasks
}

// settle derives blockers, children and ranks.
func (d draft) settle() {
	links := linksOf(d.list())
	for id, t := range d {
		t.Blockers, t.Children, t.BlockedBy, t.OpenChildren = links.blockers[id], links.children[id], nil, 0
		for _, blocker := range t.Blockers {
			if t.Open() && d[blocker].Open() {
				t.BlockedBy = append(t.BlockedBy, blocker)
			}
		}
		for _, child := range t.Children {
			if d[child].Open() {
				t.OpenChildren++
			}
		}
	}
	for id, rank := range ranks(d.list()) {
		d[id].Urgency, d[id].Height = rank.Urgency, rank.Height
	}
}

// links are the other ends of what tasks name, in id order.
type links struct{ blockers, children map[pawl.ID][]pawl.ID }

func linksOf(tasks []pawl.Task) links {
	l := links{map[pawl.ID][]pawl.ID{}, map[pawl.ID][]pawl.ID{}}
	for _, t := range tasks {
		for _, id := range t.Blocks {
			l.blockers[id] = append(l.blockers[id], t.ID)
		}
		if t.Parent != 0 {
			l.children[t.Parent] = append(l.children[t.Parent], t.ID)
		}
	}
	return l
}

// ranks works out the place of every task, by raising it until nothing moves.
// A completed task has only its own priority: nobody waits for it.
func ranks(tasks []pawl.Task) map[pawl.ID]pawl.Rank {
	all := map[pawl.ID]pawl.Rank{}
	open := map[pawl.ID]bool{}
	for _, t := range tasks {
		all[t.ID] = pawl.Rank{ID: t.ID, Urgency: t.Priority}
		open[t.ID] = t.Open()
	}
	for moved := true; moved; {
		moved = false
		for _, t := range tasks {
			if !t.Open() {
				continue
			}
			mine := all[t.ID]
			for _, w := range append(slices.Clone(t.Blocks), t.Parent) {
				if !open[w] {
					continue
				}
				mine.Urgency = max(mine.Urgency, all[w].Urgency)
				mine.Height = max(mine.Height, min(all[w].Height+1, len(tasks))) // no longer, even round a cycle
			}
			moved = moved || mine != all[t.ID]
			all[t.ID] = mine
		}
	}
	return all
}

// diff returns the changes that make next of d.
func (d draft) diff(next draft) []pawl.Change {
	all := draft{}
	maps.Copy(all, d)
	maps.Copy(all, next)
	var changes []pawl.Change
	for _, id := range slices.Sorted(maps.Keys(all)) {
		before, after := d[id], next[id]
		switch {
		case before == nil:
			t := after.Clone()
			changes = append(changes, pawl.Change{ID: id, CreatedAt: t.CreatedAt, After: &t})
		case after == nil:
			t := before.Clone()
			changes = append(changes, pawl.Change{ID: id, CreatedAt: t.CreatedAt, Before: &t})
		default:
			if fields := pawl.Diff(before, after); len(fields) > 0 {
				was, is := before.Clone(), after.Clone()
				changes = append(changes, pawl.Change{ID: id, CreatedAt: is.CreatedAt, Fields: fields, Before: &was, After: &is})
			}
		}
	}
	return changes
}
