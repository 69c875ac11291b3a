package merge

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// number gives every task of the merged board a number. Of those that have the
// same the eldest keeps it; the others get new ones, in order of age, which exceed
// every number that is used or mentioned on any of the boards. Age and not status
// decides, since that never changes: all clones decide alike.
func (m *merger) number() {
	want := map[pawl.ID][]kref{}
	if m.sided {
		m.numberOnto(want)
		return
	}
	for i, k := range m.kinds {
		if !k.lives {
			continue
		}
		k.id = wanted(k)
		want[k.id] = append(want[k.id], kref(i))
	}
	var losers []kref
	for _, all := range want {
		if len(all) > 1 {
			slices.SortFunc(all, func(a, b kref) int { return m.compare(a, b) })
			losers = append(losers, all[1:]...)
		}
	}
	slices.SortFunc(losers, func(a, b kref) int { return m.compare(a, b) })
	m.renew(losers, m.high, want)
}

// renew gives tasks new numbers behind one, and tells all what they had.
func (m *merger) renew(losers []kref, free pawl.ID, want map[pawl.ID][]kref) {
	for _, i := range losers {
		free = m.after(free, want)
		m.kinds[i].id = free
	}
	m.byID = make(map[pawl.ID]kref, len(want)+len(losers))
	for i, k := range m.kinds {
		if k.lives {
			m.byID[k.id] = kref(i)
			k.was = m.former(k)
		}
	}
}

// compare orders tasks by age. A file that cannot be read comes first, since only
// its number is known of it.
func (m *merger) compare(a, b kref) int {
	x, y := m.kinds[a], m.kinds[b]
	if (x.opaque != nil) != (y.opaque != nil) {
		if x.opaque != nil {
			return -1
		}
		return 1
	}
	if c := x.order.compare(y.order); c != 0 || x == y {
		return c
	}
	return bytes.Compare(x.last(), y.last()) // a board has several tasks that nothing else tells apart
}

// last is the greatest one of the task's texts on the two sides.
func (k *kind) last() []byte {
	var text []byte
	for _, it := range []*item{k.o, k.t} {
		if it != nil && bytes.Compare(it.text, text) > 0 {
			text = it.text
		}
	}
	return text
}

// wanted is the number that a task has on the side that moved it last.
func wanted(k *kind) pawl.ID {
	switch {
	case k.opaque != nil:
		return k.opaque.id
	case k.o == nil:
		return k.t.id
	case k.t == nil || k.o.id == k.t.id:
		return k.o.id
	}
	o, t := len(k.o.task.Was), len(k.t.task.Was)
	if o > t || o == t && k.o.id < k.t.id {
		return k.o.id
	}
	return k.t.id
}

// after is the first number behind id that can be given.
func (m *merger) after(id pawl.ID, want map[pawl.ID][]kref) pawl.ID {
	used := func(id pawl.ID) bool { return m.taken[id] || want[id] != nil }
	for id++; id > pawl.MaxForeignID && used(id); id++ {
	}
	if id > pawl.MaxID { // as good as never: any number that is free
		for id = 1; used(id); id++ {
		}
		want[id] = []kref{}
	}
	return id
}

// former returns the numbers that a task had, for its file: its first, and the
// others in order. A list that a side has already stays as it is.
func (m *merger) former(k *kind) []pawl.ID {
	if k.opaque != nil {
		return nil
	}
	had := map[pawl.ID]bool{}
	for _, it := range []*item{k.o, k.t} {
		if it != nil {
			had[it.id] = true
			for _, id := range it.task.Was {
				had[id] = true
			}
		}
	}
	delete(had, k.id)
	delete(had, k.first)
	if len(had) == 0 && k.id == k.first {
		return nil
	}
	was := make([]pawl.ID, 0, len(had)+1)
	for id := range had {
		was = append(was, id)
	}
	slices.Sort(was)
	was = taskjson.CutWas(append([]pawl.ID{k.first}, was...))
	var said []pawl.ID
	for _, it := range []*item{k.o, k.t} {
		if it == nil || !sameIDs(it.task.Was, was) || it.task.Was[0] != k.first {
			continue
		}
		if said == nil || m.sided || slices.Compare(it.task.Was, said) < 0 {
			said = it.task.Was
		}
	}
	if said == nil {
		return was
	}
	return said
}

// sameIDs reports whether two lists name the same ids.
func sameIDs(a, b []pawl.ID) bool {
	if slices.Equal(a, b) {
		return true
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// mark is the highest number that was ever given, where no file tells it.
func (m *merger) mark() pawl.ID {
	mark := max(m.ours.mark, m.theirs.mark)
	for _, b := range m.bases {
		mark = max(mark, b.mark)
	}
	highest := pawl.ID(0)
	for id := range m.byID {
		if id <= pawl.MaxForeignID {
			highest = max(highest, id)
		}
	}
	switch {
	case m.sided: // it says so on every board
		mark = max(mark, highest, m.high)
	case m.high > max(highest, mark):
		mark = m.high
	}
	return mark
}
