package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dag"
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
// base stay, the others come in by age, and one that closes a circle is left out.
// A circle that every base has is nobody's doing here, and stays.
func (m *merger) cut() {
	next := make([][]int32, len(m.kinds))
	all := m.arrows()
	for _, a := range all {
		from, to := a.ends()
		next[from] = append(next[from], int32(to))
	}
	if !m.bad.anyEdge {
		if cycles := dag.Cycles(next); len(cycles) > 0 {
			m.untangle(all, cycles)
		}
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

// untangle cuts in each cycle what closes a circle.
func (m *merger) untangle(all []arrow, cycles [][]int32) {
	in := make([]int32, len(m.kinds)) // which cycle, from 1
	for c, members := range cycles {
		for _, k := range members {
			in[k] = int32(c + 1)
		}
	}
	old := m.oldArrows()
	next := map[int64][]int64{}
	var fresh []arrow
	for _, a := range all {
		from, to := a.ends()
		switch {
		case in[from] == 0 || in[from] != in[to]:
		case old[a] == len(m.bases) && len(m.bases) > 0:
			next[int64(from)] = append(next[int64(from)], int64(to))
		default:
			fresh = append(fresh, a)
		}
	}
	slices.SortFunc(fresh, m.younger)
	gone := map[link]bool{}
	for _, a := range fresh {
		from, to := a.ends()
		if from != to && dag.Path(int64(to), int64(from), func(k int64) []int64 { return next[k] }) == nil {
			next[int64(from)] = append(next[int64(from)], int64(to))
			continue
		}
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
		for _, l := range m.linksOf(b) {
			old[arrow{l, false}]++
		}
		for i := range b.items {
			if it := &b.items[i]; it.task != nil && it.task.Parent != 0 {
				old[arrow{link{it.kind, m.resolve(b, it.task.Parent)}, true}]++
			}
		}
	}
	return old
}

// crowd takes out the youngest edges of a task that has more than a task can have,
// if neither side had as many.
func (m *merger) crowd() {
	if len(m.links) <= pawl.MaxEdges {
		return
	}
	waits, blocks := map[kref][]link{}, map[kref][]link{}
	for _, l := range m.links {
		waits[l.waiter] = append(waits[l.waiter], l)
		blocks[l.blocker] = append(blocks[l.blocker], l)
	}
	gone := map[link]bool{}
	for k, kind := range m.kinds {
		for _, way := range []map[kref][]link{waits, blocks} {
			links := slices.DeleteFunc(way[kref(k)], func(l link) bool { return gone[l] })
			most := pawl.MaxEdges
			for _, l := range []*layer{m.ours, m.theirs} {
				if len(links) <= most {
					break
				}
				n := 0
				for _, had := range m.linksOf(l) {
					if way[kref(k)] != nil && (had.waiter == kref(k) && links[0].waiter == kref(k) || had.blocker == kref(k) && links[0].blocker == kref(k)) {
						n++
					}
				}
				most = max(most, n)
			}
			if len(links) <= most {
				continue
			}
			slices.SortFunc(links, func(a, b link) int { return m.younger(arrow{a, false}, arrow{b, false}) })
			for _, l := range links[most:] {
				gone[l] = true
				m.report.Beside = append(m.report.Beside, Leftover{
					ID:   kind.id,
					Why:  fmt.Sprintf("a task has at most %d edges each way", pawl.MaxEdges),
					Text: fmt.Appendf(nil, "%v waits for %v", m.kinds[l.waiter].id, m.kinds[l.blocker].id),
				})
			}
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
			if parent.now == nil || parent.now.status != pawl.Completed || m.had(parent.o, child.o, m.ours) || m.had(parent.t, child.t, m.theirs) {
				break
			}
			parent.now.work = work{status: pawl.Pending}
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
