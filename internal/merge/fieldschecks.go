package merge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// shown is what decides whether a task is done: its checks by name, its criteria by
// text, and by the sum of a check what its last run showed. None of it may be lost, or
// become weaker, because two clones meet:
//
//	checks     where both sides changed one, the required one stands; else theirs on a
//	           shared board, else the one with the greater sum
//	accept     one that a side ticked is ticked, by who ticked it first
//	evidence   of two runs the later one; where one side has reopened the task and the
//	           other one has not, that of the first
//
// An element that one side removed and the other changed stays, but for evidence of a
// check that the task has no longer.
type shown struct {
	checks   []pawl.Check
	accept   []pawl.Criterion
	evidence []pawl.Evidence
}

func shownOf(t *pawl.Task) shown { return shown{t.Checks, t.Accept, t.Evidence} }

func (a *shown) equal(b *shown) bool {
	return equalBy(a.checks, b.checks, (*pawl.Check).Equal) && equalBy(a.accept, b.accept, sameCriterion) && equalBy(a.evidence, b.evidence, (*pawl.Evidence).Equal)
}

func equalBy[T any](a, b []T, same func(a, b *T) bool) bool {
	return slices.EqualFunc(a, b, func(a, b T) bool { return same(&a, &b) })
}

func sameCriterion(a, b *pawl.Criterion) bool {
	return a.Text == b.Text && a.By == b.By && a.At.Equal(b.At)
}

// shown merges it. Checks and criteria that cannot be read are one value each.
func (x *meeting) shown() {
	b := &fields{}
	if x.b != nil {
		b = x.b
	}
	o, t := x.o, x.t
	x.r.checks = keyed(b.checks, o.checks, t.checks, func(c *pawl.Check) string { return c.Name }, (*pawl.Check).Equal, x.check, x.first())
	x.r.accept = keyed(b.accept, o.accept, t.accept, func(c *pawl.Criterion) string { return c.Text }, sameCriterion, ticked, x.first())
	var bad bool
	if x.unreadable(pawl.FieldChecks, b, func(f *fields) any { return f.checks }, len(b.checks), len(o.checks), len(t.checks)) {
		x.r.checks, bad = nil, true
	}
	if x.unreadable(pawl.FieldAccept, b, func(f *fields) any { return f.accept }, len(b.accept), len(o.accept), len(t.accept)) {
		x.r.accept = nil
	}
	x.r.evidence = keyed(b.evidence, o.evidence, t.evidence, func(e *pawl.Evidence) string { return e.Sum }, (*pawl.Evidence).Equal, x.later, x.first())
	if done := pawl.Completed; b.status == done && x.r.status != done && o.status != t.status {
		switch done { // reopening retires what the side shows that has not heard of it
		case o.status:
			x.r.evidence = t.evidence
		case t.status:
			x.r.evidence = o.evidence
		}
	}
	if !equalBy(x.r.evidence, o.evidence, (*pawl.Evidence).Equal) && !equalBy(x.r.evidence, t.evidence, (*pawl.Evidence).Equal) {
		slices.SortStableFunc(x.r.evidence, func(a, b pawl.Evidence) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Sum, b.Sum)) })
	}
	if !bad {
		x.r.forget(slices.Concat(o.checks, t.checks))
	}
}

// forget drops the runs of checks that the task had and has no longer.
func (a *shown) forget(had []pawl.Check) {
	if len(a.evidence) == 0 {
		return
	}
	gone := map[string]bool{}
	for i := range had {
		gone[had[i].Sum()] = true
	}
	for i := range a.checks {
		delete(gone, a.checks[i].Sum())
	}
	a.evidence = slices.DeleteFunc(slices.Clone(a.evidence), func(e pawl.Evidence) bool { return gone[e.Sum] && !e.LeftOut() })
}

// keyed merges lists whose elements are known by a key, which no two of a list share.
// pick chooses among two versions of an element that both sides changed. The result
// has the order of the side that comes first; elements that only the other one has
// follow.
func keyed[T any](b, o, t []T, key func(*T) string, same func(a, b *T) bool, pick func(o, t *T) *T, oursFirst bool) []T {
	if equalBy(o, t, same) || equalBy(t, b, same) {
		return o
	}
	if equalBy(o, b, same) {
		return t
	}
	index := func(list []T) map[string]*T {
		by := make(map[string]*T, len(list))
		for i := range list {
			by[key(&list[i])] = &list[i]
		}
		return by
	}
	inB, inO, inT := index(b), index(o), index(t)
	alike := func(a, b *T) bool { return a != nil && b != nil && same(a, b) }
	first, second := o, t
	if !oursFirst {
		first, second = t, o
	}
	var merged []T
	seen := map[string]bool{}
	for _, e := range slices.Concat(first, second) {
		k := key(&e)
		if seen[k] {
			continue
		}
		seen[k] = true
		var won *T
		switch b, o, t := inB[k], inO[k], inT[k]; {
		case alike(o, t), alike(t, b):
			won = o // nil: removed
		case alike(o, b):
			won = t
		case o == nil:
			won = t
		case t == nil:
			won = o
		default:
			won = pick(o, t)
		}
		if won != nil {
			merged = append(merged, *won)
		}
	}
	return merged
}

// check picks one of two checks of one name.
func (x *meeting) check(o, t *pawl.Check) *pawl.Check {
	p, q := spelled(o), spelled(t)
	theirs := cmp.Or(cmp.Compare(t.Sum(), o.Sum()), strings.Compare(q, p)) > 0
	switch {
	case o.Optional != t.Optional:
		theirs = o.Optional
	case x.m.sided:
		theirs = true
	}
	side := sideOf(theirs)
	x.tell(Noted{Field: pawl.FieldChecks, Side: side, Key: o.Name, Value: pick(side, p, q)})
	if theirs {
		return t
	}
	return o
}

func spelled(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// ticked picks one of two criteria of one text.
func ticked(o, t *pawl.Criterion) *pawl.Criterion {
	if o.Ticked() != t.Ticked() {
		if o.Ticked() {
			return o
		}
		return t
	}
	if cmp.Or(o.At.Compare(t.At), cmp.Compare(o.By, t.By)) <= 0 {
		return o
	}
	return t
}

// later picks one of two runs of a check.
func (x *meeting) later(o, t *pawl.Evidence) *pawl.Evidence {
	if cmp.Or(t.At.Compare(o.At), strings.Compare(spelled(t), spelled(o))) > 0 {
		return t
	}
	return o
}

// unreadable merges checks or criteria if a side's cannot be read: as a whole, since a
// readable part could require less than a side did. If both sides changed them, the
// unreadable value stands: nothing passes it, and a person sees it. It reports whether
// that value stands.
func (x *meeting) unreadable(field pawl.Field, b *fields, list func(*fields) any, nb, no, nt int) bool {
	name := string(field)
	if x.o.extra[name] == nil && x.t.extra[name] == nil {
		return false
	}
	whole := func(f *fields, n int) json.RawMessage {
		if raw := f.extra[name]; raw != nil {
			return raw
		}
		if n == 0 {
			return nil
		}
		return json.RawMessage(spelled(list(f)))
	}
	wb, wo, wt := whole(b, nb), whole(x.o, no), whole(x.t, nt)
	won, ok := three(&wb, wo, wt, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) })
	if !ok {
		odd, odder := x.o.extra[name] != nil, x.t.extra[name] != nil
		theirs := odder
		if odd == odder {
			theirs = x.m.sided || bytes.Compare(wt, wo) > 0
		}
		won = wo
		if theirs {
			won = wt
		}
		if yields := pick(sideOf(theirs), string(wo), string(wt)); yields != "" {
			x.tell(Noted{Field: field, Side: sideOf(theirs), Value: yields})
		}
	}
	for _, f := range []*fields{x.o, x.t} {
		if raw := f.extra[name]; raw != nil && bytes.Equal(raw, won) {
			x.odd = append(x.odd, oddValue{name, raw})
			return true
		}
	}
	return false
}

// oddValue is a list of checks or criteria that cannot be read.
type oddValue struct {
	name string
	raw  json.RawMessage
}

// without are the fields that are not known, but for checks and criteria that cannot be
// read.
func without(extra map[string]json.RawMessage) map[string]json.RawMessage {
	names := []string{string(pawl.FieldChecks), string(pawl.FieldAccept)}
	if extra[names[0]] == nil && extra[names[1]] == nil {
		return extra
	}
	extra = maps.Clone(extra)
	delete(extra, names[0])
	delete(extra, names[1])
	return extra
}

// with puts what cannot be read back.
func (x *meeting) with(extra map[string]json.RawMessage) map[string]json.RawMessage {
	if len(x.odd) == 0 {
		return extra
	}
	extra = maps.Clone(extra)
	if extra == nil {
		extra = map[string]json.RawMessage{}
	}
	for _, v := range x.odd {
		extra[v.name] = v.raw
	}
	return extra
}

// trimShown keeps checks, criteria and evidence within what can be read again. It
// removes first what completion does not need: optional checks, ticked criteria, the
// oldest evidence.
func (m *merger) trimShown(k *kind) {
	f := k.now
	had := f.checks
	var cut []pawl.Check
	if f.checks, cut = trimmed(f.checks, pawl.MaxChecks, func(c pawl.Check) bool { return c.Optional }); len(cut) > 0 {
		m.beside(k, fmt.Sprintf("a task has at most %d checks", pawl.MaxChecks), cut)
		f.forget(had)
	}
	var over []pawl.Criterion
	if f.accept, over = trimmed(f.accept, pawl.MaxCriteria, func(c pawl.Criterion) bool { return c.Ticked() }); len(over) > 0 {
		m.beside(k, fmt.Sprintf("a task has at most %d criteria", pawl.MaxCriteria), over)
	}
	if n := len(f.evidence) - pawl.MaxEvidence; n > 0 {
		m.beside(k, fmt.Sprintf("a task keeps at most %d runs of checks", pawl.MaxEvidence), f.evidence[:n])
		f.evidence = f.evidence[n:]
	}
}

// trimmed cuts a list to most elements: the last ones, those that may go first before
// the others.
func trimmed[T any](all []T, most int, mayGo func(T) bool) (kept, cut []T) {
	over := len(all) - most
	if over <= 0 {
		return all, nil
	}
	kept = slices.Clone(all)
	for _, any := range []bool{false, true} {
		for i := len(kept) - 1; i >= 0 && over > 0; i-- {
			if any || mayGo(kept[i]) {
				cut = append(cut, kept[i])
				kept = slices.Delete(kept, i, i+1)
				over--
			}
		}
	}
	slices.Reverse(cut)
	return kept, cut
}
