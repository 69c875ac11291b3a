package share

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// goOnTo goes on with a sync up to a step of it; "": to its end.
func (y *simSync) goOnTo(step string) {
	for {
		if what, on := y.next(); !on || what == step {
			return
		}
	}
}

// mustSync syncs a clone, which nothing hinders.
func (c *simClone) mustSync(t *testing.T) {
	t.Helper()
	y := c.prepare(false)
	y.final = true
	if y.run(); y.err != nil {
		t.Fatal(y.err)
	}
}

// Two clones changed a task that a third one deleted: one before it heard of that, the other
// while a sync brought it. They brought back one task, also where its subject has changed,
// and with the claim that it had.
func TestBackInTwoClones(t *testing.T) {
	for what, claimed := range map[string]bool{"claimed since": false, "claimed before": true} {
		t.Run(what, func(t *testing.T) {
			w := newSimWorld(2, simConf{})
			for len(w.clones) < 3 {
				w.clones = append(w.clones, newSimClone(w, len(w.clones)))
			}
			a, b, c := w.clones[0], w.clones[1], w.clones[2]
			a.add()
			if claimed {
				a.view().claim(1, false)
			}
			for _, c := range []*simClone{a, b, c} {
				c.mustSync(t)
			}
			v := a.view()
			v.rev++
			v.remove(1)
			a.mustSync(t)
			y := c.sync(false)
			y.final = true
			y.goOnTo("write")
			v = c.view()
			v.rev++
			if claimed {
				v.describe("note", 1)
			} else {
				v.claim(1, false)
			}
			y.goOnTo("")
			v = b.view()
			v.rev++
			v.describe("edit", 1)
			b.mustSync(t)
			c.mustSync(t)
			b.mustSync(t)
			for _, c := range []*simClone{b, c} {
				if len(c.board.texts) != 1 || c.view().tasks[1].Status != pawl.InProgress || !c.board.held[1].Claim.Live() {
					t.Errorf("clone %d has%s", c.i, c.board)
				}
			}
			if len(w.bad) > 0 {
				t.Error(w.bad)
			}
		})
	}
}

// The board forgot a claim before a commit had it. When somebody in another clone takes its
// task by force, this clone is told.
func TestForgottenClaimIsLost(t *testing.T) {
	w := newSimWorld(2, simConf{})
	a, b := w.clones[0], w.clones[1]
	a.add()
	a.mustSync(t)
	b.mustSync(t)
	v := a.view()
	v.rev++
	v.claim(1, false)
	lost := a.view().tasks[1].nonce
	a.view().forget()
	a.mustSync(t)
	b.mustSync(t)
	v = b.view()
	v.rev++
	v.claim(1, true)
	b.mustSync(t)
	for range 2 {
		a.mustSync(t)
	}
	if a.told[lost] != 1 || len(w.bad) > 0 {
		t.Errorf("told %d times, %v; the clones have%s and%s", a.told[lost], w.bad, a.board, b.board)
	}
}

// A backup brought back the board with its history, and a sync put the files back, but did not
// end. What is done after that is counted from there: here, that the lease of another
// clone's claim ran out, which its own clock does not say.
func TestBackupAndAway(t *testing.T) {
	w := newSimWorld(2, simConf{})
	a, b := w.clones[0], w.clones[1]
	a.add()
	a.mustSync(t)
	b.mustSync(t)
	was := a.board.copy()
	for range 3 {
		a.add()
	}
	v := b.view()
	v.rev++
	v.claim(1, false)
	b.mustSync(t)
	a.mustSync(t)
	a.board = was
	a.board.put[1] = []pawl.Change{}
	a.edited, a.away = true, time.Hour
	a.prepare(false).run()
	a.skew += 2 * simLease
	a.view().expire()
	for range 3 {
		a.add()
	}
	v = a.view()
	v.rev++
	v.claim(1, false)
	a.away = 0
	a.mustSync(t)
	if t1 := a.view().tasks[1]; t1.nonce != b.view().tasks[1].nonce {
		t.Errorf("a has %s, b has %s", a.board, b.board)
	}
	if w.believers(); len(w.bad) > 0 {
		t.Error(w.bad)
	}
}

// An older board came back, and another task was made on it under the number of one that the
// board has had since. One that was made in the same moment in another clone is not that one.
func TestReplacedOfOneMoment(t *testing.T) {
	file := func(subject string, made time.Duration, id pawl.ID, was ...pawl.ID) []byte {
		return taskjson.Encode(&pawl.Task{ID: id, Subject: subject, Status: pawl.Pending, CreatedAt: simStart.Add(made), Was: was})
	}
	first, new := file("first", 0, 1), file("new", time.Hour, 2)
	base := merge.Board{Tasks: map[pawl.ID][]byte{1: first, 2: file("moved", 0, 2, 1)}, Mark: 2}
	x := &side{state: &State{Clone: "here"}, base: base}
	if err := x.of(&Board{Tasks: map[pawl.ID][]byte{1: first, 2: new}}); err != nil {
		t.Fatal(err)
	}
	if got := x.out.Tasks; len(got) != 3 || subjectOf(got[2]) != "moved" || subjectOf(got[3]) != "new" {
		t.Errorf("it has %q", got)
	}
}
