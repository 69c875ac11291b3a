package merge

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
)

// numberOnto gives the tasks of the merged board numbers. Other clones have seen
// those of theirs, and of what theirs once had: they stay. A new task of ours keeps
// its number only if nobody can have seen it for another one.
func (m *merger) numberOnto(want map[pawl.ID][]kref) {
	var open, losers []kref
	for i, k := range m.kinds {
		switch {
		case !k.lives:
		case k.settled != nil:
			k.id = k.settled.id
			want[k.id] = append(want[k.id], kref(i))
		default:
			open = append(open, kref(i))
		}
	}
	mark, used := m.seen()
	slices.SortFunc(open, func(a, b kref) int { return cmp.Compare(m.kinds[a].o.id, m.kinds[b].o.id) })
	for _, known := range []bool{true, false} {
		for _, i := range open {
			k := m.kinds[i]
			id := k.o.id
			switch {
			case k.gone != nil:
				id = k.gone.id
			case len(k.b) > 0:
				id = k.b[0].id
			case len(k.past) > 0:
				id = k.past[0].id
			}
			isKnown := k.gone != nil || len(k.b)+len(k.past) > 0
			switch {
			case isKnown != known:
			case want[id] != nil, !known && k.opaque == nil && (id <= mark || used[id]): // an unreadable file has nothing but its number
				losers = append(losers, i)
			default:
				k.id = id
				want[id] = append(want[id], i)
			}
		}
	}
	m.renew(losers, m.high, want)
	for _, l := range m.all { // one that moved only because it came too late was not shifty till now
		for i := range l.items {
			if it := &l.items[i]; m.kinds[it.kind].lives && m.kinds[it.kind].id != it.id {
				m.shifty[it.id] = true
			}
		}
	}
}

// seen is the highest number that theirs ever had, and all that it mentions besides.
func (m *merger) seen() (mark pawl.ID, used map[pawl.ID]bool) {
	used = map[pawl.ID]bool{}
	mark = m.theirs.mark
	see := func(ids ...pawl.ID) {
		for _, id := range ids {
			if used[id] = true; id <= pawl.MaxForeignID {
				mark = max(mark, id)
			}
		}
	}
	for i := range m.theirs.items {
		it := &m.theirs.items[i]
		see(it.id)
	}
	for _, l := range m.all {
		for i := range l.gone {
			see(l.gone[i].ID)
		}
	}
	return mark, used
}
