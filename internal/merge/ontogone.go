package merge

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// recall finds the tasks that a board still has, or has again, among those that the
// remote had deleted.
func (m *merger) recall() {
	theirs := m.graveyard(m.theirs)
	var bases []*graveyard
	for _, b := range m.bases {
		bases = append(bases, m.graveyard(b))
	}
	for i, k := range m.kinds {
		it := k.o
		if it == nil {
			it = k.t
		}
		if it == nil && len(k.b) > 0 {
			it = k.b[len(k.b)-1]
		}
		if it == nil || it.task == nil || k.t != nil && len(k.b) > 0 { // it has been there all the time
			continue
		}
		if len(k.b) == 0 {
			for _, b := range bases {
				if was := b.find(it, again(it)); len(was) > 0 {
					k.past = append(k.past, was[0])
				}
			}
		}
		least := described
		if len(k.known()) > 0 {
			least = 0
		}
		if k.graves = theirs.find(it, least); len(k.graves) > 0 {
			k.gone = k.graves[0]
		}
		for _, it := range k.past {
			it.kind = kref(i)
			m.all[it.on].back = append(m.all[it.on].back, it) // where a side has it again, its edges are not new
		}
		if k.gone != nil {
			k.gone.kind = kref(i)
		}
	}
}

// again is how like a task of its identity another one has to be, so that it is the
// same at another time: where both say when they were made, the number is enough.
func again(it *item) int {
	if it.task.CreatedAt.IsZero() {
		return described
	}
	return 1
}

// revive decides about a task of ours that the remote had, and deleted. Where ours
// changed it, it goes on from its last state there. A copy that no base knows of,
// and that is just as it was when it was deleted, is an old one.
func (m *merger) revive(k *kind) {
	changed := len(k.past) > 0
	if len(k.b) > 0 {
		changed = m.worked(k, k.o, m.ours)
	} else if !changed {
		changed = !m.alike(m.fieldsOf(k.o, m.ours), m.fieldsOf(k.gone, m.theirs))
	}
	if !changed {
		return
	}
	k.lives, k.revived, k.t = true, true, k.gone
	m.theirs.back = append(m.theirs.back, k.gone)
}

// recorded are the edges in the file of a task that had been deleted, to tasks that
// are still there.
func (m *merger) recorded(it *item, l *layer) []link {
	var links []link
	for _, ids := range []struct {
		of    []pawl.ID
		waits bool
	}{{it.task.BlockedBy, true}, {it.task.Blocks, false}} {
		for _, id := range ids.of {
			k := m.resolve(l, id)
			switch {
			case !m.kinds[k].lives:
			case ids.waits:
				links = append(links, link{it.kind, k})
			default:
				links = append(links, link{k, it.kind})
			}
		}
	}
	return links
}

// A graveyard finds tasks that a board had deleted.
type graveyard struct {
	m     *merger
	l     *layer
	byID  map[pawl.ID][]*Gone
	moved map[identity][]*item // those that had other numbers before
}

func (m *merger) graveyard(l *layer) *graveyard {
	g := &graveyard{m: m, l: l, byID: make(map[pawl.ID][]*Gone, len(l.gone)), moved: map[identity][]*item{}}
	for i := range l.gone {
		gone := &l.gone[i]
		if !bytes.Contains(gone.Text, []byte(`"was"`)) {
			g.byID[gone.ID] = append(g.byID[gone.ID], gone)
		} else if it := m.dug(gone, l); it != nil {
			g.moved[identityOf(it.task)] = append(g.moved[identityOf(it.task)], it)
		}
	}
	return g
}

// dug reads the file of a deleted task; nil: it cannot be read as one.
func (m *merger) dug(gone *Gone, l *layer) *item {
	f, err := taskjson.Decode(gone.Text)
	if err != nil || f.Task.ID != gone.ID || joined(gone.Text) {
		return nil
	}
	return &item{file: &file{gone.Text, &f.Task}, id: gone.ID, kind: none, on: l.on, beside: gone.Beside}
}

// find returns the tasks that have the identity of another one, and are at least so
// like it, the most like it first. There are several only on a damaged board.
func (g *graveyard) find(it *item, least int) []*item {
	id := identityOf(it.task)
	var all []*item
	for _, other := range g.moved[id] {
		own := *other // which says of what task it is
		all = append(all, &own)
	}
	for _, gone := range g.byID[id.first] {
		if other := g.m.dug(gone, g.l); other != nil && identityOf(other.task) == id {
			all = append(all, other)
		}
	}
	all = slices.DeleteFunc(all, func(other *item) bool { return likeness(other, it) < least })
	slices.SortStableFunc(all, func(a, b *item) int { return cmp.Compare(likeness(b, it), likeness(a, it)) })
	return all
}

// graves are the deleted tasks of the merged board: those of all boards, and what
// theirs or a base had and the merged board has not.
func (m *merger) graves() []Gone {
	back := map[string]bool{} // the texts of those that live again
	for _, k := range m.kinds {
		for _, it := range k.graves {
			if k.lives && k.settled == nil { // what theirs has besides is as it was
				back[string(it.text)] = true
			}
		}
	}
	var all []Gone
	for _, gone := range m.theirs.gone {
		if len(back) == 0 || !back[string(gone.Text)] {
			all = append(all, gone)
		}
	}
	for _, k := range m.kinds {
		it := k.settled
		if it == nil && len(k.b) > 0 {
			it = k.b[len(k.b)-1]
		}
		if !k.lives && it != nil && k.gone == nil {
			all = append(all, Gone{ID: it.id, Text: it.text, Beside: it.beside})
		}
	}
	all = m.older(all)
	sortGone(all)
	return all
}

func sortGone(all []Gone) {
	byNumber := func(a, b Gone) int { return cmp.Or(cmp.Compare(a.ID, b.ID), bytes.Compare(a.Text, b.Text)) }
	if !slices.IsSortedFunc(all, byNumber) {
		slices.SortStableFunc(all, byNumber)
	}
}

// older adds the deleted tasks that theirs does not have. It has, unless somebody has
// taken the remote back.
func (m *merger) older(all []Gone) []Gone {
	known := make(map[pawl.ID][]byte, len(m.theirs.gone))
	for _, gone := range m.theirs.gone {
		known[gone.ID] = gone.Text
	}
	var unknown []*Gone
	var from []*layer
	for _, l := range append([]*layer{m.ours}, m.bases...) {
		for i := range l.gone {
			if gone := &l.gone[i]; !bytes.Equal(gone.Text, known[gone.ID]) {
				unknown, from = append(unknown, gone), append(from, l)
			}
		}
	}
	if len(unknown) == 0 {
		return all
	}
	there := map[identity][]*item{}
	put := func(it *item) {
		if it != nil && it.task != nil {
			there[identityOf(it.task)] = append(there[identityOf(it.task)], it)
		}
	}
	for _, k := range m.kinds {
		if k.lives {
			for _, it := range append(slices.Clip(k.past), k.o, k.t) {
				put(it)
			}
		}
	}
	texts := map[string]bool{}
	for i := range all {
		put(m.dug(&all[i], m.theirs))
		texts[string(all[i].Text)] = true
	}
	for i, gone := range unknown {
		it := m.dug(gone, from[i])
		if texts[string(gone.Text)] || it != nil && slices.ContainsFunc(there[identityOf(it.task)], func(other *item) bool { return likeness(other, it) >= again(it) }) {
			continue
		}
		texts[string(gone.Text)] = true
		put(it)
		all = append(all, *gone)
	}
	return all
}
