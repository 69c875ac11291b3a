package storetest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A draft is a whole board in the making. Checks edit what a commit may set;
// settle derives the rest in the plainest way there is.
type draft map[pawl.ID]*pawl.Task

func draftOf(tasks []pawl.Task) draft {
	d := draft{}
	for _, t := range tasks {
		t = t.Clone()
		d[t.ID] = &t
	}
	return d
}

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
	for _, t := range d {
		t.Blockers, t.Children, t.BlockedBy, t.OpenChildren = nil, nil, nil, 0
	}
	for _, id := range slices.Sorted(maps.Keys(d)) {
		t := d[id]
		for _, waiter := range t.Blocks {
			if w := d[waiter]; w != nil {
				if w.Blockers = append(w.Blockers, id); t.Open() && w.Open() {
					w.BlockedBy = append(w.BlockedBy, id)
				}
			}
		}
		if p := d[t.Parent]; p != nil {
			if p.Children = append(p.Children, id); t.Open() {
				p.OpenChildren++
			}
		}
	}
	for id, rank := range ranks(d.list()) {
		d[id].Urgency, d[id].Height = rank.Urgency, rank.Height
	}
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

// free reports whether nothing but an owner keeps a task from being started.
func free(t *pawl.Task) bool {
	return t.Status == pawl.Pending && len(t.BlockedBy) == 0 && t.OpenChildren == 0 && t.Hold == nil
}

// ready lists what a name may claim, most urgent first.
func (d draft) ready(name string) []pawl.ID {
	var all []pawl.ID
	for id, t := range d {
		if free(t) && (t.Owner == "" || t.Owner == name) {
			all = append(all, id)
		}
	}
	return d.urgent(all)
}

// urgent sorts ids: urgency, then height, then id.
func (d draft) urgent(ids []pawl.ID) []pawl.ID {
	slices.SortFunc(ids, func(x, y pawl.ID) int {
		a, b := d[x], d[y]
		return cmp.Or(int(b.Urgency-a.Urgency), b.Height-a.Height, int(x-y))
	})
	return ids
}

// cyclic reports whether a task waits for itself, over all recorded edges and
// child → parent.
func (d draft) cyclic() bool {
	left := maps.Clone(d)
	for {
		n := len(left)
		for id, t := range left {
			waits := slices.ContainsFunc(t.Blocks, func(w pawl.ID) bool { return left[w] != nil }) || left[t.Parent] != nil
			if !waits {
				delete(left, id) // nobody left waits for it: it is in no cycle
			}
		}
		if len(left) == n {
			return n > 0
		}
	}
}
