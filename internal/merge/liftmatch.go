package merge

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// identity is by what a task is known on every board: the first number that it
// ever had, and when it was made, in milliseconds. A file of another program may
// not say when, and two clones can make a task in the same millisecond, so that
// several tasks may have one identity; [merger.match] tells them apart.
type identity struct {
	made  int64 // zero: not known
	first pawl.ID
}

func identityOf(t *pawl.Task) identity {
	id := identity{first: taskjson.First(t)}
	if !t.CreatedAt.IsZero() {
		id.made = t.CreatedAt.UnixMilli()
	}
	return id
}

// order is the age of a task: the elder keeps a number that two have. One whose
// age is not known is taken for old, since the program that made it may know it by
// its number only.
type order struct {
	identity
	print uint64  // of the subject, for two tasks of one identity
	least pawl.ID // the lowest number on any board
}

func (a order) compare(b order) int {
	return cmp.Or(cmp.Compare(a.made, b.made), cmp.Compare(a.first, b.first),
		cmp.Compare(a.print, b.print), cmp.Compare(a.least, b.least))
}

func printOf(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// match finds out which files are about the same task. A task has the same
// identity on every board. Where several have one identity, those are the same
// that are most alike; what is new on both sides under one identity, and has neither
// the subject nor the description in common, is two tasks.
func (m *merger) match() {
	groups := map[identity][]*item{} // in order of m.all
	var ids []identity
	for _, l := range m.all {
		for i := range l.items {
			it := &l.items[i]
			if it.task == nil {
				continue
			}
			id := identityOf(it.task)
			if groups[id] == nil {
				ids = append(ids, id)
			}
			groups[id] = append(groups[id], it)
		}
	}
	for _, id := range ids {
		m.group(id, groups[id])
	}
	m.matchImports()
	m.matchDamaged()
	m.place()
	m.shift()
}

// group makes tasks of the files of one identity.
func (m *merger) group(id identity, items []*item) {
	ours, theirs := len(m.bases), len(m.bases)+1
	var of [2][]*item // of ours and theirs
	var based []*item
	plain := true
	for i, it := range items {
		switch b := it.on; b {
		case ours, theirs:
			of[b-ours] = append(of[b-ours], it)
		default:
			based = append(based, it)
		}
		plain = plain && (i == 0 || items[i-1].on != it.on)
	}
	m.twins = m.twins || !plain && id.made != 0
	if plain && !m.strange(of, based) && !m.replaced(id, of, based) && (len(based) > 0 || len(items) == 1 || likeness(items[0], items[1]) >= described || m.sided && movedAlike(items[0], items[1]) || m.backAlike(items[0], items[1])) {
		k := m.newKind(id, items[0])
		for _, it := range items {
			it.kind = k
		}
		return
	}
	var known []*item       // one of each task that the bases have
	taken := map[kref]int{} // the board that had it last
	for _, it := range based {
		same := func(other *item) bool { return likeness(it, other) >= described && taken[other.kind] != it.on+1 }
		if k := slices.IndexFunc(known, same); k >= 0 {
			it.kind = known[k].kind
			taken[it.kind] = it.on + 1
			continue
		}
		it.kind = m.newKind(id, it)
		taken[it.kind] = it.on + 1
		known = append(known, it)
	}
	for side := range of {
		if plain && len(known) > 0 && m.replaced(id, of, based) {
			break
		}
		m.pair(known, of[side], true)
	}
	m.pair(slices.DeleteFunc(slices.Clone(of[0]), func(it *item) bool { return it.kind != none }), of[1], false)
	for _, side := range of {
		for _, it := range side {
			if it.kind == none {
				it.kind = m.newKind(id, it)
			}
		}
	}
}

// movedAlike reports whether two files say that their task has moved to the same
// number, and have anything else in common. On a line that is one task, though the line
// may have been taken back. With nothing in common, or other metadata, they are two:
// each clone moved its own out of the way of an older one, and both were made in one
// moment.
func movedAlike(a, b *item) bool {
	for k, v := range a.task.Metadata {
		if w, both := b.task.Metadata[k]; both && !bytes.Equal(v, w) {
			return false
		}
	}
	return a.id == b.id && len(a.task.Was) > 0 && slices.Equal(a.task.Was, b.task.Was) && likeness(a, b) > 1
}

// backAlike reports whether two files are of one task that a base had deleted under their
// number. Both sides have brought it back, each with what it had changed.
func (m *merger) backAlike(a, b *item) bool {
	return m.sided && a.id == b.id && slices.ContainsFunc(m.bases, func(l *layer) bool {
		g := m.graveyard(l)
		return len(g.find(a, again(a))) > 0 && len(g.find(b, again(b))) > 0
	})
}

// replaced reports whether both sides have put another task, each its own, in the
// place of one that does not say when it was made. On a line no number is given twice.
func (m *merger) replaced(id identity, of [2][]*item, based []*item) bool {
	if m.sided || id.made != 0 || len(of[0]) != 1 || len(of[1]) != 1 || len(based) == 0 || sameSubject(of[0][0], of[1][0]) {
		return false
	}
	return !slices.ContainsFunc(based, func(b *item) bool { return sameSubject(b, of[0][0]) || sameSubject(b, of[1][0]) })
}

// strange reports whether a side has another task than the bases under their identity.
// A task that was shared keeps its number: where one has another number, and nothing
// else in common, a second clone made it in the same moment. A remote that has neither
// the number nor a memory of it was taken back, and can have given it another one.
func (m *merger) strange(of [2][]*item, based []*item) bool {
	if !m.sided || len(based) == 0 {
		return false
	}
	buried := func(b *item) bool {
		return slices.ContainsFunc(m.theirs.gone, func(g Gone) bool { return g.ID == b.id })
	}
	return slices.ContainsFunc(slices.Concat(of[0], of[1]), func(it *item) bool {
		return !slices.ContainsFunc(based, func(b *item) bool { return b.id == it.id || likeness(b, it) >= described }) &&
			(it.on == m.ours.on || slices.ContainsFunc(based, buried))
	})
}

// pair gives items the tasks of those that they are most like. Items that are new
// to known boards are only paired by what is told of them, or by what was deleted.
func (m *merger) pair(known, items []*item, byNumber bool) {
	type couple struct{ like, i, j int }
	var couples []couple
	for i := range known {
		for j := range items {
			if like := likeness(known[i], items[j]); like >= described || like > 0 && (byNumber || m.backAlike(known[i], items[j])) {
				couples = append(couples, couple{like, i, j})
			}
		}
	}
	slices.SortStableFunc(couples, func(a, b couple) int { return cmp.Compare(b.like, a.like) })
	used := map[*item]bool{}
	for _, c := range couples {
		k, it := known[c.i], items[c.j]
		if used[k] || it.kind != none {
			continue
		}
		if k.kind == none {
			first := slices.MinFunc([]*item{k, it}, func(a, b *item) int { return bytes.Compare(a.text, b.text) })
			k.kind = m.newKind(identityOf(k.task), first) // its age does not depend on which side is ours
		}
		used[k], it.kind = true, k.kind
	}
	if !byNumber {
		return
	}
	left := slices.DeleteFunc(slices.Clone(known), func(it *item) bool { return used[it] })
	odd := slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return it.kind != none })
	if len(left) == 1 && len(odd) == 1 && (!m.sided || likeness(left[0], odd[0]) > 0) {
		odd[0].kind = left[0].kind
	}
}

// described is the likeness of what has the same subject or description.
const described = 4

// likeness says how alike two files of one identity are, to tell whether they are
// of the same task: the subject counts most, then other fields, the number least.
// At most one: only the number is the same.
func likeness(a, b *item) int {
	like := 0
	x, y := a.task, b.task
	if a.id == b.id {
		like++
	}
	if len(x.Metadata) > 0 && sameRaw(x.Metadata, y.Metadata) {
		like += 2
	}
	if x.ActiveForm != "" && x.ActiveForm == y.ActiveForm {
		like += 2
	}
	if x.Description != "" && x.Description == y.Description {
		like += 4
	}
	if sameSubject(a, b) {
		like += 16
	}
	return like
}

// sameSubject reports whether two files name their task alike, though the tasks that
// they mention may have other numbers.
func sameSubject(a, b *item) bool {
	x, y := strings.TrimSpace(a.task.Subject), strings.TrimSpace(b.task.Subject)
	blank := func(pawl.ID) string { return "0" }
	return x == y || strings.Contains(x, "#") && renumber(x, blank) == renumber(y, blank)
}

func (m *merger) newKind(id identity, like *item) kref {
	k := &kind{order: order{identity: id, least: like.id}}
	if like.task != nil {
		k.print = printOf(strings.TrimSpace(like.task.Subject))
	}
	m.kinds = append(m.kinds, k)
	return kref(len(m.kinds) - 1)
}

// place tells every task its files.
func (m *merger) place() {
	for _, l := range m.all {
		for i := range l.items {
			it := &l.items[i]
			k := m.kinds[it.kind]
			k.least = min(k.least, it.id)
			switch l.side {
			case Ours:
				k.o, k.ofOurs = it, true
			case Theirs:
				k.t, k.ofTheirs, k.settled = it, true, it
			default:
				k.b = append(k.b, it)
			}
		}
	}
}
