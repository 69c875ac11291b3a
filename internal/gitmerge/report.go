package gitmerge

import (
	"cmp"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// join makes one report of two: of the merge of two commits, and of the merge of
// its result, as theirs, into the work tree. Numbers are those of the work tree
// afterwards, and ours is the work tree.
func join(first, second merge.Report) merge.Report {
	to := map[pawl.ID]pawl.ID{} // numbers of the first merge in the second
	for _, m := range second.Moved {
		if m.Side == merge.Theirs {
			to[m.From] = m.ID
		}
	}
	first = renumbered(first, to)
	out := first
	out.Moved = nil
	for _, m := range first.Moved {
		if m.Side == merge.Theirs {
			out.Moved = append(out.Moved, m)
		}
	}
	for _, m := range second.Moved {
		if m.Side == merge.Ours {
			out.Moved = append(out.Moved, m)
		}
	}
	return sum(out, second, len(first.Arrived)+len(first.Changed)+len(first.Moved) > 0)
}

// then makes one report of those of two merges, one after the other.
func then(first, second merge.Report) merge.Report {
	to := map[pawl.ID]pawl.ID{}
	for _, m := range second.Moved {
		if m.Side == merge.Ours {
			to[m.From] = m.ID
		}
	}
	first = renumbered(first, to)
	moved := first.Moved
	for _, m := range second.Moved {
		if m.Side == merge.Ours && slices.ContainsFunc(moved, func(was merge.Moved) bool { return was.ID == m.ID && was.Side == merge.Ours }) {
			continue // it moved on: the number that it had in between is nobody's matter
		}
		moved = append(moved, m)
	}
	out := first
	out.Moved = moved
	return sum(out, second, false)
}

// sum adds what the second report has beside moves. Of what is there already
// (told), new and changed tasks are left out: the first report has all of them.
func sum(a, b merge.Report, told bool) merge.Report {
	if !told {
		a.Arrived, a.Changed = union(a.Arrived, b.Arrived, named), union(a.Changed, b.Changed, func(id pawl.ID) pawl.ID { return id })
	}
	a.Deleted = union(a.Deleted, b.Deleted, named)
	a.Kept = union(a.Kept, b.Kept, func(k merge.Kept) pawl.ID { return k.ID })
	a.Both = union(a.Both, b.Both, func(x merge.Both) pawl.ID { return x.ID })
	a.Cut = union(a.Cut, b.Cut, edge)
	a.Reopened = union(a.Reopened, b.Reopened, named)
	a.Waiting = union(a.Waiting, b.Waiting, edge)
	a.Noted = union(a.Noted, b.Noted, func(n merge.Noted) merge.Noted { return n })
	a.Unclear = union(a.Unclear, b.Unclear, func(u merge.Unclear) merge.Unclear { return u })
	a.Beside = append(slices.Clone(a.Beside), b.Beside...)
	slices.SortStableFunc(a.Moved, func(x, y merge.Moved) int { return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.From, y.From)) })
	slices.SortStableFunc(a.Arrived, func(x, y merge.Named) int { return cmp.Compare(x.ID, y.ID) })
	slices.Sort(a.Changed)
	return a
}

func named(n merge.Named) pawl.ID { return n.ID }

func edge(e merge.Edge) merge.Edge { return e }

// union is a, and what b has beside it by a key.
func union[T any, K comparable](a, b []T, key func(T) K) []T {
	seen := map[K]bool{}
	var all []T
	for _, v := range slices.Concat(a, b) {
		if k := key(v); !seen[k] {
			seen[k], all = true, append(all, v)
		}
	}
	return all
}

// renumbered is a report in other numbers.
func renumbered(r merge.Report, to map[pawl.ID]pawl.ID) merge.Report {
	if len(to) == 0 {
		return r
	}
	is := func(id pawl.ID) pawl.ID {
		if n, ok := to[id]; ok {
			return n
		}
		return id
	}
	each(&r.Arrived, func(n *merge.Named) { n.ID = is(n.ID) })
	each(&r.Changed, func(id *pawl.ID) { *id = is(*id) })
	each(&r.Moved, func(m *merge.Moved) { m.ID = is(m.ID) })
	each(&r.Kept, func(k *merge.Kept) { k.ID = is(k.ID) })
	each(&r.Both, func(b *merge.Both) { b.ID = is(b.ID) })
	each(&r.Cut, func(e *merge.Edge) { e.Task, e.For = is(e.Task), is(e.For) })
	each(&r.Reopened, func(n *merge.Named) { n.ID = is(n.ID) })
	each(&r.Waiting, func(e *merge.Edge) { e.Task, e.For = is(e.Task), is(e.For) })
	each(&r.Noted, func(n *merge.Noted) { n.ID = is(n.ID) })
	each(&r.Unclear, func(u *merge.Unclear) { u.ID, u.Took = is(u.ID), is(u.Took) })
	each(&r.Beside, func(l *merge.Leftover) { l.ID = is(l.ID) })
	return r
}

// each changes a copy of a list.
func each[T any](list *[]T, change func(*T)) {
	*list = slices.Clone(*list)
	for i := range *list {
		change(&(*list)[i])
	}
}
