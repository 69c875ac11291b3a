package merge

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// matchImports finds tasks that are the same under two identities.
//
// Two clones that bring in the same issue of a tracker give it two numbers: a task
// that was imported is known by its name there (the metadata ref), if that is what
// one task of each board is called, and it was made at the same time or has the
// same subject.
//
// A task of another program, which did not say when it was made, may say so now.
func (m *merger) matchImports() {
	refs := map[string][]*item{}
	late := map[pawl.ID][]*item{} // by number: tasks without a time on a base, and others
	for i, l := range m.all {
		for j := range l.items {
			it := &l.items[j]
			if it.task == nil {
				continue
			}
			if ref := it.task.Metadata[pawl.RefKey]; len(ref) > 2 {
				refs[string(ref)] = append(refs[string(ref)], it)
			}
			if i < len(m.bases) && it.task.CreatedAt.IsZero() {
				late[it.id] = append(late[it.id], it)
			}
		}
	}
	if len(refs)+len(late) == 0 {
		return
	}
	j := m.joins()
	for _, ref := range slices.Sorted(maps.Keys(refs)) {
		items := refs[ref]
		m.byAge(items)
		for i, a := range items {
			for _, b := range items[:i] {
				if a.kind != b.kind && (a.task.CreatedAt.Equal(b.task.CreatedAt) || sameSubject(a, b)) {
					j.join(a.kind, b.kind)
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(late)) {
		for _, base := range late[id] {
			var items []*item
			for _, l := range []*layer{m.ours, m.theirs} {
				it := l.byID[id]
				if it != nil && it.task != nil && !it.task.CreatedAt.IsZero() && sameSubject(it, base) {
					items = append(items, it)
				}
			}
			m.byAge(items)
			for _, it := range items {
				j.join(it.kind, base.kind)
			}
		}
	}
	j.settle()
}

// byAge puts files in an order that does not depend on which side is ours.
func (m *merger) byAge(items []*item) {
	slices.SortStableFunc(items, func(a, b *item) int {
		return cmp.Or(m.kinds[a.kind].compare(m.kinds[b.kind].order), bytes.Compare(a.text, b.text))
	})
}

// joins makes one task of several, where no board has more than one of them.
type joins struct {
	m  *merger
	to []kref
	on []boardset // by task: the boards that have it
}

func (m *merger) joins() *joins {
	j := &joins{m: m, to: make([]kref, len(m.kinds)), on: m.boardsOf()}
	for k := range j.to {
		j.to[k] = kref(k)
	}
	return j
}

// boardset is a set of boards. Bases beyond the sixtieth are one.
type boardset uint64

func setOf(board int) boardset { return 1 << min(board, 63) }

// boardsOf tells which boards have each task.
func (m *merger) boardsOf() []boardset {
	on := make([]boardset, len(m.kinds))
	for _, l := range m.all {
		for i := range l.items {
			if k := l.items[i].kind; k != none {
				on[k] |= setOf(l.on)
			}
		}
	}
	return on
}

func (j *joins) join(a, b kref) {
	a, b = j.of(a), j.of(b)
	if a == b {
		return
	}
	if j.on[a]&j.on[b] != 0 {
		return
	}
	// The elder's identity is that of both; one that says when it was made is
	// better than one that does not.
	x, y := j.m.kinds[a], j.m.kinds[b]
	if x.made == 0 && y.made != 0 || (x.made == 0) == (y.made == 0) && y.compare(x.order) < 0 {
		a, b = b, a
	}
	j.to[b] = a
	j.on[a] |= j.on[b]
}

func (j *joins) of(k kref) kref {
	for j.to[k] != k {
		k = j.to[k]
	}
	return k
}

func (j *joins) settle() {
	for _, l := range j.m.all {
		for i := range l.items {
			if it := &l.items[i]; it.kind != none {
				it.kind = j.of(it.kind)
			}
		}
	}
}

// matchDamaged finds out which task a file is about that cannot be read: the one
// that all other boards have under its number, or else none that is known.
func (m *merger) matchDamaged() {
	damaged := map[pawl.ID]boardset{}
	for _, l := range m.all {
		for i := range l.items {
			if it := &l.items[i]; it.task == nil {
				damaged[it.id] |= setOf(l.on)
			}
		}
	}
	if len(damaged) == 0 {
		return
	}
	on := m.boardsOf()
	for _, id := range slices.Sorted(maps.Keys(damaged)) {
		k, one := none, true
		for _, l := range m.all {
			if it := l.byID[id]; it != nil && it.task != nil {
				one = one && (k == none || k == it.kind)
				k = it.kind
			}
		}
		if k == none || !one || on[k]&damaged[id] != 0 { // there it has another number
			k = m.newKind(identity{first: id}, &item{file: &file{}, id: id})
		}
		for _, l := range m.all {
			if it := l.byID[id]; it != nil && it.task == nil {
				it.kind = k
			}
		}
	}
}
