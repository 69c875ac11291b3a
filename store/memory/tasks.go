package memory

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// tasks holds the tasks as commits brought them, and beside them the other
// ends of what they name. A task that was put in is never written again, only
// replaced.
type tasks struct {
	byID     map[pawl.ID]*pawl.Task
	blockers map[pawl.ID][]pawl.ID // who names the key in Blocks, in id order
	children map[pawl.ID][]pawl.ID // who names the key as Parent, in id order
}

func newTasks() tasks {
	return tasks{
		byID:     map[pawl.ID]*pawl.Task{},
		blockers: map[pawl.ID][]pawl.ID{},
		children: map[pawl.ID][]pawl.ID{},
	}
}

// copied returns tasks that are written on their own.
func (ts *tasks) copied() tasks {
	return tasks{byID: maps.Clone(ts.byID), blockers: maps.Clone(ts.blockers), children: maps.Clone(ts.children)}
}

// get returns a task with its derived fields. It shares memory with what is
// kept, so it is cloned before it is handed out.
func (ts *tasks) get(id pawl.ID) (pawl.Task, bool) {
	kept, ok := ts.byID[id]
	if !ok {
		return pawl.Task{}, false
	}
	t := *kept
	t.Blockers = ts.blockers[id]
	t.Children = ts.children[id]
	t.OpenChildren = 0
	for _, child := range t.Children {
		if ts.byID[child].Open() {
			t.OpenChildren++
		}
	}
	return t, true
}

// stage works out what a commit leaves behind, without touching the board: a
// task for each one that it writes, nil for one that it removes.
func (ts *tasks) stage(commit *pawl.Commit) (map[pawl.ID]*pawl.Task, error) {
	staged := map[pawl.ID]*pawl.Task{}
	current := func(id pawl.ID) *pawl.Task {
		if t, ok := staged[id]; ok {
			return t
		}
		return ts.byID[id]
	}
	for _, set := range commit.Sets {
		for _, change := range set.Changes {
			t, err := apply(current(change.ID), change)
			if err != nil {
				return nil, err
			}
			staged[change.ID] = t
		}
	}
	for _, rank := range commit.Ranks {
		t := current(rank.ID)
		if t == nil {
			return nil, pawl.Errorf(pawl.Internal, "a commit ranks %s, which is not there", rank.ID)
		}
		moved := *t
		moved.Urgency, moved.Height = rank.Urgency, rank.Height
		staged[rank.ID] = &moved
	}
	return staged, nil
}

// apply returns what a change makes of a task; nil stands for no task.
func apply(t *pawl.Task, change pawl.Change) (*pawl.Task, error) {
	switch {
	case change.Before == nil && change.After != nil && t == nil:
		created := change.After.Clone()
		return &created, nil
	case change.Before != nil && change.After == nil && t != nil:
		return nil, nil
	case change.Before != nil && change.After != nil && t != nil:
		edited := *t
		pawl.CopyFields(&edited, change.After, change.Fields...)
		edited.Urgency, edited.Height = change.After.Urgency, change.After.Height
		return &edited, nil
	}
	return nil, pawl.Errorf(pawl.Internal, "a change of %s does not fit the board", change.ID)
}

func (ts *tasks) install(staged map[pawl.ID]*pawl.Task) {
	for id, t := range staged {
		if old, ok := ts.byID[id]; ok {
			for _, waits := range old.Blocks {
				drop(ts.blockers, waits, id)
			}
			drop(ts.children, old.Parent, id)
			delete(ts.byID, id)
		}
		if t == nil {
			continue
		}
		ts.byID[id] = t
		for _, waits := range t.Blocks {
			insert(ts.blockers, waits, id)
		}
		if t.Parent != 0 {
			insert(ts.children, t.Parent, id)
		}
	}
}

// insert and drop never write into a list that is there, because it may have been
// read a moment ago.
func insert(lists map[pawl.ID][]pawl.ID, key, id pawl.ID) {
	if at, found := slices.BinarySearch(lists[key], id); !found {
		lists[key] = slices.Insert(slices.Clone(lists[key]), at, id)
	}
}

func drop(lists map[pawl.ID][]pawl.ID, key, id pawl.ID) {
	at, found := slices.BinarySearch(lists[key], id)
	switch {
	case !found:
	case len(lists[key]) == 1:
		delete(lists, key)
	default:
		lists[key] = slices.Delete(slices.Clone(lists[key]), at, at+1)
	}
}
