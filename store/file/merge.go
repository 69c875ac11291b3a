package file

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A finding is a task whose file is not as the table has it.
type finding struct {
	id     pawl.ID
	info   fileInfo
	gone   bool
	racy   bool
	hash   uint64
	text   []byte
	file   taskjson.File
	damage string // it cannot be read as a task
	// conflicted: git's conflict lines are in the text, and file is this side of them.
	conflicted bool
	left       []pawl.Evidence // see [Store.unproven]
}

// edge says that later waits for earlier.
type edge struct{ earlier, later pawl.ID }

// merge works out which entries of a table change by the findings in the files.
// Nothing is written: edges are healed in the reading.
//
// Each file is compared with its last text. An edge that it names newly holds from
// then on; one that it no longer names ends, unless that is how the blocker's
// completion shows. A file that says nothing new about an edge has no part in it,
// so that a removal on one side stays a removal. A task that was not there before,
// or is another one under an old id, has no past: all that anybody says of it
// counts.
func merge(t *table, found []finding) map[pawl.ID]*entry {
	m := merger{
		work:  newWork(t),
		fresh: map[pawl.ID]bool{}, touched: map[pawl.ID]bool{},
		add: map[edge]bool{}, drop: map[edge]bool{},
	}
	for i := range found {
		m.take(&found[i])
	}
	for i := range found {
		m.compare(&found[i])
	}
	m.meet()
	for _, e := range inEdgeOrder(m.drop) {
		if !m.add[e] {
			m.unlink(e.earlier, e.later)
			m.touch(e.later)
			m.moved = true
		}
	}
	for _, e := range inEdgeOrder(m.add) {
		m.link(e.earlier, e.later)
		m.touch(e.later)
		m.moved = true
	}
	for i := range found {
		if e := m.edit(found[i].id); e != nil {
			e.blocks = arrange(e.blocks, e.said.blocks)
		}
	}
	m.derive(m.touched)
	if m.moved {
		m.rank()
	}
	return m.done()
}

// inEdgeOrder sorts edges, so that who works it out again comes to the same lists.
func inEdgeOrder(edges map[edge]bool) []edge {
	return slices.SortedFunc(maps.Keys(edges), func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.earlier, b.earlier), cmp.Compare(a.later, b.later))
	})
}

type merger struct {
	*work
	fresh   map[pawl.ID]bool // have no past
	touched map[pawl.ID]bool // to be derived
	add     map[edge]bool
	drop    map[edge]bool
	moved   bool // something counts for the order of tasks
}

func (m *merger) touch(id pawl.ID) { m.touched[id] = true }

// take puts what was found in place of what was known.
func (m *merger) take(f *finding) {
	was := m.under.get(f.id)
	m.touch(f.id)
	if f.gone {
		m.fresh[f.id] = true
		m.remove(f.id)
		m.stir(f.id, was, nil)
		return
	}
	e := &entry{id: f.id, status: pawl.Pending}
	if now := m.get(f.id); now != nil { // what has been found before may have touched it
		e = now.clone()
	}
	e.info, e.hash, e.racy = f.info, f.hash, f.racy
	switch {
	case f.damage != "":
		e.damage = f.damage
		m.fresh[f.id] = was == nil
	default:
		e.read(&f.file)
		e.conflicted = f.conflicted
		if e.left = f.left; len(e.left) > 0 && e.checked.state() != pawl.CheckedFailed {
			e.checked = doubted
		}
		m.fresh[f.id] = was == nil || was.createdAt != e.createdAt
		if m.fresh[f.id] {
			e.blocks, e.blockers, e.image = nil, nil, position{}
			e.claim, e.expired = pawl.Claim{}, 0
		}
	}
	if e.claim.Live() && (e.status != pawl.InProgress || e.owner != was.owner) {
		e.claim = pawl.Claim{} // the program that wrote that did not know of it, and decided
	}
	if was == nil || was.hash != e.hash {
		e.image = position{}
	}
	m.put(e)
	m.stir(f.id, was, e)
}

// stir notes whom a change of one task concerns. Either state may be nil.
func (m *merger) stir(id pawl.ID, was, is *entry) {
	none := &entry{status: pawl.Completed}
	missing := was == nil || is == nil
	if was == nil {
		was = none
	}
	if is == nil {
		is = none
	}
	m.adopt(id, was.parent, is.parent)
	for _, parent := range []pawl.ID{was.parent, is.parent} {
		if parent != 0 {
			m.touch(parent)
		}
	}
	if missing || was.isOpen() != is.isOpen() || was.awaited() != is.awaited() {
		for _, ids := range [][]pawl.ID{was.blocks, is.blocks, is.said.blocks} {
			for _, later := range ids {
				m.touch(later)
			}
		}
	}
	if missing || was.isOpen() != is.isOpen() || was.priority != is.priority || was.parent != is.parent {
		m.moved = true
	}
}

// compare finds which edges a file's new text makes and ends.
func (m *merger) compare(f *finding) {
	was, is := m.under.get(f.id), m.get(f.id)
	if m.fresh[f.id] {
		if was != nil {
			for _, later := range was.blocks {
				m.drop[edge{f.id, later}] = true
			}
			for _, earlier := range was.blockers {
				m.drop[edge{earlier, f.id}] = true
			}
		}
		if is != nil {
			m.state(is)
		}
		return
	}
	if f.damage != "" {
		return // what it said last holds
	}
	if is.said.hasBlocks {
		for _, later := range is.said.blocks {
			if !slices.Contains(was.said.blocks, later) {
				m.add[edge{f.id, later}] = true
			}
		}
		for _, later := range was.said.blocks {
			if !slices.Contains(is.said.blocks, later) {
				m.drop[edge{f.id, later}] = true
			}
		}
		if was.isOpen() && !is.isOpen() {
			// A program that completes a task takes it out of the others
			// first. Their edges were not meant to end.
			for _, later := range is.said.blocks {
				m.add[edge{f.id, later}] = true
			}
		}
	}
	if is.said.hasBlockedBy {
		for _, earlier := range is.said.blockedBy {
			if !slices.Contains(was.said.blockedBy, earlier) {
				m.add[edge{earlier, f.id}] = true
			}
		}
		for _, earlier := range was.said.blockedBy {
			blocker := m.get(earlier)
			freed := blocker != nil && !blocker.isOpen()
			if !slices.Contains(is.said.blockedBy, earlier) && !freed && is.isOpen() {
				m.drop[edge{earlier, f.id}] = true
			}
		}
	}
	if !is.said.hasBlocks {
		is.said.blocks = was.said.blocks // what it said last, for the day it says something again
	}
	if !is.said.hasBlockedBy {
		is.said.blockedBy = was.said.blockedBy
	}
}

// state takes everything that e says for new.
func (m *merger) state(e *entry) {
	for _, later := range e.said.blocks {
		m.add[edge{e.id, later}] = true
	}
	for _, earlier := range e.said.blockedBy {
		m.add[edge{earlier, e.id}] = true
	}
}

// meet lets everybody say what there is to say about tasks without a past.
func (m *merger) meet() {
	met := false
	for _, fresh := range m.fresh {
		met = met || fresh
	}
	if !met {
		return
	}
	parents := map[pawl.ID]pawl.ID{}
	m.each(func(e *entry) bool {
		for _, later := range e.said.blocks {
			if m.fresh[later] {
				m.add[edge{e.id, later}] = true
			}
		}
		for _, earlier := range e.said.blockedBy {
			if m.fresh[earlier] {
				m.add[edge{earlier, e.id}] = true
			}
		}
		if e.parent != 0 && m.fresh[e.parent] {
			parents[e.id] = e.parent
		}
		return true
	})
	for child, parent := range parents {
		m.adopt(child, 0, parent)
		m.touch(parent)
	}
}

// arrange returns ids in the order of a list, what it does not have by id.
func arrange(ids, like []pawl.ID) []pawl.ID {
	var arranged []pawl.ID
	for _, id := range like {
		if slices.Contains(ids, id) && !slices.Contains(arranged, id) {
			arranged = append(arranged, id)
		}
	}
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if !slices.Contains(arranged, id) {
			arranged = append(arranged, id)
		}
	}
	return arranged
}
