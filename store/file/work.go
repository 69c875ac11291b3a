package file

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// A work is a table while it is being changed: entries are copied when they
// are first written.
type work struct {
	under   *table
	changes map[pawl.ID]*entry
}

func newWork(t *table) *work { return &work{t, map[pawl.ID]*entry{}} }

// get returns an entry to read.
func (w *work) get(id pawl.ID) *entry {
	if e, ok := w.changes[id]; ok {
		return e
	}
	return w.under.get(id)
}

// edit returns an entry to write, or nil when there is none.
func (w *work) edit(id pawl.ID) *entry {
	if e, ok := w.changes[id]; ok {
		return e
	}
	e := w.under.get(id)
	if e == nil {
		return nil
	}
	e = e.clone()
	w.changes[id] = e
	return e
}

// put adds an entry or replaces one.
func (w *work) put(e *entry) { w.changes[e.id] = e }

func (w *work) remove(id pawl.ID) {
	if w.get(id) != nil {
		w.changes[id] = nil
	}
}

// each goes through the entries as they are now.
func (w *work) each(yield func(*entry) bool) {
	w.under.with(w.changes).each(func(r row) bool { return yield(r.open()) })
}

// with returns ids, sorted, and id among them. Lists are shared between
// entries, so they are never written in place.
func with(ids []pawl.ID, id pawl.ID) []pawl.ID {
	at, found := slices.BinarySearch(ids, id)
	if found {
		return ids
	}
	return slices.Insert(slices.Clone(ids), at, id)
}

func without(ids []pawl.ID, id pawl.ID) []pawl.ID {
	at := slices.Index(ids, id)
	if at < 0 {
		return ids
	}
	return slices.Delete(slices.Clone(ids), at, at+1)
}

// link records that later waits for earlier. Either may be missing: an edge
// holds for the end that is there.
func (w *work) link(earlier, later pawl.ID) {
	if e := w.get(earlier); e != nil && !slices.Contains(e.blocks, later) {
		e = w.edit(earlier)
		e.blocks = append(slices.Clone(e.blocks), later)
	}
	if e := w.get(later); e != nil && !slices.Contains(e.blockers, earlier) {
		e = w.edit(later)
		e.blockers = with(e.blockers, earlier)
	}
}

func (w *work) unlink(earlier, later pawl.ID) {
	if e := w.get(earlier); e != nil && slices.Contains(e.blocks, later) {
		e = w.edit(earlier)
		e.blocks = without(e.blocks, later)
	}
	if e := w.get(later); e != nil && slices.Contains(e.blockers, earlier) {
		e = w.edit(later)
		e.blockers = without(e.blockers, earlier)
	}
}

// adopt moves a task from the children of one parent to those of another;
// zero stands for none.
func (w *work) adopt(child, from, to pawl.ID) {
	if from == to {
		return
	}
	if e := w.get(from); e != nil && slices.Contains(e.children, child) {
		e = w.edit(from)
		e.children = without(e.children, child)
	}
	if e := w.get(to); e != nil {
		e = w.edit(to)
		e.children = with(e.children, child)
	}
}

// blocked derives which blockers keep e waiting: those that are open, missing,
// damaged or of a number under which another branch has an open task; first those that its file lists, as it lists them.
func (w *work) blocked(e *entry) []pawl.ID {
	if e.status == pawl.Completed {
		return nil
	}
	waits := func(id pawl.ID) bool {
		blocker := w.get(id)
		return blocker == nil || blocker.awaited()
	}
	var ids []pawl.ID
	for _, id := range e.said.blockedBy {
		if slices.Contains(e.blockers, id) && !slices.Contains(ids, id) && waits(id) {
			ids = append(ids, id)
		}
	}
	for _, id := range e.blockers {
		if !slices.Contains(ids, id) && waits(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// openChildren counts the children of e that are open.
func (w *work) openChildren(e *entry) int {
	n := 0
	for _, id := range e.children {
		if child := w.get(id); child != nil && child.awaited() {
			n++
		}
	}
	return n
}

// derive works out what follows for some tasks from the state of those that
// they wait for.
func (w *work) derive(ids map[pawl.ID]bool) {
	for id := range ids {
		e := w.get(id)
		if e == nil {
			continue
		}
		blockedBy, open := w.blocked(e), w.openChildren(e)
		if !slices.Equal(blockedBy, e.blockedBy) || open != e.open {
			e = w.edit(id)
			e.blockedBy, e.open = blockedBy, open
		}
	}
}

// rank works out the place of every task again. A completed one has only its own
// priority: nobody waits for it.
func (w *work) rank() {
	var open []*entry
	at := map[pawl.ID]int32{}
	place := func(e *entry, urgency pawl.Priority, height int) {
		if e.urgency != urgency || e.height != height {
			e := w.edit(e.id)
			e.urgency, e.height = urgency, height
		}
	}
	w.each(func(e *entry) bool {
		if e.isOpen() {
			at[e.id] = int32(len(open))
			open = append(open, e)
		} else {
			place(e, e.priority, 0)
		}
		return true
	})
	next := make([][]int32, len(open))
	urgency := make([]int8, len(open))
	height := make([]int32, len(open))
	for i, e := range open {
		urgency[i] = int8(e.priority)
		for _, id := range e.blocks {
			if j, ok := at[id]; ok {
				next[i] = append(next[i], j)
			}
		}
		if j, ok := at[e.parent]; ok && e.parent != 0 {
			next[i] = append(next[i], j)
		}
	}
	graph.Rank(next, urgency, height)
	for i, e := range open {
		place(e, pawl.Priority(urgency[i]), int(height[i]))
	}
}

// done returns the changes as they are now; the work may go on.
func (w *work) done() map[pawl.ID]*entry { return maps.Clone(w.changes) }
