package merge

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
)

// survive decides which tasks the merged board has. A task that one side deleted is
// gone unless the other changed more of it than its edges.
func (m *merger) survive() {
	for _, k := range slices.Clone(m.kinds) { // which grows by what they mention
		switch {
		case k.o == nil && k.t == nil:
		case k.o != nil && k.o.task == nil || k.t != nil && k.t.task == nil:
			m.damaged(k)
		case m.sided && k.t == nil && k.gone != nil:
			m.revive(k)
		case k.o != nil && k.t != nil || len(k.b) == 0:
			k.lives = true
		default:
			it, l := k.o, m.ours
			if it == nil {
				it, l = k.t, m.theirs
			}
			k.lives = m.worked(k, it, l)
		}
	}
}

// worked reports whether a side has changed a task since every base.
func (m *merger) worked(k *kind, it *item, l *layer) bool {
	for _, b := range k.b {
		if b.file == it.file && b.beside.equal(it.beside) || b.task != nil && m.alike(m.fieldsOf(b, m.all[b.on]), m.fieldsOf(it, l)) {
			return false
		}
	}
	return true
}

// damaged merges unreadable files as whole texts: a file that one side has not
// changed is as the other side has it. If both changed it, a readable one is taken,
// and the other text is kept beside.
func (m *merger) damaged(k *kind) {
	base := func(it *item) bool {
		for _, b := range k.b {
			if b.file == it.file {
				return true
			}
		}
		return false
	}
	it := k.o
	switch {
	case k.o == nil || k.t == nil:
		if it == nil {
			it = k.t
		}
		if len(k.b) > 0 && base(it) {
			return
		}
	case k.o.file == k.t.file:
		if m.sided {
			it = k.t
		}
	case base(k.o) && !base(k.t): // of several bases each side may have one
		it = k.t
	case base(k.t) && !base(k.o):
	default:
		other := k.t
		if m.sided && (k.t.task != nil || k.o.task == nil) || k.o.task == nil && (k.t.task != nil || bytes.Compare(k.t.text, k.o.text) > 0) {
			it, other = k.t, k.o
		}
		m.report.Beside = append(m.report.Beside, Leftover{ID: it.id, Why: "both sides changed it, and it cannot be read", Text: other.text})
	}
	k.lives, k.damaged = true, true
	if it.task == nil {
		k.opaque = it
	}
	k.before = k.o
	if it == k.o { // the other side has no say
		k.t = nil
	} else {
		k.o = nil
	}
}

// resolve finds the task that a number means on a board. A number that no file has
// there means the task that a base knew by it; else it means nothing but itself. A
// base may be a board that theirs has never seen, with another task at that number.
func (m *merger) resolve(l *layer, id pawl.ID) kref {
	if it := l.byID[id]; it != nil {
		return it.kind
	}
	if l.side != "" {
		for _, b := range m.bases {
			if it := b.byID[id]; it != nil && (!m.sided || l.side == Ours || m.once(it.kind, id)) {
				return it.kind
			}
		}
	}
	return m.ghost(id)
}

// once reports whether theirs had a task under a number, before it was deleted.
func (m *merger) once(k kref, id pawl.ID) bool {
	gone := m.kinds[k].gone
	return gone != nil && gone.id == id
}

// ghost is a number that no file has.
func (m *merger) ghost(id pawl.ID) kref {
	k, ok := m.ghosts[id]
	if !ok {
		if m.ghosts == nil {
			m.ghosts = map[pawl.ID]kref{}
		}
		k = kref(len(m.kinds))
		m.kinds = append(m.kinds, &kind{order: order{identity: identity{first: id}, least: id}, ghost: id, id: id})
		m.ghosts[id] = k
	}
	return k
}
