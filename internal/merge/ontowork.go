package merge

import (
	"strings"

	"github.com/pawl-dev/pawl"
)

// workOnto merges status, owner, times and claim as one value. Theirs stands if it
// changed: all clones have seen it. Of two bases the one with more turns counts.
func (x *meeting) workOnto() {
	o, t := x.o.work, x.t.work
	var base *work
	if x.b != nil {
		base = &x.b.work
	}
	won, ok := three(base, o, t, work.equal)
	switch {
	case ok:
	case x.quiet && o.beside.Turn > t.beside.Turn, base == nil && unsettled(t) && rank(o.status) > rank(t.status), o.ends(t):
		won = o
	default:
		won = t
		x.yieldWork()
	}
	x.r.work = won
}

// unsettled reports whether nobody has changed where a task stands since it is
// shared. A clone that joins, and knows of more, has not lost against anybody.
func unsettled(w work) bool { return w.beside == (Beside{}) }

// ends reports whether a completion ended the very claim that the other side still has,
// as when a remote was taken back that had both. Machines that were copied whole may give
// the same name to two claims, which began at different moments.
func (a work) ends(b work) bool {
	h := b.beside.Held
	return a.status == pawl.Completed && b.status == pawl.InProgress && h != nil && a.beside.Ended == EndedUnder(h.Clone, h) &&
		a.owner == b.owner && a.started.Equal(b.started)
}

// yieldWork tells that ours does not stand. A completion becomes a note, which says
// the same at each retry and in each clone.
func (x *meeting) yieldWork() {
	o, t := x.o.work, x.t.work
	idle := x.b == nil && o.status == pawl.Pending && o.owner == ""
	underOne := o.beside.Held.same(t.beside.Held) || strings.Contains(o.beside.Ended, "/") && o.beside.Ended == t.beside.Ended
	if x.quiet || idle || o.status == t.status && (underOne || o.sameWords(t)) {
		return
	}
	x.m.report.Yielded = append(x.m.report.Yielded, Yielded{
		Named: Named{ID: x.k.id}, Was: o.status, Owner: o.owner, Held: o.beside.Held,
		Now: t.status, By: t.owner, Winner: t.beside.Held,
	})
	if o.status == pawl.Completed {
		n := YieldNote(o.owner, o.beside, o.completed)
		x.noted = append(x.noted, note{words{text: n.Text}, n.At, n.By})
	}
}

// sameWords reports whether two say the same in their files.
func (a work) sameWords(b work) bool {
	a.beside, b.beside = Beside{}, Beside{}
	return a.equal(b)
}

// turn is the highest turn of a task on any board.
func (k *kind) turn() int {
	turn := 0
	for _, it := range append([]*item{k.o, k.t, k.gone}, k.b...) {
		if it != nil {
			turn = max(turn, it.beside.Turn)
		}
	}
	return turn
}
