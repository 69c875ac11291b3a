package merge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// ontoLine brings ours onto theirs, and checks what holds for any boards: bringing
// the result onto itself, or a side onto it once more, changes nothing.
func ontoLine(t *testing.T, bases []Board, o, th Board) (map[pawl.ID]*pawl.Task, Report, Board) {
	t.Helper()
	m, r := Onto(bases, o, th)
	settled(t, bases, o, th, m)
	return open(m).tasks, r, m
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func settled(t fataler, bases []Board, o, th, m Board) {
	t.Helper()
	same := func(what string, bases []Board, o, th Board) {
		t.Helper()
		if again, r := Onto(bases, o, th); !sameBoard(again, m) || len(r.Yielded) > 0 {
			t.Fatalf("%s:\n%s%+v", what, differ(m, again), r.Yielded)
		}
	}
	same("the result onto itself", bases, m, m)
	same("ours onto the result", []Board{o}, o, m)
	same("the result onto theirs", []Board{th}, m, th)
	same("theirs onto the result", []Board{th}, th, m)
	if again, _ := Onto(bases, o, th); !sameBoard(again, m) {
		t.Fatalf("not the same at a retry:\n%s", differ(m, again))
	}
}

// beside puts what is known of tasks on a board.
func beside(b Board, what map[pawl.ID]Beside) Board {
	b.Beside = maps.Clone(b.Beside)
	if b.Beside == nil {
		b.Beside = map[pawl.ID]Beside{}
	}
	maps.Copy(b.Beside, what)
	return b
}

func heldIn(clone string, token pawl.Revision) *Held { return &Held{Clone: clone, Token: token} }

func TestOntoOneClaimWins(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "Cart"})
	o := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "ada", StartedAt: at(5)}),
		map[pawl.ID]Beside{1: {Turn: 1, Held: heldIn("mac", 17)}})
	th := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "bob", StartedAt: at(6)}),
		map[pawl.ID]Beside{1: {Turn: 1, Held: heldIn("nas", 4)}})
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "owner", tasks[1].Owner, "bob")
	want(t, "claim", m.Beside[1].Held.Clone, "nas")
	want(t, "notes", len(tasks[1].Notes), 0)
	if len(r.Yielded) != 1 || r.Yielded[0].Held.Clone != "mac" || r.Yielded[0].Winner.Clone != "nas" || r.Yielded[0].By != "bob" || r.Yielded[0].Subject != "Cart" {
		t.Errorf("yielded: %+v", r.Yielded)
	}
}

func TestOntoCompletionYields(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "Cart"})
	o := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.Completed, Owner: "ada", StartedAt: at(5), CompletedAt: at(9)}),
		map[pawl.ID]Beside{1: {Turn: 2, Ended: EndedUnder("mac", heldIn("mac", 17))}})
	th := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "bob", StartedAt: at(6)}),
		map[pawl.ID]Beside{1: {Turn: 1, Held: heldIn("nas", 4)}})
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "status", tasks[1].Status, pawl.InProgress)
	want(t, "notes", tasks[1].Notes, []pawl.Note{{At: at(9), By: "pawl", Text: "Also completed by ada in mac (claim 17)."}})
	want(t, "yielded", len(r.Yielded), 1)
	// The clone writes it back, and has had the note already.
	again, _ := Onto([]Board{base}, Board{Tasks: m.Tasks, Beside: o.Beside}, th)
	want(t, "notes", len(open(again).tasks[1].Notes), 1)
	// The very same completion has nothing to say.
	th = beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.Completed, Owner: "ada", CompletedAt: at(9)}),
		map[pawl.ID]Beside{1: {Turn: 3, Ended: "mac/17"}})
	_, r, _ = ontoLine(t, []Board{base}, o, th)
	want(t, "yielded", len(r.Yielded), 0)
	// Without a claim, two in one clone are two.
	th.Beside[1] = Beside{Turn: 3, Ended: "mac"}
	o.Beside[1] = Beside{Turn: 2, Ended: "mac"}
	_, r, _ = ontoLine(t, []Board{base}, o, th)
	want(t, "yielded", len(r.Yielded), 1)
}

// A completion stands against the very claim that it ended. A machine that was copied whole
// may have given that name to another claim, against which it yields.
func TestOntoTwins(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "Cart"})
	o := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.Completed, Owner: "ada", StartedAt: at(5), CompletedAt: at(9)}),
		map[pawl.ID]Beside{1: {Turn: 2, Ended: "mac/17"}})
	for began, stands := range map[int]pawl.Status{5: pawl.Completed, 6: pawl.InProgress} {
		th := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "ada", StartedAt: at(began)}),
			map[pawl.ID]Beside{1: {Turn: 1, Held: heldIn("mac", 17)}})
		tasks, r, _ := ontoLine(t, []Board{base}, o, th)
		want(t, "status", tasks[1].Status, stands)
		want(t, "yielded", len(r.Yielded) == 0, stands == pawl.Completed)
	}
}

// A task that was completed, reopened and completed again says in its file what it
// said before; its turn does not.
func TestOntoTurn(t *testing.T) {
	done := pawl.Task{ID: 1, Subject: "Cart", Status: pawl.Completed, Owner: "ada", CompletedAt: at(5)}
	open := pawl.Task{ID: 1, Subject: "Cart"}
	base := beside(board(open), map[pawl.ID]Beside{1: {Turn: 2}})
	th := beside(board(open), map[pawl.ID]Beside{1: {Turn: 4}}) // completed and reopened since
	o := beside(board(done), map[pawl.ID]Beside{1: {Turn: 3}})
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "status", tasks[1].Status, pawl.Pending)
	want(t, "turn", m.Beside[1].Turn, 4)
	want(t, "notes", len(tasks[1].Notes), 1)
	want(t, "yielded", len(r.Yielded), 1)
}

// What only one side changed is to the letter as that side has it.
func TestOntoToTheLetter(t *testing.T) {
	odd := func(s string) []byte {
		return []byte(`{ "subject":` + s + `,"id":1, "status":"pending","x":[1,  2]}`)
	}
	base := Board{Tasks: map[pawl.ID][]byte{1: odd(`"a"`), 2: []byte(`{"id":2,"subject":"b" }`)}}
	o := Board{Tasks: map[pawl.ID][]byte{1: odd(`"a \u0041"`), 2: base.Tasks[2]}}
	th := Board{Tasks: map[pawl.ID][]byte{1: base.Tasks[1], 2: []byte(`{"id":2,"subject":"B" }`)}}
	_, _, m := ontoLine(t, []Board{base}, o, th)
	want(t, "ours", string(m.Tasks[1]), string(o.Tasks[1]))
	want(t, "theirs", string(m.Tasks[2]), string(th.Tasks[2]))
}

func TestOntoNumbers(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "Cart"})
	base.Mark = 1
	// Ours is older, and yields all the same.
	o := board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Ours", CreatedAt: at(20)},
		pawl.Task{ID: 3, Subject: "After #2", CreatedAt: at(21), BlockedBy: ids(2)}, pawl.Task{ID: 9, Subject: "Free", CreatedAt: at(22)})
	o.Mark = 9
	th := board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Theirs", CreatedAt: at(30)})
	th.Mark = 4 // 3 and 4 came and went
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "#2", tasks[2].Subject, "Theirs")
	want(t, "#9", tasks[9].Subject, "Free")
	want(t, "#10", tasks[10].Subject, "Ours")
	want(t, "#11", tasks[11].Subject, "After #10")
	want(t, "#11 waits for", tasks[11].BlockedBy, ids(10))
	want(t, "was", tasks[11].Was, ids(3))
	want(t, "mark", m.Mark, 11)
	want(t, "moved", len(r.Moved), 2)
}

func TestOntoTextsYield(t *testing.T) {
	one := func(subject, description, hold string, priority pawl.Priority) Board {
		task := pawl.Task{ID: 1, Subject: subject, Description: description, Priority: priority, UpdatedAt: at(30)}
		if hold != "" {
			task.Hold = &pawl.Hold{Reason: hold, By: "ada", At: at(2)}
		}
		return board(task)
	}
	base := one("Cart", "", "", 0)
	o := one("The very long cart", "what ours says at length", "wait for the vendor's answer", 2)
	th := one("Basket", "short", "wait", 1)
	tasks, r, _ := ontoLine(t, []Board{base}, o, th)
	want(t, "subject", tasks[1].Subject, "Basket")
	want(t, "description", tasks[1].Description, "short")
	want(t, "hold", tasks[1].Hold.Reason, "wait")
	want(t, "priority", tasks[1].Priority, pawl.Priority(1))
	var notes []string
	for _, n := range tasks[1].Notes {
		notes = append(notes, n.Text)
	}
	slices.Sort(notes)
	want(t, "notes", notes, []string{
		"Another clone described this task so:\n\nwhat ours says at length",
		"Another clone named this task: The very long cart",
		"Another clone put this task on hold: wait for the vendor's answer",
	})
	for _, n := range r.Noted {
		want(t, "side", n.Side, Ours)
	}
}

// What the remote deleted and ours changed goes on from its last state there.
func TestOntoKeptGoesOn(t *testing.T) {
	base := beside(board(pawl.Task{ID: 1, Subject: "Cart", Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "Pay", BlockedBy: ids(1)}), map[pawl.ID]Beside{1: {Turn: 1}})
	last := board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "bob", StartedAt: at(8), Blocks: ids(2), Notes: []pawl.Note{{At: at(8), By: "bob", Text: "begun"}}})
	th := board(pawl.Task{ID: 2, Subject: "Pay"})
	th.Gone = []Gone{{ID: 1, Text: last.Tasks[1], Beside: Beside{Turn: 2, Held: heldIn("nas", 4)}}}
	o := beside(board(pawl.Task{ID: 1, Subject: "Basket", Status: pawl.Completed, Owner: "ada", CompletedAt: at(9), Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "Pay"}),
		map[pawl.ID]Beside{1: {Turn: 2, Held: heldIn("mac", 17)}})
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "subject", tasks[1].Subject, "Basket")
	want(t, "owner", tasks[1].Owner, "bob")
	want(t, "notes", len(tasks[1].Notes), 2)
	want(t, "what it blocks", tasks[1].Blocks, ids(2))
	want(t, "what waits", tasks[2].BlockedBy, ids(1))
	want(t, "kept", r.Kept, []Kept{{Named{1, "Basket"}, Theirs}})
	want(t, "gone", len(m.Gone), 0)
	want(t, "claim", m.Beside[1].Held.same(heldIn("nas", 4)), true)
	// Unchanged, it is gone.
	tasks, r, m = ontoLine(t, []Board{base}, base, th)
	want(t, "tasks", len(tasks), 1)
	want(t, "gone", len(m.Gone), 1)
}

// A task that the remote once had keeps its number, though the base lacks it; and
// nobody else gets that number.
func TestOntoRemembersNumbers(t *testing.T) {
	cart := pawl.Task{ID: 3, Subject: "Cart"}
	was := board(cart)
	th := board(pawl.Task{ID: 1, Subject: "One"})
	th.Mark, th.Gone = 5, []Gone{{ID: 3, Text: was.Tasks[3]}}
	cart.Subject, cart.Description = "Cart", "more of it"
	o := board(cart, pawl.Task{ID: 4, Subject: "New"})
	tasks, _, m := ontoLine(t, nil, o, th)
	want(t, "#3", tasks[3].Description, "more of it")
	want(t, "#6", tasks[6].Subject, "New")
	want(t, "gone", len(m.Gone), 0)
	// Just as it was when it was deleted, it is an old copy.
	tasks, _, _ = ontoLine(t, nil, was, th)
	want(t, "tasks", len(tasks), 1)
	// Another task under the number of one that is gone moves.
	tasks, _, _ = ontoLine(t, nil, board(pawl.Task{ID: 3, Subject: "Other", CreatedAt: at(40)}), th)
	want(t, "#6", tasks[6].Subject, "Other")
}

func TestOntoDeleted(t *testing.T) {
	base := beside(board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Pay"}), map[pawl.ID]Beside{1: {Turn: 3}})
	o := board(pawl.Task{ID: 2, Subject: "Pay"})
	th := beside(board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Pay it"}), map[pawl.ID]Beside{1: {Turn: 3}})
	tasks, _, m := ontoLine(t, []Board{base}, o, th)
	want(t, "tasks", len(tasks), 1)
	if len(m.Gone) != 1 || m.Gone[0].ID != 1 || string(m.Gone[0].Text) != string(th.Tasks[1]) || m.Gone[0].Beside.Turn != 3 || m.Beside[1] != (Beside{}) || m.Mark != 2 {
		t.Errorf("got %+v", m)
	}
	// What theirs changed stays.
	th = beside(board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Pay"}), map[pawl.ID]Beside{1: {Turn: 4}})
	tasks, r, _ := ontoLine(t, []Board{base}, o, th)
	want(t, "tasks", len(tasks), 2)
	want(t, "kept", r.Kept, []Kept{{Named{1, "Cart"}, Ours}})
}

func TestOntoCutsOurEdge(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"})
	// Ours is between the same tasks: by age, theirs would be cut.
	o := board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(2)}, pawl.Task{ID: 2, Subject: "b", Blocks: ids(1)})
	th := board(pawl.Task{ID: 1, Subject: "a", Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "b", BlockedBy: ids(1)})
	tasks, r, _ := ontoLine(t, []Board{base}, o, th)
	want(t, "#2 waits for", tasks[2].BlockedBy, ids(1))
	want(t, "#1 waits for", len(tasks[1].BlockedBy), 0)
	want(t, "cut", r.Cut, []Edge{{Task: 1, For: 2}})
}

// A parent that the merge reopens has another turn.
func TestOntoReopens(t *testing.T) {
	parent := pawl.Task{ID: 1, Subject: "a"}
	base := board(parent)
	o := board(parent, pawl.Task{ID: 2, Subject: "b", Parent: 1})
	parent.Status, parent.CompletedAt, parent.Owner = pawl.Completed, at(5), "bob"
	th := beside(board(parent), map[pawl.ID]Beside{1: {Turn: 2, Held: heldIn("nas", 3)}})
	tasks, r, m := ontoLine(t, []Board{base}, o, th)
	want(t, "status", tasks[1].Status, pawl.Pending)
	want(t, "beside", m.Beside[1], Beside{Turn: 3})
	want(t, "reopened", r.Reopened, []Named{{1, "a"}})
}

// One task under two numbers on a board becomes one, under theirs' number.
func TestOntoJoinsTwins(t *testing.T) {
	cart := func(id pawl.ID, was ...pawl.ID) pawl.Task {
		return pawl.Task{ID: id, Subject: "Cart", CreatedAt: at(3), Was: was}
	}
	pay := pawl.Task{ID: 4, Subject: "Pay", BlockedBy: ids(3, 9)}
	three, nine := cart(3), cart(9, 3)
	three.Blocks, nine.Blocks = ids(4), ids(4)
	three.Notes = []pawl.Note{{At: at(5), By: "ada", Text: "half of it"}}
	nine.Status, nine.Owner, nine.StartedAt = pawl.InProgress, "bob", at(6)
	base := board(pawl.Task{ID: 1, Subject: "a"})
	o := beside(board(pawl.Task{ID: 1, Subject: "a"}, three, nine, pay), map[pawl.ID]Beside{3: {Turn: 1}, 9: {Turn: 2, Held: heldIn("mac", 4)}})
	th := board(pawl.Task{ID: 1, Subject: "b"})
	tasks, _, m := ontoLine(t, []Board{base}, o, th)
	want(t, "tasks", slices.Sorted(maps.Keys(tasks)), ids(1, 4, 9))
	want(t, "status", tasks[9].Status, pawl.InProgress)
	want(t, "notes", len(tasks[9].Notes), 1)
	want(t, "was", tasks[9].Was, ids(3))
	want(t, "claim", m.Beside[9].Held.same(heldIn("mac", 4)), true)
	want(t, "#4 waits for", tasks[4].BlockedBy, ids(9))
	want(t, "#9 blocks", tasks[9].Blocks, ids(4))
	// Theirs has it under the old number, and that stays.
	th = board(pawl.Task{ID: 1, Subject: "b"}, cart(3))
	tasks, _, m = ontoLine(t, []Board{base}, o, th)
	want(t, "tasks", slices.Sorted(maps.Keys(tasks)), ids(1, 3, 4))
	want(t, "was", tasks[3].Was, ids(3, 9))
	want(t, "#4 waits for", tasks[4].BlockedBy, ids(3))
	want(t, "beside", m.Beside[3].equal(Beside{Turn: 3, Held: heldIn("mac", 4)}), true)
	if m.Mark < 9 {
		t.Errorf("#9 can be given again: %v", m.Mark)
	}
}

// A clone that joins brings its board, which has no history in common with the
// remote's. What nobody has decided on the remote is as the clone has it.
func TestOntoJoining(t *testing.T) {
	o := beside(board(pawl.Task{ID: 1, Subject: "Cart", Status: pawl.Completed, Owner: "ada", CompletedAt: at(9)},
		pawl.Task{ID: 2, Subject: "Pay", Status: pawl.Completed, Owner: "ada", CompletedAt: at(8)}, pawl.Task{ID: 3, Subject: "Mine"}), map[pawl.ID]Beside{1: {Turn: 1}, 2: {Turn: 1}})
	th := beside(board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 2, Subject: "Pay"}), map[pawl.ID]Beside{2: {Turn: 4}})
	tasks, r, _ := ontoLine(t, nil, o, th)
	want(t, "tasks", len(tasks), 3)
	want(t, "#1", tasks[1].Subject, "Cart")
	want(t, "#1", tasks[1].Status, pawl.Completed)
	want(t, "#2, which was reopened there", tasks[2].Status, pawl.Pending)
	want(t, "notes of #2", tasks[2].Notes, []pawl.Note{{At: at(8), By: "pawl", Text: "Also completed by ada."}})
	want(t, "yielded", len(r.Yielded), 1)
}

// Without anything beside, boards come together as well.
func TestOntoNothingBeside(t *testing.T) {
	task := pawl.Task{ID: 1, Subject: "Cart", Labels: []string{"a"}}
	base := board(task)
	task.Labels = []string{"a", "b"}
	o := board(task, pawl.Task{ID: 2, Subject: "Ours"})
	task.Labels = []string{"c"}
	th := board(task, pawl.Task{ID: 2, Subject: "Theirs", CreatedAt: at(7)})
	tasks, _, m := ontoLine(t, []Board{base}, o, th)
	want(t, "labels", tasks[1].Labels, []string{"c", "b"})
	want(t, "#2", tasks[2].Subject, "Theirs")
	want(t, "#3", tasks[3].Subject, "Ours")
	if m.Beside != nil || m.Gone != nil {
		t.Errorf("got %v, %v", m.Beside, m.Gone)
	}
}

// A task that another program has put into a file with another one gets a number of
// its own, as everywhere.
func TestOntoTakesApart(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"})
	two, err := taskjson.Join(board(pawl.Task{ID: 1, Subject: "a"}).Tasks[1], [][]byte{board(pawl.Task{ID: 1, Subject: "z", CreatedAt: at(44)}).Tasks[1]})
	must.Do(t, err)
	for name, c := range map[string][2]Board{
		"ours":   {{Tasks: map[pawl.ID][]byte{1: two}}, board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"})},
		"theirs": {board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"}), {Tasks: map[pawl.ID][]byte{1: two}}},
	} {
		m, _ := Onto([]Board{base}, c[0], c[1])
		tasks := open(m).tasks
		if len(tasks) != 3 || tasks[1].Subject != "a" || several(m) {
			t.Errorf("%s: %v", name, brief(m))
		}
	}
}

// Two clones made a task in one moment, under one number. When one of them was deleted
// from the remote, the other one does not take its place.
func TestOntoOneMoment(t *testing.T) {
	ada := pawl.Task{ID: 1, Subject: "Cart", CreatedAt: at(1), UpdatedAt: at(1)}
	bob := pawl.Task{ID: 2, Subject: "Login", Was: []pawl.ID{1}, CreatedAt: at(1), UpdatedAt: at(1)}
	held := ada
	held.Hold = &pawl.Hold{Reason: "wait", At: at(5), By: "ada"}
	base, o, th := board(ada), board(held), board(bob)
	th.Gone = []Gone{{ID: 1, Text: base.Tasks[1]}}
	m, _ := Onto([]Board{base}, o, th)
	tasks := open(m).tasks
	if len(tasks) != 2 || tasks[1] == nil || tasks[1].Hold == nil || tasks[2] == nil || tasks[2].Subject != "Login" {
		t.Errorf("%s", brief(m))
	}
}

// A task that has moved to the same number as another one of its moment is that one, as
// after a remote that was taken back, unless their metadata say that they are two.
func TestOntoMovedAlike(t *testing.T) {
	moved := func(subject, ref string) pawl.Task {
		return pawl.Task{ID: 2, Subject: subject, Was: []pawl.ID{1}, CreatedAt: at(1), UpdatedAt: at(1), Metadata: map[string]json.RawMessage{"key": json.RawMessage(ref)}}
	}
	for _, c := range []struct {
		ref  string
		want int
	}{{`"cart"`, 1}, {`"login"`, 2}} {
		m, _ := Onto(nil, board(moved("Cart", `"cart"`)), board(moved("Login", c.ref)))
		if len(m.Tasks) != c.want {
			t.Errorf("%s: %s", c.ref, brief(m))
		}
	}
}

// A task that was deleted here and is back waits again for what it waited for, and both
// files say so.
func TestOntoBack(t *testing.T) {
	one, two := pawl.Task{ID: 1, Subject: "Cart", Blocks: []pawl.ID{2}, CreatedAt: at(1), UpdatedAt: at(1)}, pawl.Task{ID: 2, Subject: "Login", BlockedBy: []pawl.ID{1}, CreatedAt: at(2), UpdatedAt: at(2)}
	base := board(one, two)
	one.Blocks, one.UpdatedAt = nil, at(9)
	m, _ := Onto([]Board{base}, board(one, two), base)
	if is := open(m).tasks; len(is) != 2 || len(is[1].Blocks) != len(is[2].BlockedBy) {
		t.Errorf("%s", brief(m))
	}
}

// Two tasks of one moment that moved to one number, and have nothing else in common, are
// two.
func TestOntoMovedApart(t *testing.T) {
	cart := pawl.Task{ID: 1, Subject: "Cart", CreatedAt: at(0), UpdatedAt: at(0)}
	login := pawl.Task{ID: 2, Subject: "Login", Was: []pawl.ID{1}, CreatedAt: at(1), UpdatedAt: at(1)}
	search := pawl.Task{ID: 2, Subject: "Search", Was: []pawl.ID{1}, CreatedAt: at(1), UpdatedAt: at(1)}
	m, _ := Onto([]Board{board(cart)}, board(cart, login), board(cart, search))
	tasks := open(m).tasks
	if len(tasks) != 3 || tasks[2] == nil || tasks[2].Subject != "Search" || tasks[3] == nil || tasks[3].Subject != "Login" {
		t.Errorf("%s", brief(m))
	}
}

// A completion does not yield to the claim that it ended, which is what a remote may have
// that was taken back.
func TestOntoEndsItsClaim(t *testing.T) {
	cart := pawl.Task{ID: 1, Subject: "Cart", CreatedAt: at(1), UpdatedAt: at(1)}
	begun, done := cart, cart
	begun.Status, begun.Owner, begun.StartedAt, begun.UpdatedAt = pawl.InProgress, "ada", at(2), at(2)
	done.Status, done.Owner, done.StartedAt, done.CompletedAt, done.UpdatedAt = pawl.Completed, "ada", at(2), at(3), at(3)
	held := &Held{Clone: "mini", Token: 2, Session: "s"}
	o, th := board(done), board(begun)
	o.Beside = map[pawl.ID]Beside{1: {Turn: 1, Ended: EndedUnder("mini", held)}}
	th.Beside = map[pawl.ID]Beside{1: {Turn: 1, Held: held}}
	m, r := Onto([]Board{board(cart)}, o, th)
	if is := open(m).tasks[1]; is.Status != pawl.Completed || len(is.Notes) > 0 || len(r.Yielded) > 0 {
		t.Errorf("%s, %+v", brief(m), r.Yielded)
	}
}

// A task that was deleted, and that a clone brings back without an edge it had, comes
// without that edge at each further try.
func TestOntoBackWithoutEdge(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "Cart", Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "Pay", BlockedBy: ids(1)})
	o := board(pawl.Task{ID: 1, Subject: "Basket"}, pawl.Task{ID: 2, Subject: "Pay"})
	th := board(pawl.Task{ID: 2, Subject: "Pay"})
	th.Gone = []Gone{{ID: 1, Text: base.Tasks[1]}}
	tasks, _, _ := ontoLine(t, []Board{base}, o, th)
	want(t, "subject", tasks[1].Subject, "Basket")
	want(t, "what it blocks", len(tasks[1].Blocks), 0)
}

// A remote that was taken back can have given a task another number. It is still the one
// that other clones know, and gets what they have made of it.
func TestOntoMovedAfterRewind(t *testing.T) {
	cart := pawl.Task{ID: 1, Subject: "Cart", CreatedAt: at(1)}
	waits := cart
	waits.Blocks = ids(2)
	o := board(waits, pawl.Task{ID: 2, Subject: "Pay", CreatedAt: at(5), BlockedBy: ids(1)})
	th := board(pawl.Task{ID: 1, Subject: "Login", CreatedAt: at(0)}, pawl.Task{ID: 2, Subject: "Basket", Was: ids(1), CreatedAt: at(1)})
	th.Mark = 2
	tasks, _, m := ontoLine(t, []Board{board(cart)}, o, th)
	want(t, "tasks", len(tasks), 3)
	want(t, "#2", tasks[2].Subject, "Basket")
	want(t, "#3 waits for", tasks[3].BlockedBy, ids(2))
	want(t, "gone", len(m.Gone), 0)
}

// Where a text has only got other numbers, the remote's are those that all clones know,
// though one of several bases has it as ours does.
func TestOntoNumbersInTexts(t *testing.T) {
	cart, login := pawl.Task{ID: 2, Subject: "Cart", CreatedAt: at(1)}, pawl.Task{ID: 2, Subject: "Login", CreatedAt: at(0)}
	later := func(task pawl.Task) pawl.Task {
		task.ID, task.Was = 3, ids(2)
		return task
	}
	see := func(text string) pawl.Task {
		return pawl.Task{ID: 1, Subject: text, CreatedAt: at(2), Hold: &pawl.Hold{Reason: text, By: "ada", At: at(3)}}
	}
	bases := []Board{board(see("after #2"), cart), board(see("new"), login)}
	for range 2 {
		tasks, _, _ := ontoLine(t, bases, board(see("after #2"), cart, later(login)), board(see("after #3"), login, later(cart)))
		want(t, "#3", tasks[3].Subject, "Cart")
		want(t, "subject", tasks[1].Subject, "after #3")
		want(t, "hold", tasks[1].Hold.Reason, "after #3")
		slices.Reverse(bases)
	}
}

// The remote remembers a deleted task under its old number, also after the same issue is
// imported there again and another clone syncs.
func TestOntoImportedAgain(t *testing.T) {
	issue := pawl.Task{ID: 2, Subject: "Crash", CreatedAt: at(1), Metadata: map[string]json.RawMessage{"ref": json.RawMessage(`"github:acme/shop#55"`)}}
	again := issue
	again.ID, again.Was = 4, ids(2)
	base, th := board(pawl.Task{ID: 1, Subject: "Cart"}), board(pawl.Task{ID: 1, Subject: "Cart"}, again)
	base.Gone = []Gone{{ID: 2, Text: board(issue).Tasks[2]}}
	th.Gone = base.Gone
	_, _, m := ontoLine(t, []Board{base}, board(pawl.Task{ID: 1, Subject: "Cart"}, pawl.Task{ID: 3, Subject: "Pay"}), th)
	want(t, "gone", len(m.Gone), 1)
}

// A clone lets a task wait for one that it has completed, and the completion yields to the
// remote's claim. The task waits then, and both files say so.
func TestOntoWaitsForWhatYielded(t *testing.T) {
	cart := pawl.Task{ID: 1, Subject: "Cart", Status: pawl.InProgress, Owner: "bob", StartedAt: at(2)}
	base := board(cart)
	cart.Blocks = ids(2)
	tasks, _, _ := ontoLine(t, []Board{base}, board(cart, pawl.Task{ID: 2, Subject: "Pay"}), base)
	want(t, "#2 waits for", tasks[2].BlockedBy, ids(1))
}

// Both sides brought back a task that the base had deleted, one with another subject: it is
// one task, also beside another one that was made in the same moment.
func TestOntoBackOnBothSides(t *testing.T) {
	file := func(subject string, id pawl.ID, was ...pawl.ID) []byte {
		return taskjson.Encode(&pawl.Task{ID: id, Subject: subject, Status: pawl.Pending, CreatedAt: time.UnixMilli(1_800_000_000_000), Was: was})
	}
	for name, others := range map[string]map[pawl.ID][]byte{"alone": {}, "beside another one": {3: file("other", 3, 1)}} {
		board := func(subject string) Board {
			b := Board{Tasks: maps.Clone(others), Mark: 3}
			if b.Tasks[1] = file(subject, 1); subject == "" {
				delete(b.Tasks, 1)
				b.Gone = []Gone{{ID: 1, Text: file("one", 1)}}
			}
			return b
		}
		m, r := Onto([]Board{board("")}, board("one"), board("another"))
		if len(m.Tasks) != len(others)+1 || len(r.Moved) > 0 || !bytes.Contains(m.Tasks[1], []byte("another")) {
			t.Errorf("%s: it has %q, %+v", name, m.Tasks, r)
		}
	}
}
