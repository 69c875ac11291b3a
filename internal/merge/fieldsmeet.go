package merge

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// A meeting merges two versions of one task. A field that one side has not changed
// since the base is as the other side has it.
type meeting struct {
	m       *merger
	k       *kind
	b, o, t *fields // b may be nil
	quiet   bool    // of two bases: nobody is told
	r       fields
	noted   []note     // what the merged task gets, of texts that yielded
	odd     []oddValue // what it gets of what cannot be read
}

func (x *meeting) merge() *fields {
	x.updated()
	x.r.created = x.made()
	x.work()
	x.subject()
	x.rest()
	x.hold()
	x.notes()
	return &x.r
}

// made is when the task was made. Only what is one task under two identities can
// have two such times; the elder's stands.
func (x *meeting) made() time.Time {
	if x.o.created.UnixMilli() == x.k.made || x.t.created.IsZero() {
		return x.o.created
	}
	return x.t.created
}

// updated merges when the task was last changed: of two changes the later one.
func (x *meeting) updated() {
	var base *time.Time
	if x.b != nil {
		base = &x.b.updated
	}
	var ok bool
	if x.r.updated, ok = three(base, x.o.updated, x.t.updated, time.Time.Equal); !ok && x.t.updated.After(x.o.updated) {
		x.r.updated = x.t.updated
	}
}

// three is what becomes of a value: that of the side that changed it, or ok is
// false if both did, to something else each.
func three[T any](b *T, o, t T, same func(T, T) bool) (won T, ok bool) {
	switch {
	case same(o, t), b != nil && same(t, *b):
		return o, true
	case b != nil && same(o, *b):
		return t, true
	}
	return o, false
}

// work merges the status first, alone: so a reopening stands against an edit of
// the owner. Owner and times are those of the side whose status stands. Where both
// sides changed it, the one that is further stands; as far, the one that began
// first.
func (x *meeting) work() {
	if x.m.sided {
		x.workOnto()
		return
	}
	var base *work
	var status *pawl.Status
	if x.b != nil {
		base, status = &x.b.work, &x.b.status
	}
	o, t := x.o.work, x.t.work
	won, ok := three(status, o.status, t.status, func(a, b pawl.Status) bool { return a == b })
	if !ok && rank(t.status) > rank(o.status) {
		won = t.status
	}
	switch {
	case o.status == t.status:
		if x.r.work, ok = three(base, o, t, work.equal); !ok && begunBefore(t, o) {
			x.r.work = t
		}
	case won == o.status:
		x.r.work = o
	default:
		x.r.work = t
	}
	begun := func(w work) bool {
		return w.status != pawl.Pending && w.owner != "" && (base == nil || !w.equal(*base))
	}
	if !x.quiet && begun(o) && begun(t) && o.owner != t.owner && (base == nil || base.owner != o.owner && base.owner != t.owner) {
		x.m.report.Both = append(x.m.report.Both, Both{Named: Named{ID: x.k.id}, Ours: o.owner, Theirs: t.owner})
	}
}

// begunBefore reports whether a began before b, or else is to be preferred for no
// reason but that every clone must prefer the same.
func begunBefore(a, b work) bool {
	since := func(w work) int64 {
		at := w.started
		if at.IsZero() {
			at = w.completed
		}
		if at.IsZero() {
			return 1 << 62
		}
		return at.UnixMilli()
	}
	return cmp.Or(cmp.Compare(since(a), since(b)), a.completed.Compare(b.completed), cmp.Compare(b.owner, a.owner)) < 0
}

func rank(s pawl.Status) int {
	switch s {
	case pawl.Completed:
		return 2
	case pawl.InProgress:
		return 1
	}
	return 0
}

// subject merges the subject, and the active form, which says the same in other
// words, and the description. Of two the longer one stands, and the other becomes
// a note. No time decides: a time is of the whole task, and a merged one would
// make the result depend on who merged with whom first.
func (x *meeting) subject() {
	var b fields
	has := x.b != nil || x.m.sided // without a base, what theirs does not say has not been taken out
	if x.b != nil {
		b = *x.b
	}
	var side Side
	x.r.subject, side = x.words(has, b.subject, x.o.subject, x.t.subject)
	x.yield(side, pawl.FieldSubject, x.o.subject, x.t.subject, "Another "+x.m.otherPlace()+" named this task: ")
	active, other := x.words(has, b.active, x.o.active, x.t.active)
	switch {
	case other != "" && side == Ours:
		active, other = x.t.active, side
	case other != "" && side == Theirs:
		active, other = x.o.active, side
	}
	x.r.active = active
	if other != "" {
		x.tell(Noted{Field: pawl.FieldActiveForm, Side: other, Value: pick(other, x.o.active.text, x.t.active.text)})
	}
	x.r.description, side = x.words(has, b.description, x.o.description, x.t.description)
	x.yield(side, pawl.FieldDescription, x.o.description, x.t.description, "Another "+x.m.otherPlace()+" described this task so:\n\n")
}

// words merges a text, and says whose yielded.
func (x *meeting) words(has bool, b, o, t words) (won words, yielded Side) {
	m := x.m
	switch {
	case o.text == t.text:
		if m.canon(o) != m.canon(t) {
			o.in = nil // nothing says which board's numbers these are
		}
		return o, ""
	case m.same(o, t) && (m.sided || has && o.text == b.text):
		return t, "" // which names a task by the number that it has since
	case m.same(o, t), has && m.same(t, b):
		return o, ""
	case has && m.same(o, b):
		return t, ""
	case m.sided:
		return t, Ours
	}
	p, q := m.lower(o), m.lower(t)
	if cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)) >= 0 {
		return o, Theirs
	}
	return t, Ours
}

// yield makes a note of a text that yielded.
func (x *meeting) yield(side Side, field pawl.Field, o, t words, said string) {
	if side == "" {
		return
	}
	lost, updated := x.m.lower(o), x.o.updated
	if side == Theirs {
		lost, updated = x.m.lower(t), x.t.updated
	}
	if strings.TrimSpace(lost) == "" {
		return
	}
	fits := len(said)+len(lost) <= pawl.MaxNote
	if fits {
		x.noted = append(x.noted, note{words{text: said + lost}, updated, mergeName})
	} else if !x.quiet {
		x.m.beside(x.k, "it is too long for a note", lost)
	}
	x.tell(Noted{Field: field, Side: side, Note: fits, Value: lost})
}

// mergeName is who writes a note about what yielded.
const mergeName = "pawl"

// tell tells of a value that yielded.
func (x *meeting) tell(n Noted) {
	if !x.quiet {
		n.ID = x.k.id
		x.m.report.Noted = append(x.m.report.Noted, n)
	}
}

// pick is the value of the side that yielded.
func pick(side Side, o, t string) string {
	if side == Ours {
		return o
	}
	return t
}

// rest merges what has no rule of its own. Of two parents the elder stands.
func (x *meeting) rest() {
	b := &fields{parent: none}
	if x.b != nil {
		b = x.b
	}
	for i, f := range higher {
		o, t := x.o.ranked[i], x.t.ranked[i]
		n, ok := three(&b.ranked[i], o, t, func(a, b int) bool { return a == b })
		if !ok {
			if n = max(o, t); x.m.sided {
				n = t
			}
			side := sideOf(n == t)
			x.tell(Noted{Field: f.name, Side: side, Value: pick(side, f.word(o), f.word(t))})
		}
		x.r.ranked[i] = n
	}
	x.parent(b.parent)
	x.r.labels = mergeSet(b.labels, x.o.labels, x.t.labels, x.first())
	x.r.metadata = x.object(pawl.FieldMetadata, b.metadata, x.o.metadata, x.t.metadata)
	x.shown()
	x.r.extra = x.with(x.object(pawl.FieldExtra, without(b.extra), without(x.o.extra), without(x.t.extra)))
}

// parent merges whose child the task is. A side that deleted the parent did not
// take the child away from it: if the parent stays, so does the child.
func (x *meeting) parent(base kref) {
	o, t := x.o.parent, x.t.parent
	if base != none && x.m.kinds[base].lives {
		if o == none && !x.m.kinds[base].ofOurs {
			o = base
		}
		if t == none && !x.m.kinds[base].ofTheirs {
			t = base
		}
	}
	// A number that no file of one side has is the task that the other side has there.
	if n := x.o.number; n != 0 && n == x.t.number {
		if x.m.kinds[o].ghost != 0 {
			o = t
		} else if x.m.kinds[t].ghost != 0 {
			t = o
		}
	}
	var ok bool
	if x.r.parent, ok = three(&base, o, t, func(a, b kref) bool { return a == b }); ok {
		return
	}
	better := func(a, b kref) bool { // a task rather than none, one that is there rather than another
		if a == none || b == none {
			return b == none
		}
		p, q := x.m.kinds[a], x.m.kinds[b]
		if p.lives != q.lives {
			return p.lives
		}
		return x.m.compare(a, b) < 0
	}
	ours := better(o, t)
	if x.m.sided { // unless only ours has one that is there
		ours = o != none && t != none && x.m.kinds[o].lives && !x.m.kinds[t].lives
	}
	if !ours {
		x.r.parent = t
	}
	number := func(k kref) string {
		if k == none {
			return ""
		}
		return strconv.FormatInt(int64(x.m.kinds[k].id), 10)
	}
	x.tell(Noted{Field: pawl.FieldParent, Side: sideOf(!ours), Value: pick(sideOf(!ours), number(o), number(t))})
}

// sideOf is the side that yielded.
func sideOf(theirsStands bool) Side {
	if theirsStands {
		return Ours
	}
	return Theirs
}

// first reports whether ours comes first where an order is needed that does not
// depend on which side is called ours.
func (x *meeting) first() bool {
	if x.m.sided {
		return false
	}
	if x.o.unchanged == nil || x.t.unchanged == nil {
		return true // of bases: their order is given
	}
	return string(x.o.unchanged.text) >= string(x.t.unchanged.text)
}
