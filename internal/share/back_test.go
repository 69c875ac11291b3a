package share

import (
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
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
			w := newSimWorld(2)
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
	w := newSimWorld(2)
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
	w := newSimWorld(2)
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
	a.board.put[1] = a.board.texts[1]
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
	x := &side{state: &State{Clone: "here"}, base: base, onto: merge.Onto}
	must.Do(t, x.of(&Board{Tasks: map[pawl.ID][]byte{1: first, 2: new}}))
	if got := x.out.Tasks; len(got) != 3 || subjectOf(got[2]) != "moved" || subjectOf(got[3]) != "new" {
		t.Errorf("it has %q", got)
	}
}

// A file came back under the number that its task had before, and was changed. Another task was
// made since under the number that it has by now. What was done is done to the task, and
// numbers mean what they meant when they were written.
func TestPutBackNumbers(t *testing.T) {
	task := func(subject string, made time.Duration, id pawl.ID, and func(*pawl.Task)) []byte {
		t := &pawl.Task{ID: id, Subject: subject, Status: pawl.Pending, CreatedAt: simStart.Add(made)}
		and(t)
		return taskjson.Encode(t)
	}
	none := func(*pawl.Task) {}
	base := merge.Board{Mark: 3, Tasks: map[pawl.ID][]byte{
		1: task("elder", 0, 1, none),
		2: task("moved", time.Hour, 2, func(t *pawl.Task) { t.Was, t.Labels, t.Blocks = []pawl.ID{1}, []string{"gone", "kept"}, []pawl.ID{3} }),
		3: task("waits", 2*time.Hour, 3, func(t *pawl.Task) { t.BlockedBy = []pawl.ID{2} }),
	}}
	b := &Board{Mark: 2, Tasks: map[pawl.ID][]byte{
		1: task("moved", time.Hour, 1, func(t *pawl.Task) { t.Labels = []string{"added"} }),
		2: task("new", 3*time.Hour, 2, func(t *pawl.Task) { t.Parent = 1 }),
	}, Since: History{Put: map[pawl.ID][]byte{1: task("moved", time.Hour, 1, func(t *pawl.Task) { t.Labels = []string{"gone"} })}}}
	x := &side{state: &State{Clone: "here"}, base: base, onto: merge.Onto}
	must.Do(t, x.of(b))
	is := map[pawl.ID]*pawl.Task{}
	for id, text := range x.out.Tasks {
		is[id] = taskOf(text)
	}
	if len(is) != 4 || is[1].Subject != "elder" || is[2].Subject != "moved" || is[3].Subject != "waits" || is[4].Subject != "new" {
		t.Fatalf("it has %q", x.out.Tasks)
	}
	if !slices.Equal(is[2].Labels, []string{"kept", "added"}) || !slices.Equal(is[2].Blocks, []pawl.ID{3}) || is[4].Parent != 2 {
		t.Errorf("it has %q", x.out.Tasks)
	}
}

// An edge that was made on files from a backup closed a cycle with one that they lacked. It is
// cut, and told, also where the exchange that follows tells nothing.
func TestPutBackCut(t *testing.T) {
	w := newSimWorld(2)
	a := w.clones[0]
	for range 2 {
		v := a.view()
		v.texts[v.last+1] = taskjson.Encode(&pawl.Task{ID: v.last + 1, Subject: "Task", Status: pawl.Pending, CreatedAt: v.now})
		v.last++
		v.rev++
		w.now += time.Second
	}
	a.mustSync(t)
	was := a.board.copy()
	v := a.view()
	v.rev++
	v.block(1, 2)
	a.mustSync(t)
	was.rev, was.trimmed = v.rev+1, v.rev+1
	a.board = was
	for id, text := range was.texts {
		was.put[id] = text
	}
	a.edited = true
	v = a.view()
	v.rev++
	v.block(2, 1)
	y := a.prepare(false)
	y.final = true
	y.run()
	if cut := y.report.Merge.Cut; y.err != nil || len(cut) != 1 || cut[0] != (merge.Edge{Task: 2, For: 1}) {
		t.Errorf("%+v is told, %v", y.report.Merge, y.err)
	}
	if v = a.view(); len(v.tasks[1].BlockedBy) != 1 || len(v.tasks[2].BlockedBy) != 0 {
		t.Errorf("the clone has %q", v.texts)
	}
}

// The file of a task came back without the edge that another one's still has, and the task was
// completed, which takes the edge from the other file. Nobody has removed it.
func TestPutBackHalf(t *testing.T) {
	first := pawl.Task{ID: 1, Subject: "first", Status: pawl.Pending, CreatedAt: simStart}
	then := pawl.Task{ID: 2, Subject: "then", Status: pawl.Pending, CreatedAt: simStart.Add(time.Hour)}
	whole, waits, done := first, then, first
	whole.Blocks, waits.BlockedBy, done.Status, done.Owner = []pawl.ID{2}, []pawl.ID{1}, pawl.Completed, "ada"
	base := merge.Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&whole), 2: taskjson.Encode(&waits)}, Mark: 2}
	x := &side{state: &State{Clone: "here"}, base: base, onto: merge.Onto}
	err := x.of(&Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&done), 2: taskjson.Encode(&then)}, Mark: 2, Since: History{Put: map[pawl.ID][]byte{1: taskjson.Encode(&first)}}})
	if is := taskOf(x.out.Tasks[1]); err != nil || is.Status != pawl.Completed || !slices.Equal(is.Blocks, []pawl.ID{2}) {
		t.Errorf("it has %q, %v", x.out.Tasks, err)
	}
}

// A backup brought back the board with its history, from before a claim that the remote has. A
// claim that is made after that is another one to all clones: else its lease would have ended
// with that of the first, and its holder would take it for confirmed before it is.
func TestTokensAfterBackup(t *testing.T) {
	w := newSimWorld(2)
	a, b := w.clones[0], w.clones[1]
	a.add()
	a.add()
	a.mustSync(t)
	was := a.board.copy()
	v := a.view()
	v.rev += 5 // as if more had been done before
	v.claim(1, false)
	a.mustSync(t)
	b.mustSync(t)
	a.board, a.edited = was, true
	for id, text := range was.texts {
		a.board.put[id] = text
	}
	if !a.recover() {
		t.Fatal("the board was not put back")
	}
	first := a.board.held[1].Claim.Token
	w.now += 2 * simLease
	a.view().expire()
	v = a.view()
	v.rev = max(v.rev+1, first)
	v.claim(2, false)
	y := a.sync(false)
	y.final = true
	y.goOnTo("write") // somebody claims while a sync is under way
	y.goOnTo("")
	b.mustSync(t)
	b.view().expire()
	if t2 := b.view().tasks[2]; t2.Status == pawl.InProgress {
		w.believers()
	} else {
		t.Errorf("a holds it by token %d, as #1 by %d, and b has%s", a.board.held[2].Claim.Token, first, b.board)
	}
	if len(w.bad) > 0 {
		t.Error(w.bad)
	}
}
