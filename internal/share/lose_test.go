package share

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// One person may lose several tasks in one sync, under a claim or without one: each is
// told, and once.
func TestLose(t *testing.T) {
	held := &merge.Held{Clone: "here", Token: 7}
	lost := func(id pawl.ID, was pawl.Status, h *merge.Held) merge.Yielded {
		return merge.Yielded{Named: merge.Named{ID: id}, Was: was, Owner: "ada", Held: h}
	}
	c := &cycle{Sharer: &Sharer{}, state: &State{Clone: "here"}}
	for range 2 {
		c.lose([]merge.Yielded{lost(12, pawl.InProgress, held), lost(15, pawl.Completed, nil), lost(16, pawl.Completed, nil)})
	}
	c.lose([]merge.Yielded{lost(20, pawl.InProgress, held)}) // #12 has another number by now
	if len(c.state.Owed) != 3 {
		t.Errorf("%d are told: %+v", len(c.state.Owed), c.state.Owed)
	}
}

// A sync noted that a completion and a claim yielded, and did not end; then the remote went
// back. What the board still has is not told as lost, and what yielded for certain is.
func TestLoseAndBack(t *testing.T) {
	c := newSimWorld(1).clones[0]
	held := &merge.Held{Clone: "clone0", Token: 7, Session: "s", Agent: "agent"}
	done := pawl.Task{ID: 1, Subject: "One", Status: pawl.Completed, Owner: "ada", CreatedAt: simStart}
	begun := pawl.Task{ID: 2, Subject: "Two", Status: pawl.InProgress, Owner: "eve", CreatedAt: simStart}
	board := merge.Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&done), 2: taskjson.Encode(&begun)}, Beside: map[pawl.ID]merge.Beside{2: {Held: held}}}
	lost := func(id pawl.ID, subject string, was pawl.Status, owner string, h *merge.Held) merge.Yielded {
		return merge.Yielded{Named: merge.Named{ID: id, Subject: subject}, Was: was, Owner: owner, Held: h, Now: pawl.InProgress, By: "bob"}
	}
	other := lost(2, "Two", pawl.InProgress, "eve", &merge.Held{Clone: "clone0", Token: 6, Session: "r"})
	c.state.Owed = []merge.Yielded{lost(1, "One", pawl.Completed, "ada", nil), lost(2, "Two", pawl.InProgress, "eve", held), other}
	y := &cycle{Sharer: c.sharer(c.prepare(false)), state: c.state}
	must.Do(t, y.finish(t.Context(), &board))
	if got := y.report.Lost; len(got) != 1 || got[0].Held != other.Held || len(c.state.Owed) != 0 {
		t.Errorf("it tells %+v, and owes %+v", got, c.state.Owed)
	}
	if n := c.state.Notices; len(n) != 1 || n[0].Session != "r" {
		t.Errorf("sessions hear %+v", n)
	}
}

// A dry run finds out that the machine was copied whole, and still changes nothing.
func TestTryTwin(t *testing.T) {
	w := newSimWorld(1)
	w.happen["twins"] = 1
	a, b := w.clones[0], newSimClone(w, len(w.clones))
	a.add()
	a.mustSync(t)
	b.board, b.own, b.state = a.board.copy(), a.own, saved(a.state)
	b.add()
	b.mustSync(t)
	a.add()
	y := a.prepare(false)
	y.final = true
	must.Do(t, a.sharer(y).Keep(t.Context(), pawl.Actor{}))
	own, state := a.own, saved(a.state)
	r, err := a.sharer(y).Try(t.Context(), Options{})
	if err != nil || len(r.Arrived) != 1 || len(r.Merge.Moved) != 1 {
		t.Errorf("it would do %+v, %v", r, err)
	}
	if a.own != own || a.state.Clone != state.Clone || a.state.Tip != state.Tip {
		t.Errorf("the clone is %s at %s, %+v", a.own, own, a.state)
	}
}

// What is taken back from a task whose file is full is taken back without a note.
func TestTakeBackFull(t *testing.T) {
	other := &merge.Held{Clone: "other", Token: 3, Lease: pawl.Duration(time.Hour)}
	full := pawl.Task{ID: 1, Subject: "Full", Status: pawl.InProgress, Owner: "bob", StartedAt: simStart, CreatedAt: simStart, UpdatedAt: simStart}
	full.Metadata = map[string]json.RawMessage{"x": json.RawMessage(`"` + strings.Repeat("x", pawl.MaxTask-400) + `"`)}
	base := merge.Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&full)}, Beside: map[pawl.ID]merge.Beside{1: {Turn: 1, Held: other}}}
	done := full
	done.Status, done.Owner, done.CompletedAt = pawl.Completed, "ada", simStart.Add(time.Hour)
	x := &side{state: &State{Clone: "here"}, base: base}
	must.Do(t, x.of(&Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&done)}, Since: History{Known: true, Turns: map[pawl.ID]Turns{1: {N: 2, Doubtful: true}}}}))
	if is := taskOf(x.out.Tasks[1]); is == nil || is.Owner != "bob" || len(x.lost) != 1 {
		t.Errorf("the task is %+v, lost %+v", is, x.lost)
	}
}

// A busy board has other files each time that it is read.
type busy struct {
	Local
	board *Board
}

func (b busy) Read(context.Context, pawl.Revision, map[pawl.ID][]byte) (*Board, error) {
	return b.board, nil
}

func (busy) Write(context.Context, pawl.OpID, pawl.Revision, map[pawl.ID][]byte, func(*Board) (*Written, error)) (pawl.Revision, error) {
	return 0, nil
}

// When git was at work all the time, that was told as the work of another clone.
func TestBackWhileGitWorks(t *testing.T) {
	was := pawl.Task{ID: 1, Subject: "One", Status: pawl.Pending, CreatedAt: simStart}
	is := was
	is.Subject = "Two"
	b := busy{board: &Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&is)}, Since: History{Known: true, Put: map[pawl.ID][]byte{1: taskjson.Encode(&is)}}}}
	c := &cycle{Sharer: &Sharer{local: b, step: func(string) {}, clock: newSimWorld(1).clones[0], onto: merge.Onto}, state: &State{}, before: merge.Board{Tasks: map[pawl.ID][]byte{1: taskjson.Encode(&was)}}}
	if _, err := c.back(t.Context(), b.board); err == nil || errors.Is(err, ErrRace) || !strings.Contains(err.Error(), "git") {
		t.Errorf("it says %v", err)
	}
}

// A claim that is gone from here stands until somebody here ends it. What no store could keep
// as a claim is not asked of it again and again.
func TestForgot(t *testing.T) {
	held := &merge.Held{Clone: "other", Token: 3, Session: "s"}
	begun := pawl.Task{ID: 1, Subject: "One", Status: pawl.InProgress, Owner: "eve", StartedAt: simStart, CreatedAt: simStart}
	for what, of := range map[string]struct {
		since  History
		held   *merge.Held
		status pawl.Status
		owner  string
		ends   bool // the side says that the claim has ended
		back   bool // the board gets the claim
	}{
		"with .tasks/.pawl":       {held: held, status: pawl.InProgress, owner: "eve", back: true},
		"with a file":             {since: History{Known: true}, held: held, status: pawl.InProgress, owner: "eve", back: true},
		"by an op":                {since: History{Known: true, Turns: map[pawl.ID]Turns{1: {N: 1}}}, held: held, status: pawl.InProgress, owner: "eve", ends: true},
		"a claim of nobody":       {held: held, status: pawl.InProgress},
		"a claim of what waits":   {held: held, status: pawl.Pending},
		"a claim without a token": {held: &merge.Held{Clone: "other"}, status: pawl.InProgress, owner: "eve"},
	} {
		task := begun
		task.Status, task.Owner = of.status, of.owner
		texts := map[pawl.ID][]byte{1: taskjson.Encode(&task)}
		c := &cycle{Sharer: &Sharer{clock: newSimWorld(1).clones[0]}, state: &State{Clone: "here"}}
		c.before = merge.Board{Tasks: texts, Beside: map[pawl.ID]merge.Beside{1: {Turn: 1, Held: of.held}}}
		b := &Board{Tasks: texts, Since: of.since}
		x := must.Get(c.sideOf(c.before, b, false))(t)
		if ends := !sameBoards(x.out, c.before); ends != of.ends || len(x.lost) > 0 {
			t.Errorf("%s: it is sent as %+v, lost %+v", what, x.out.Beside[1], x.lost)
		}
		if _, w, err := c.right(b); err != nil || w.Claims[1].Claim.Live() != of.back || len(w.Claims) > 0 != of.back {
			t.Errorf("%s: it comes back: %+v, %v", what, w, err)
		}
	}
}
