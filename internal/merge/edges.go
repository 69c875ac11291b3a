package merge

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A link says that one task waits, or ever waited, for another, whatever their
// status is. A file may record it on either side.
type link struct{ waiter, blocker kref }

func (a link) compare(b link) int {
	key := func(l link) uint64 { return uint64(uint32(l.waiter))<<32 | uint64(uint32(l.blocker)) }
	return cmp.Compare(key(a), key(b))
}

// linksOf are the links that a board records, in order.
func (m *merger) linksOf(l *layer) []link {
	links := make([]link, 0, 3*len(l.items))
	to := func(id pawl.ID) kref {
		k := m.resolve(l, id)
		if !m.kinds[k].lives && l.side != "" && l.byID[id] == nil {
			k = m.ghost(id)
		}
		return k
	}
	for i := range l.items {
		it := &l.items[i]
		if it.task == nil {
			continue
		}
		for _, id := range it.task.BlockedBy {
			links = append(links, link{it.kind, to(id)})
		}
		for _, id := range it.task.Blocks {
			links = append(links, link{to(id), it.kind})
		}
	}
	for _, it := range l.back {
		links = append(links, m.recorded(it, l)...)
	}
	slices.SortFunc(links, link.compare)
	return slices.Compact(links)
}

// edges merges the links as a set. A side that has not both of the tasks has no
// say: it did not remove the link, but the task.
func (m *merger) edges() {
	o, t := m.linksOf(m.ours), m.linksOf(m.theirs)
	var b []link
	for _, base := range m.bases {
		b = append(b, m.linksOf(base)...)
	}
	slices.SortFunc(b, link.compare)
	b = slices.Compact(b)
	on := m.readable()
	says := func(l link, board int) bool {
		return (m.kinds[l.waiter].ghost != 0 || on[l.waiter]&setOf(board) != 0) && (m.kinds[l.blocker].ghost != 0 || on[l.blocker]&setOf(board) != 0)
	}
	ours, theirs := m.ours.on, m.theirs.on
	for len(o)+len(t) > 0 {
		var l link
		switch {
		case len(t) == 0 || len(o) > 0 && o[0].compare(t[0]) <= 0:
			l = o[0]
		default:
			l = t[0]
		}
		inO, inT := len(o) > 0 && o[0] == l, len(t) > 0 && t[0] == l
		if inO {
			o = o[1:]
		}
		if inT {
			t = t[1:]
		}
		for len(b) > 0 && b[0].compare(l) < 0 {
			b = b[1:]
		}
		inB := len(b) > 0 && b[0] == l
		stays := inO && inT || inO && (!inB || !says(l, theirs)) || inT && (!inB || !says(l, ours))
		if stays {
			if l, ok := m.meant(l); ok {
				m.links = append(m.links, l)
			}
		}
	}
	slices.SortFunc(m.links, link.compare)
	m.links = slices.Compact(m.links)
	for _, k := range m.kinds {
		if k.now == nil || k.now.parent == none {
			continue
		}
		if ghost := m.kinds[k.now.parent].ghost; ghost != 0 {
			if p, taken := m.byID[ghost]; taken {
				k.now.parent = p
				m.report.Unclear = append(m.report.Unclear, Unclear{ID: k.id, Field: pawl.FieldParent, Took: ghost})
			}
		}
	}
}

// readable tells on which boards each task can be read.
func (m *merger) readable() []boardset {
	on := make([]boardset, len(m.kinds))
	for _, l := range m.all {
		for i := range l.items {
			if it := &l.items[i]; it.task != nil {
				on[it.kind] |= setOf(l.on)
			}
		}
	}
	return on
}

// meant is the link between tasks of the merged board. A number that no file had
// where it was written is that of a task now if the other side has one there:
// nothing says that another was meant, nor that this one was.
func (m *merger) meant(l link) (link, bool) {
	for _, end := range []*kref{&l.waiter, &l.blocker} {
		k := m.kinds[*end]
		if k.ghost == 0 {
			if !k.lives {
				return l, false
			}
			continue
		}
		if task, taken := m.byID[k.ghost]; taken {
			*end = task
			field, other := pawl.FieldBlockedBy, l.waiter
			if end == &l.waiter {
				field, other = pawl.FieldBlocks, l.blocker
			}
			m.report.Unclear = append(m.report.Unclear, Unclear{ID: m.kinds[other].id, Field: field, Took: k.ghost})
		}
	}
	return l, l.waiter != l.blocker
}

// adjacency spreads the links over the tasks: what each waits for, and what waits
// for it.
func (m *merger) adjacency() {
	m.waits = make([][]kref, len(m.kinds))
	m.blocks = make([][]kref, len(m.kinds))
	for _, l := range m.links {
		m.waits[l.waiter] = append(m.waits[l.waiter], l.blocker)
		m.blocks[l.blocker] = append(m.blocks[l.blocker], l.waiter)
	}
}
