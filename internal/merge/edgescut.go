package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/graph"
)

// An arrow leads from a task to one that it needs: from what waits to what it
// waits for, and from a parent to its child. link says it as files record it, with
// the child in the place of what waits.
type arrow struct {
	link
	parent bool
}

func (a arrow) ends() (from, to kref) {
	if a.parent {
		return a.blocker, a.waiter
	}
	return a.waiter, a.blocker
}

// younger orders arrows by the age of their tasks.
func (m *merger) younger(a, b arrow) int {
	parent := func(p bool) int {
		if p {
			return 1
		}
		return 0
	}
	return cmp.Or(m.compare(a.waiter, b.waiter), m.compare(a.blocker, b.blocker), parent(a.parent)-parent(b.parent))
}

// cut takes out edges, so that no task needs itself: over all recorded edges, those
// of completed tasks too, and parents. An edge yields to older ones: those of every
// base stay, the others come in by age, and one that closes a cycle is left out.
// A cycle that every base has is nobody's doing here, and stays.
func (m *merger) cut() {
	next := make([][]int32, len(m.kinds))
	all := m.arrows()
	for _, a := range all {
		from, to := a.ends()
		next[from] = append(next[from], int32(to))
	}
	if cycles := graph.Cycles(next); len(cycles) > 0 {
		m.untangle(all, cycles)
	}
	m.crowd()
	m.adjacency()
}

// arrows are all of the merged board.
func (m *merger) arrows() []arrow {
	all := make([]arrow, 0, len(m.links)+len(m.kinds)/4)
	for _, l := range m.links {
		all = append(all, arrow{l, false})
	}
	for i, k := range m.kinds {
		if k.now != nil && k.now.parent != none && m.kinds[k.now.parent].lives {
			all = append(all, arrow{link{kref(i), k.now.parent}, true})
		}
	}
	return all
}

// untangle cuts in each cycle what closes a cycle.
func (m *merger) untangle(all []arrow, cycles [][]int32) {
	in := make([]int32, len(m.kinds)) // which cycle, from 1
	for c, members := range cycles {
		for _, k := range members {
			in[k] = int32(c + 1)
		}
	}
	old := m.oldArrows()
	var settled map[arrow]bool
	if m.sided {
		settled = map[arrow]bool{}
		m.arrowsOf(m.theirs, func(a arrow) { settled[a] = true })
	}
	next := make([][]int32, len(m.kinds))
	var fresh []arrow
	for _, a := range all {
		from, to := a.ends()
		switch {
		case in[from] == 0 || in[from] != in[to]:
		case old[a] == len(m.bases) && len(m.bases) > 0 && (!m.sided || settled[a]):
			next[from] = append(next[from], int32(to))
		default:
			fresh = append(fresh, a)
		}
	}
	slices.SortFunc(fresh, func(a, b arrow) int {
		if settled[a] != settled[b] { // what theirs has comes first
			if settled[a] {
				return -1
			}
			return 1
		}
		return m.younger(a, b)
	})
	edges := make([][2]int32, len(fresh))
	for i, a := range fresh {
		from, to := a.ends()
		edges[i] = [2]int32{int32(from), int32(to)}
	}
	gone := map[link]bool{}
	for _, i := range graph.Closing(next, edges) {
		a := fresh[i]
		m.report.Cut = append(m.report.Cut, Edge{Task: m.kinds[a.waiter].id, For: m.kinds[a.blocker].id, Parent: a.parent})
		if a.parent {
			m.kinds[a.waiter].now.parent = none
		} else {
			gone[a.link] = true
		}
	}
	m.links = slices.DeleteFunc(m.links, func(l link) bool { return gone[l] })
}

// oldArrows counts on how many bases each is.
func (m *merger) oldArrows() map[arrow]int {
	old := map[arrow]int{}
	for _, b := range m.bases {
		m.arrowsOf(b, func(a arrow) { old[a]++ })
	}
	return old
}

// arrowsOf calls fn with each arrow that a board records.
func (m *merger) arrowsOf(b *layer, fn func(arrow)) {
	for _, l := range m.linksOf(b) {
		fn(arrow{l, false})
	}
	for i := range b.items {
		if it := &b.items[i]; it.task != nil && it.task.Parent != 0 {
			fn(arrow{link{it.kind, m.resolve(b, it.task.Parent)}, true})
		}
	}
}

// crowd takes out the youngest edges of a task that has more than a task can have,
// if neither side had as many.
func (m *merger) crowd() {
	if len(m.links) <= pawl.MaxEdges {
		return
	}
	counts := func(links []link) []int { // of each task what it waits for, and what waits for it
		n := make([]int, 2*len(m.kinds))
		for _, l := range links {
			n[2*l.waiter]++
			n[2*l.blocker+1]++
		}
		return n
	}
	var full []int
	for end, n := range counts(m.links) {
		if n > pawl.MaxEdges {
			full = append(full, end)
		}
	}
	if len(full) == 0 {
		return
	}
	slices.SortFunc(full, func(a, b int) int { return cmp.Or(m.compare(kref(a/2), kref(b/2)), a%2-b%2) })
	ours, theirs := counts(m.linksOf(m.ours)), counts(m.linksOf(m.theirs))
	gone := map[link]bool{}
	for _, end := range full {
		var links []link
		for _, l := range m.links {
			if ends := [2]kref{l.waiter, l.blocker}; ends[end%2] == kref(end/2) && !gone[l] {
				links = append(links, l)
			}
		}
		slices.SortFunc(links, func(a, b link) int { return m.younger(arrow{a, false}, arrow{b, false}) })
		most := max(pawl.MaxEdges, ours[end], theirs[end])
		for _, l := range links[min(most, len(links)):] {
			gone[l] = true
			m.report.Beside = append(m.report.Beside, Leftover{
				ID:   m.kinds[end/2].id,
				Why:  fmt.Sprintf("a task has at most %d edges each way", pawl.MaxEdges),
				Text: fmt.Appendf(nil, "%v waits for %v", m.kinds[l.waiter].id, m.kinds[l.blocker].id),
			})
		}
	}
	m.links = slices.DeleteFunc(m.links, func(l link) bool { return gone[l] })
}

// reopen reopens a completed task that has an open child, if neither side had it
// so, and then its parent.
func (m *merger) reopen() {
	for i := range m.kinds {
		for c := kref(i); ; {
			child := m.kinds[c]
			if child.now == nil || child.now.status == pawl.Completed || child.now.parent == none {
				break
			}
			p := child.now.parent
			parent := m.kinds[p]
			if parent.now == nil || parent.now.status != pawl.Completed || m.had(parent.o, child.o, m.ours) ||
				!child.revived && !parent.revived && m.had(parent.t, child.t, m.theirs) { // where one of them was gone, it had not both
				break
			}
			if m.sided {
				m.noteReopened(parent.now)
			}
			parent.now.work = work{status: pawl.Pending, beside: Beside{Turn: parent.turn() + 1}}
			parent.now.unchanged = nil
			m.report.Reopened = append(m.report.Reopened, Named{parent.id, parent.now.subject.text})
			c = p
		}
	}
}

// had reports whether a side has a completed parent with this open child.
func (m *merger) had(parent, child *item, l *layer) bool {
	return parent != nil && child != nil && parent.task != nil && child.task != nil &&
		!parent.task.Open() && child.task.Open() && child.task.Parent != 0 && m.resolve(l, child.task.Parent) == parent.kind
}
