package merge

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// tell fills the report with what follows from the boards as they are now.
func (m *merger) tell() {
	r := &m.report
	for i, k := range m.kinds {
		switch {
		case k.ghost != 0 || k.o == nil && k.t == nil && len(k.b) == 0:
		case !k.lives:
			if k.o != nil {
				r.Deleted = append(r.Deleted, Named{k.o.id, subjectOf(k.o)})
			}
		case k.o == nil && len(k.b) == 0:
			r.Arrived = append(r.Arrived, m.named(k))
		case k.damaged:
			if k.before != nil && (k.as == nil || !bytes.Equal(k.before.text, k.as.text)) {
				r.Changed = append(r.Changed, k.id)
			}
		case k.revived:
			r.Kept = append(r.Kept, Kept{m.named(k), Theirs})
		case len(k.b) > 0 && k.o == nil:
			r.Kept = append(r.Kept, Kept{m.named(k), Ours})
		case len(k.b) > 0 && k.t == nil:
			r.Kept = append(r.Kept, Kept{m.named(k), Theirs})
		}
		if !k.lives {
			continue
		}
		m.moved(k, k.o, Ours)
		m.moved(k, k.t, Theirs)
		if k.o != nil && !k.damaged && m.other(k) {
			r.Changed = append(r.Changed, k.id)
		}
		m.waiting(kref(i))
	}
	for i := range r.Both {
		r.Both[i].Named = m.named(m.kinds[m.byID[r.Both[i].ID]])
	}
	for i := range r.Yielded {
		r.Yielded[i].Named = m.named(m.kinds[m.byID[r.Yielded[i].ID]])
	}
	slices.SortFunc(r.Arrived, byID)
	slices.SortFunc(r.Deleted, byID)
	slices.SortFunc(r.Reopened, byID)
	slices.Sort(r.Changed)
	slices.SortFunc(r.Moved, func(a, b Moved) int { return cmp.Or(byID(a.Named, b.Named), cmp.Compare(a.From, b.From)) })
	slices.SortFunc(r.Kept, func(a, b Kept) int { return byID(a.Named, b.Named) })
	slices.SortFunc(r.Both, func(a, b Both) int { return byID(a.Named, b.Named) })
	slices.SortFunc(r.Yielded, func(a, b Yielded) int { return byID(a.Named, b.Named) })
	edges := func(a, b Edge) int { return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.For, b.For)) }
	slices.SortFunc(r.Cut, edges)
	slices.SortFunc(r.Waiting, edges)
	slices.SortFunc(r.Noted, func(a, b Noted) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	slices.SortFunc(r.Unclear, func(a, b Unclear) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Took, b.Took))
	})
	r.Unclear = slices.Compact(r.Unclear)
	slices.SortStableFunc(r.Beside, func(a, b Leftover) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Why, b.Why), bytes.Compare(a.Text, b.Text))
	})
}

func byID(a, b Named) int { return cmp.Compare(a.ID, b.ID) }

func subjectOf(it *item) string {
	if it.task == nil {
		return ""
	}
	return it.task.Subject
}

func (m *merger) named(k *kind) Named {
	if k.now == nil {
		return Named{ID: k.id}
	}
	return Named{k.id, k.now.subject.text}
}

// moved tells that a side knew a task under another number.
func (m *merger) moved(k *kind, it *item, side Side) {
	if it == nil || it.id == k.id || k.now == nil {
		return
	}
	moved := Moved{Named: m.named(k), From: it.id, Side: side, CreatedAt: k.now.created}
	if elder, ok := m.byID[it.id]; ok && m.kinds[elder].now != nil {
		moved.Elder, moved.ElderBy = m.kinds[elder].now.subject.text, m.kinds[elder].now.owner
	}
	m.report.Moved = append(m.report.Moved, moved)
}

// other reports whether a task of ours says something else than before, apart from
// numbers, from what waits for it, and when it was changed.
func (m *merger) other(k *kind) bool {
	if k.as == k.o {
		return false
	}
	if k.now == nil || k.o.task == nil {
		return true
	}
	a, b := m.task(k, k.o), *k.o.task
	if !saysSame(&a, &b) {
		return true
	}
	parent := none
	if b.Parent != 0 {
		parent = m.resolve(m.ours, b.Parent)
	}
	if parent != k.now.parent {
		return true
	}
	before, after := map[kref]bool{}, map[kref]bool{}
	for _, id := range b.BlockedBy {
		before[m.resolve(m.ours, id)] = true
	}
	for _, w := range m.waits[k.o.kind] {
		if w := m.kinds[w]; w.now != nil && w.now.status == pawl.Completed || a.Status == pawl.Completed {
			continue
		}
		after[w] = true
	}
	return !maps.Equal(before, after)
}

// saysSame reports whether two versions of a task say the same, apart from other
// tasks' numbers and from when it was changed.
func saysSame(a, b *pawl.Task) bool {
	return sameSet(a.Labels, b.Labels) && !slices.ContainsFunc(pawl.Diff(a, b), func(f pawl.Field) bool {
		switch f {
		case pawl.FieldLabels, pawl.FieldBlockedBy, pawl.FieldBlocks, pawl.FieldParent, pawl.FieldWas, pawl.FieldCreatedAt, pawl.FieldUpdatedAt:
			return false
		}
		return true
	})
}

// waiting tells of work in progress that waits for something that it did not wait
// for on either side. The work goes on.
func (m *merger) waiting(i kref) {
	k := m.kinds[i]
	if k.now == nil || k.now.status != pawl.InProgress {
		return
	}
	for _, b := range m.waits[i] {
		blocker := m.kinds[b]
		if blocker.now == nil || blocker.now.status == pawl.Completed {
			continue
		}
		waited := func(it, other *item) bool {
			return it != nil && other != nil && it.task != nil && other.task != nil && it.task.Status == pawl.InProgress &&
				other.task.Open() && (slices.Contains(it.task.BlockedBy, other.id) || slices.Contains(other.task.Blocks, it.id))
		}
		if !waited(k.o, blocker.o) && !waited(k.t, blocker.t) {
			m.report.Waiting = append(m.report.Waiting, Edge{Task: k.id, For: blocker.id})
		}
	}
}
