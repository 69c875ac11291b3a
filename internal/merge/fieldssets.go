package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// counted is how often something is in a collection after a merge: as often as on
// the side that changed it. Two that both added it mean the same one.
func counted(b, o, t int) int {
	switch {
	case o == t || t == b:
		return o
	case o == b:
		return t
	case o >= b && t >= b:
		return max(o, t)
	case o <= b && t <= b:
		return min(o, t)
	}
	return o + t - b
}

// mergeSet merges collections in which equal elements count. The result has the
// order of the side that comes first; elements that only the other one has follow.
func mergeSet[T comparable](b, o, t []T, oursFirst bool) []T {
	if slices.Equal(o, t) || slices.Equal(t, b) {
		return o
	}
	if slices.Equal(o, b) {
		return t
	}
	var nb, no, nt = countOf(b), countOf(o), countOf(t)
	first, second := o, t
	if !oursFirst {
		first, second = t, o
	}
	left := map[T]int{}
	for _, v := range slices.Concat(o, t) {
		left[v] = counted(nb[v], no[v], nt[v])
	}
	var merged []T
	for _, v := range slices.Concat(first, second) {
		if left[v] > 0 {
			left[v]--
			merged = append(merged, v)
		}
	}
	return merged
}

func countOf[T comparable](all []T) map[T]int {
	n := make(map[T]int, len(all))
	for _, v := range all {
		n[v]++
	}
	return n
}

func sameSet(a, b []string) bool {
	if slices.Equal(a, b) {
		return true
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// raw names a note by what is written, and lifted by what it says.
func (n note) raw() string { return n.key(n.text) }

func (n note) key(text string) string {
	return fmt.Sprintf("%d\x00%s\x00%s", n.at.UnixMilli(), n.by, text)
}

// notes merges the notes as a collection, by time, author and text. Notes that both
// sides have to the letter are one note; else texts are compared with task
// identities in place of numbers.
func (x *meeting) notes() {
	b := &fields{}
	if x.b != nil {
		b = x.b
	}
	raws := func(notes []note) map[string]bool {
		set := map[string]bool{}
		for _, n := range notes {
			set[n.raw()] = true
		}
		return set
	}
	inB, inO, inT := raws(b.notes), raws(x.o.notes), raws(x.t.notes)
	key := func(n note) string {
		if raw := n.raw(); len(x.m.shifty) == 0 || inO[raw] && inT[raw] {
			return raw
		}
		return n.key(x.m.canon(n.words))
	}
	known := map[string]note{} // how a note is written
	keys := func(notes []note) (all []string) {
		for _, n := range notes {
			k := key(n)
			all = append(all, k)
			have, ok := known[k]
			switch {
			case !ok || inB[have.raw()] && !inB[n.raw()]:
				known[k] = n
			case have.text == n.text && have.in != n.in && x.m.canon(have.words) != x.m.canon(n.words):
				have.in = nil
				known[k] = have
			}
		}
		return all
	}
	o, t := keys(x.o.notes), keys(x.t.notes)
	merged := mergeSet(keys(b.notes), o, t, x.first())
	for _, k := range merged {
		x.r.notes = append(x.r.notes, known[k])
	}
	sort := !slices.Equal(merged, o) && !slices.Equal(merged, t)
	for _, n := range x.noted {
		if !slices.ContainsFunc(x.r.notes, func(m note) bool { return m.raw() == n.raw() }) {
			x.r.notes = append(x.r.notes, n)
			sort = true
		}
	}
	if sort && !slices.ContainsFunc(x.r.notes, func(n note) bool { return n.at.IsZero() }) {
		slices.SortStableFunc(x.r.notes, func(a, b note) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.by, b.by), cmp.Compare(x.m.lower(a.words), x.m.lower(b.words)))
		})
	}
}

// hold merges the hold of a task. Of two the one with the longer reason stands, and
// the other reason becomes a note; a hold that only one side lifted, while the
// other gave it another reason, stands. A completed task is not on hold.
func (x *meeting) hold() {
	var base **note
	if x.b != nil {
		base = &x.b.hold
	}
	if base == nil && x.m.sided {
		base = new(*note)
	}
	won, ok := three(base, x.o.hold, x.t.hold, x.m.sameHold)
	lost, side := (*note)(nil), Side("")
	if ok && won != nil && (x.m.sided || base != nil && *base != nil && won.text == (*base).text) && x.m.sameHold(x.o.hold, x.t.hold) {
		won = x.t.hold // which names a task by the number that it has since
	}
	if o, t := x.o.hold, x.t.hold; ok && won != nil && o != nil && t != nil && o.text == t.text && x.m.canon(o.words) != x.m.canon(t.words) {
		hold := *won
		hold.in = nil // nothing says which board's numbers these are
		won = &hold
	}
	if !ok {
		won, lost, side = x.o.hold, x.t.hold, Theirs
		if x.m.sided || won == nil || lost != nil && x.heavier(lost, won) {
			won, lost, side = lost, won, Ours
		}
	}
	held := func(f *fields) bool { return f.hold != nil && f.status == pawl.Completed }
	if won != nil && x.r.status == pawl.Completed && !held(x.o) && !held(x.t) {
		won, lost = nil, won
		if x.o.hold == nil || x.t.hold != nil && x.m.sameHold(lost, x.t.hold) {
			side = Theirs
		} else {
			side = Ours
		}
	}
	x.r.hold = won
	if lost != nil && (base == nil || !x.m.sameHold(lost, *base)) {
		reason := x.m.lower(lost.words)
		x.noted = append(x.noted, note{words{text: "Another " + x.m.otherPlace() + " put this task on hold: " + reason}, lost.at, lost.by})
		x.tell(Noted{Field: pawl.FieldHold, Side: side, Note: true, Value: reason})
	}
}

func (x *meeting) heavier(a, b *note) bool {
	p, q := x.m.lower(a.words), x.m.lower(b.words)
	return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q), a.at.Compare(b.at), cmp.Compare(a.by, b.by)) > 0
}
