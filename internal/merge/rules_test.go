package merge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// at is a time, as one writes a test: so many minutes after a day began.
func at(minute int) time.Time {
	return time.Date(2026, 11, 20, 9, minute, 0, 0, time.UTC)
}

// board makes a board of tasks, each made at the minute of its number unless it
// says when.
func board(tasks ...pawl.Task) Board {
	b := Board{Tasks: map[pawl.ID][]byte{}}
	for _, t := range tasks {
		if t.CreatedAt.IsZero() {
			t.CreatedAt = at(int(t.ID))
		}
		if t.CreatedAt.Equal(never) {
			t.CreatedAt = time.Time{}
		}
		if t.Status == "" {
			t.Status = pawl.Pending
		}
		b.Tasks[t.ID] = taskjson.Encode(&t)
	}
	return b
}

// never is the time of a task that does not say when it was made.
var never = time.Unix(1, 0)

// bothWays merges both ways, and checks what holds for any two boards.
func bothWays(t *testing.T, bases []Board, o, th Board) (map[pawl.ID]*pawl.Task, Report, Board) {
	t.Helper()
	m, r := Boards(bases, o, th)
	again, mirror := Boards(bases, th, o)
	if !sameBoard(m, again) || !untouched(bases, o, th) && !mirrored(r, mirror) {
		t.Fatalf("not symmetric:\n%s\n%+v\n%+v", differ(m, again), r, mirror)
	}
	for _, side := range []Board{o, th} {
		if m2, _ := Boards([]Board{side}, m, side); !sameBoard(m, m2) {
			t.Fatalf("merging a side again is no no-op:\n%s", differ(m, m2))
		}
	}
	return open(m).tasks, r, m
}

func ids(all ...pawl.ID) []pawl.ID { return all }

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestTwoClonesAddATask(t *testing.T) {
	base := board(pawl.Task{ID: 11, Subject: "Cart"})
	o := board(pawl.Task{ID: 11, Subject: "Cart", Blocks: ids(13)}, pawl.Task{ID: 12, Subject: "Retry hooks", CreatedAt: at(50), Owner: "ann"},
		pawl.Task{ID: 13, Subject: "Then #12", BlockedBy: ids(11, 12), CreatedAt: at(51)})
	th := board(pawl.Task{ID: 11, Subject: "Cart"}, pawl.Task{ID: 12, Subject: "Rotate key", CreatedAt: at(40), Owner: "bob"})
	tasks, r, _ := bothWays(t, []Board{base}, o, th)
	want(t, "#12", tasks[12].Subject, "Rotate key")
	want(t, "#14", tasks[14].Subject, "Retry hooks")
	want(t, "was", tasks[14].Was, ids(12))
	want(t, "what #13 waits for", tasks[13].BlockedBy, ids(11, 14))
	want(t, "what #13 says", tasks[13].Subject, "Then #14")
	want(t, "what waits for #14", tasks[14].Blocks, ids(13))
	want(t, "arrived", r.Arrived, []Named{{12, "Rotate key"}})
	want(t, "moved", r.Moved, []Moved{{Named: Named{14, "Retry hooks"}, From: 12, Side: Ours, CreatedAt: at(50), Elder: "Rotate key", ElderBy: "bob"}})
	want(t, "changed", r.Changed, ids(13))
}

// Rule 2. A number that is only mentioned, by an edge to nothing, is not given.
func TestNewNumbersExceedMentionedOnes(t *testing.T) {
	o := board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(4)}, pawl.Task{ID: 2, Subject: "b", Parent: 6, Was: ids(1, 9)})
	th := board(pawl.Task{ID: 1, Subject: "x", CreatedAt: at(30)})
	tasks, _, m := bothWays(t, nil, o, th)
	want(t, "#10", tasks[10].Subject, "x")
	want(t, "what #1 waits for", tasks[1].BlockedBy, ids(4))
	want(t, "mark", m.Mark, 0)

	// What nobody counts on from raises nothing, and is not given either.
	far := pawl.MaxForeignID + 5
	o = board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(far)})
	o.Mark = 7
	tasks, _, m = bothWays(t, nil, o, th)
	want(t, "#8", tasks[8].Subject, "x")
	want(t, "mark", m.Mark, 7)
}

// What the marks know is not given again, and the mark is the highest of all.
func TestHighWaterMark(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 9, Subject: "last"})
	o := board(pawl.Task{ID: 1, Subject: "a"})
	o.Mark = 9
	th := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 9, Subject: "last"})
	th.Mark = 3
	tasks, r, m := bothWays(t, []Board{base}, o, th)
	want(t, "tasks", len(tasks), 1)
	want(t, "mark", m.Mark, 9)
	want(t, "deleted", len(r.Deleted), 0)
	o.Mark = 0 // a program that does not know of the mark
	_, _, m = bothWays(t, []Board{base}, o, th)
	want(t, "mark without a mark", m.Mark, 9)
}

// Rule 3. Circles are found over the edges of completed tasks and over parents.
func TestCircles(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"}, pawl.Task{ID: 3, Subject: "done", Status: pawl.Completed})
	parent := func(child, of pawl.ID) Board {
		b := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"}, pawl.Task{ID: 3, Subject: "done", Status: pawl.Completed})
		task := open(b).tasks[child]
		task.Parent = of
		b.Tasks[child] = taskjson.Encode(task)
		return b
	}
	tasks, r, _ := bothWays(t, []Board{base}, parent(1, 2), parent(2, 1))
	want(t, "parents", []pawl.ID{tasks[1].Parent, tasks[2].Parent}, ids(2, 0))
	want(t, "cut", r.Cut, []Edge{{Task: 2, For: 1, Parent: true}})

	// a waits for done, which waits for b, on one side; b waits for a on the other.
	o := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b", Blocks: ids(3)}, pawl.Task{ID: 3, Subject: "done", Status: pawl.Completed, Blocks: ids(1)})
	th := board(pawl.Task{ID: 1, Subject: "a", Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "b", BlockedBy: ids(1)}, pawl.Task{ID: 3, Subject: "done", Status: pawl.Completed})
	tasks, r, _ = bothWays(t, []Board{base}, o, th)
	want(t, "cut", r.Cut, []Edge{{Task: 3, For: 2}})
	want(t, "#2 waits for", tasks[2].BlockedBy, ids(1))

	// An edge that every base has stays, however young its tasks are.
	base = board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(2)}, pawl.Task{ID: 2, Subject: "b", CreatedAt: at(59), Blocks: ids(1)}, pawl.Task{ID: 3, Subject: "c"})
	o = board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(2), Blocks: ids(3)}, pawl.Task{ID: 2, Subject: "b", CreatedAt: at(59), Blocks: ids(1)}, pawl.Task{ID: 3, Subject: "c", BlockedBy: ids(1)})
	th = board(pawl.Task{ID: 1, Subject: "a", BlockedBy: ids(2)}, pawl.Task{ID: 2, Subject: "b", CreatedAt: at(59), Blocks: ids(1), BlockedBy: ids(3)}, pawl.Task{ID: 3, Subject: "c", Blocks: ids(2)})
	_, r, _ = bothWays(t, []Board{base}, o, th)
	want(t, "cut", r.Cut, []Edge{{Task: 2, For: 3}})

	// A cycle that everybody has is not the merge's.
	base.Tasks[2] = taskjson.Encode(&pawl.Task{ID: 2, Subject: "b", CreatedAt: at(2), Blocks: ids(1), BlockedBy: ids(1)})
	base.Tasks[1] = taskjson.Encode(&pawl.Task{ID: 1, Subject: "a", CreatedAt: at(1), Blocks: ids(2), BlockedBy: ids(2)})
	o, th = board(), board(pawl.Task{ID: 4, Subject: "d"})
	for id, text := range base.Tasks {
		o.Tasks[id], th.Tasks[id] = text, text
	}
	delete(o.Tasks, 3)
	_, r, _ = bothWays(t, []Board{base}, o, th)
	want(t, "cut", len(r.Cut), 0)
}

// Rule 4. An open child reopens its completed parents; work in progress goes on.
func TestOpenChildReopensItsParents(t *testing.T) {
	family := func(parent, grand pawl.Status, child ...pawl.Task) Board {
		return board(append(child, pawl.Task{ID: 1, Subject: "grand", Status: grand}, pawl.Task{ID: 2, Subject: "parent", Parent: 1, Status: parent})...)
	}
	base := family(pawl.Pending, pawl.Pending)
	o := family(pawl.Completed, pawl.Completed)
	th := family(pawl.Pending, pawl.Pending, pawl.Task{ID: 3, Subject: "child", Parent: 2})
	tasks, r, _ := bothWays(t, []Board{base}, o, th)
	want(t, "states", []pawl.Status{tasks[1].Status, tasks[2].Status}, []pawl.Status{pawl.Pending, pawl.Pending})
	want(t, "reopened", r.Reopened, []Named{{1, "grand"}, {2, "parent"}})

	// Who completed it in spite of its child meant it.
	forced := family(pawl.Completed, pawl.Completed, pawl.Task{ID: 3, Subject: "child", Parent: 2})
	tasks, r, _ = bothWays(t, []Board{base}, forced, family(pawl.Pending, pawl.Pending, pawl.Task{ID: 4, Subject: "other"}))
	want(t, "state", tasks[2].Status, pawl.Completed)
	want(t, "reopened", len(r.Reopened), 0)
}

func TestWorkInProgressGoesOn(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b"})
	o := board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: "b", Status: pawl.InProgress, Owner: "ann", StartedAt: at(5)})
	th := board(pawl.Task{ID: 1, Subject: "a", Blocks: ids(2)}, pawl.Task{ID: 2, Subject: "b", BlockedBy: ids(1)})
	tasks, r, _ := bothWays(t, []Board{base}, o, th)
	want(t, "state", tasks[2].Status, pawl.InProgress)
	want(t, "waits for", tasks[2].BlockedBy, ids(1))
	want(t, "report", r.Waiting, []Edge{{Task: 2, For: 1}})
}

// Rule 5. One identity and two subjects, new on both sides, are two tasks; and what
// both imported is one.
func TestTwoTasksOfOneIdentity(t *testing.T) {
	o, th := board(pawl.Task{ID: 7, Subject: "ours"}), board(pawl.Task{ID: 7, Subject: "theirs"})
	tasks, _, m := bothWays(t, []Board{board()}, o, th)
	want(t, "tasks", []string{tasks[7].Subject + " " + tasks[8].Subject}, []string{"theirs ours"})
	want(t, "was", tasks[8].Was, ids(7))
	// They are told apart from then on, on branches that know only one.
	next := board(pawl.Task{ID: 7, Subject: "theirs", Status: pawl.Completed})
	tasks, _, _ = bothWays(t, []Board{th}, m, next)
	want(t, "states", []pawl.Status{tasks[7].Status, tasks[8].Status}, []pawl.Status{pawl.Completed, pawl.Pending})
}

// The elder of two tasks of one identity is the same one for both sides, though one of
// them has two names.
func TestTwoNamesOfOneIdentity(t *testing.T) {
	task := func(id pawl.ID, subject, description string, was ...pawl.ID) pawl.Task {
		return pawl.Task{ID: id, Subject: subject, Description: description, Was: was, CreatedAt: at(1)}
	}
	names := []string{"Cart", "Login", "Search"}
	for i, a := range names {
		b, c := names[(i+1)%3], names[(i+2)%3]
		bothWays(t, nil, board(task(4, a, "d", 2)), board(task(2, b, "d"), task(4, c, "", 2)))
		bothWays(t, nil, board(task(4, b, "d", 2)), board(task(2, a, "d"), task(4, c, "", 2)))
	}
}

func TestImportedTaskIsOne(t *testing.T) {
	ref := map[string]json.RawMessage{"ref": json.RawMessage(`"github:acme/shop#55"`)}
	o := board(pawl.Task{ID: 5, Subject: "Crash", CreatedAt: at(1), Metadata: ref}, pawl.Task{ID: 6, Subject: "Waits", BlockedBy: ids(5)})
	th := board(pawl.Task{ID: 9, Subject: "Crash on start", CreatedAt: at(1), Metadata: ref, Labels: []string{"bug"}})
	tasks, r, m := bothWays(t, []Board{board()}, o, th)
	want(t, "tasks", len(tasks), 2)
	want(t, "subject and labels", fmt.Sprint(tasks[5].Subject, tasks[5].Labels), "Crash on start[bug]")
	want(t, "was", tasks[5].Was, ids(5, 9))
	want(t, "edges", fmt.Sprint(tasks[5].Blocks, tasks[6].BlockedBy), "[#6] [#5]")
	want(t, "noted", len(r.Noted), 1)
	// The other clone's branch knows it as #9 still.
	late := board(pawl.Task{ID: 9, Subject: "Crash on start", CreatedAt: at(1), Metadata: ref, Labels: []string{"bug"}, Status: pawl.Completed})
	tasks, _, _ = bothWays(t, []Board{th}, m, late)
	want(t, "later", fmt.Sprint(len(tasks), tasks[5].Status), "2completed")
	// A ref that several tasks of a board have names none of them.
	o = board(pawl.Task{ID: 5, Subject: "a", CreatedAt: at(1), Metadata: ref}, pawl.Task{ID: 6, Subject: "b", CreatedAt: at(1), Metadata: ref})
	tasks, _, _ = bothWays(t, []Board{board()}, o, board(pawl.Task{ID: 9, Subject: "c", CreatedAt: at(2), Metadata: ref}))
	want(t, "tasks", len(tasks), 3)
}

// Rule 6. Notes are a multiset, and texts are compared with identities in them.
func TestNotesAndMentions(t *testing.T) {
	twice := []pawl.Note{{At: at(1), Text: "+1"}, {At: at(1), Text: "+1"}}
	base := board(pawl.Task{ID: 1, Subject: "a", Notes: twice[:1]})
	o := board(pawl.Task{ID: 1, Subject: "a", Notes: twice}, pawl.Task{ID: 2, Subject: "ours", CreatedAt: at(9)})
	o.Tasks[1] = taskjson.Encode(&pawl.Task{ID: 1, Subject: "a", CreatedAt: at(1), Notes: append(twice[:2:2], pawl.Note{At: at(3), By: "ann", Text: "see #2"})})
	th := board(pawl.Task{ID: 1, Subject: "a", Notes: append(twice[:1:1], pawl.Note{At: at(2), By: "bob", Text: "see #2"})}, pawl.Task{ID: 2, Subject: "theirs"})
	tasks, _, m := bothWays(t, []Board{base}, o, th)
	want(t, "notes", tasks[1].Notes, []pawl.Note{twice[0], twice[1], {At: at(2), By: "bob", Text: "see #2"}, {At: at(3), By: "ann", Text: "see #3"}})
	// The side that moved, merged again, brings neither note nor text back.
	late := open(o)
	late.tasks[1].Subject = "b"
	tasks, _, _ = bothWays(t, []Board{o}, m, late.close())
	want(t, "later", fmt.Sprint(tasks[1].Subject, len(tasks[1].Notes), tasks[1].Notes[3].Text), "b4see #3")
}

// Rule 7. A reopening stands against an edit of the owner.
func TestReopeningStands(t *testing.T) {
	done := pawl.Task{ID: 1, Subject: "a", Status: pawl.Completed, Owner: "ann", StartedAt: at(2), CompletedAt: at(3)}
	base, th := board(done), done
	th.Owner = "bob"
	tasks, _, _ := bothWays(t, []Board{base}, board(pawl.Task{ID: 1, Subject: "a"}), board(th))
	want(t, "task", fmt.Sprint(tasks[1].Status, tasks[1].Owner, tasks[1].CompletedAt.IsZero()), "pendingtrue")
}

func TestWhoIsFurther(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"})
	began := func(who string, minute int) Board {
		return board(pawl.Task{ID: 1, Subject: "a", Status: pawl.InProgress, Owner: who, StartedAt: at(minute)})
	}
	tasks, r, _ := bothWays(t, []Board{base}, began("ann", 9), began("bob", 7))
	want(t, "owner", tasks[1].Owner, "bob")
	want(t, "both", r.Both, []Both{{Named{1, "a"}, "ann", "bob"}})
	done := board(pawl.Task{ID: 1, Subject: "a", Status: pawl.Completed, Owner: "ann", StartedAt: at(9), CompletedAt: at(10)})
	tasks, r, _ = bothWays(t, []Board{base}, done, began("bob", 7))
	want(t, "owner", fmt.Sprint(tasks[1].Owner, tasks[1].Status, len(r.Both)), "anncompleted1")
}

// Rule 8. Who merged with whom first does not matter to what stands.
func TestOrderOfMerges(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"})
	o := board(pawl.Task{ID: 1, Subject: "of ours", UpdatedAt: at(5)})
	th := board(pawl.Task{ID: 1, Subject: "a", UpdatedAt: at(9), Priority: pawl.High})
	u := board(pawl.Task{ID: 1, Subject: "of a third", UpdatedAt: at(7)})
	_, _, ot := bothWays(t, []Board{base}, o, th)
	_, _, tu := bothWays(t, []Board{base}, th, u)
	_, _, left := bothWays(t, []Board{base}, ot, u)
	_, _, right := bothWays(t, []Board{base}, o, tu)
	a, b := open(left).tasks[1], open(right).tasks[1]
	want(t, "subject", a.Subject, b.Subject)
	want(t, "all", fmt.Sprint(a.Priority, len(a.Notes)), "high 1")
}

// Rule 9. Several bases are one: what both sides have from them is no change.
func TestSeveralBases(t *testing.T) {
	one := board(pawl.Task{ID: 1, Subject: "a", Labels: []string{"x"}})
	two := board(pawl.Task{ID: 1, Subject: "a", Labels: []string{"y"}}, pawl.Task{ID: 2, Subject: "b"})
	o := board(pawl.Task{ID: 1, Subject: "a", Labels: []string{"y"}}, pawl.Task{ID: 2, Subject: "b"}) // took x away
	th := board(pawl.Task{ID: 1, Subject: "a", Labels: []string{"x", "y"}})                           // deleted #2
	for _, bases := range [][]Board{{one, two}, {two, one}} {
		tasks, _, _ := bothWays(t, bases, o, th)
		want(t, "tasks", fmt.Sprint(len(tasks), tasks[1].Labels), "1 [y]")
	}
}

// Rule 10. What is too much is kept beside, and nothing is refused.
func TestLimitsRefuseNothing(t *testing.T) {
	notes := func(who string, n, size int) pawl.Task {
		task := pawl.Task{ID: 1, Subject: "a"}
		for i := range n {
			task.Notes = append(task.Notes, pawl.Note{At: at(i), By: who, Text: strings.Repeat(who, size)})
		}
		return task
	}
	tasks, r, _ := bothWays(t, []Board{board(pawl.Task{ID: 1, Subject: "a"})}, board(notes("o", 700, 2)), board(notes("t", 800, 2)))
	want(t, "notes and beside", fmt.Sprint(len(tasks[1].Notes), len(r.Beside)), fmt.Sprint(pawl.MaxNotes, 500))

	o, th := board(notes("o", 60, 15_000)), board(notes("t", 60, 15_000))
	tasks, r, m := bothWays(t, []Board{board(pawl.Task{ID: 1, Subject: "a"})}, o, th)
	if n := len(m.Tasks[1]); n > pawl.MaxTask-pawl.MaxState || len(tasks[1].Notes)+len(r.Beside) != 120 || n < 900_000 {
		t.Errorf("%d bytes, %d notes, %d beside", n, len(tasks[1].Notes), len(r.Beside))
	}

	labels := func(side string) Board {
		task := pawl.Task{ID: 1, Subject: "a"}
		for i := range 40 {
			task.Labels = append(task.Labels, fmt.Sprint(side, i))
		}
		return board(task)
	}
	tasks, r, _ = bothWays(t, nil, labels("o"), labels("t"))
	want(t, "labels and beside", fmt.Sprint(len(tasks[1].Labels), len(r.Beside)), "50 1")

	waits := func(from pawl.ID) Board {
		hub := pawl.Task{ID: 1, Subject: "hub"}
		var all []pawl.Task
		for id := from; id < from+600; id++ {
			hub.Blocks = append(hub.Blocks, id)
			all = append(all, pawl.Task{ID: id, Subject: "w", BlockedBy: ids(1), CreatedAt: at(int(id))})
		}
		return board(append(all, hub)...)
	}
	tasks, r, _ = bothWays(t, nil, waits(10), waits(1000))
	want(t, "edges and beside", fmt.Sprint(len(tasks[1].Blocks), len(r.Beside)), fmt.Sprint(pawl.MaxEdges, 200))
	if last := tasks[1599]; len(last.BlockedBy) > 0 {
		t.Errorf("the youngest edge stays: %v", last.BlockedBy)
	}

	huge := pawl.Task{ID: 1, Subject: "a", Description: strings.Repeat("d", pawl.MaxTask-3000)}
	other := huge
	other.Subject, other.Description = "b", strings.Repeat("e", pawl.MaxTask-3000)
	_, r, m = bothWays(t, []Board{board(pawl.Task{ID: 1, Subject: "c"})}, board(huge), board(other))
	if len(m.Tasks[1]) > pawl.MaxTask || len(r.Beside) == 0 {
		t.Errorf("%d bytes, %+v", len(m.Tasks[1]), r.Beside)
	}
}

// Rule 11. Clones that have not met may number alike tasks differently, and agree
// when they have.
func TestNumbersAgreeAfterMeeting(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a"})
	with := func(subject string, minute int) Board {
		return board(pawl.Task{ID: 1, Subject: "a"}, pawl.Task{ID: 2, Subject: subject, CreatedAt: at(minute)})
	}
	o, th, u := with("o", 30), with("t", 20), with("u", 10)
	_, _, ot := bothWays(t, []Board{base}, o, th)
	_, _, ou := bothWays(t, []Board{base}, o, u)
	_, _, left := bothWays(t, []Board{base}, ot, u)
	_, _, right := bothWays(t, []Board{base}, ou, th)
	all, _, _ := bothWays(t, []Board{o, u, th}, left, right)
	want(t, "tasks", fmt.Sprint(len(all), all[2].Subject), "4u")
	got := []string{}
	for _, task := range all {
		got = append(got, task.Subject)
	}
	slices.Sort(got)
	want(t, "subjects", got, []string{"a", "o", "t", "u"})
}

// A task that moves again and again stays the same task, to branches too that know
// its first number only.
func TestMovedAgainAndAgain(t *testing.T) {
	first := board(pawl.Task{ID: 1, Subject: "wanderer", CreatedAt: at(59)})
	b := first
	for i := range pawl.ID(20) {
		id := open(b).ids()[0]
		for n, task := range open(b).tasks {
			if task.Subject == "wanderer" {
				id = n
			}
		}
		rival := board(pawl.Task{ID: id, Subject: fmt.Sprint("rival", i), CreatedAt: at(int(i))})
		_, _, b = bothWays(t, []Board{board()}, b, rival)
	}
	last := open(b).tasks[21]
	want(t, "was", fmt.Sprint(last.Subject, len(last.Was), last.Was[0], last.Was[15]), fmt.Sprint("wanderer", pawl.MaxWas, " #1 #20"))
	old := board(pawl.Task{ID: 1, Subject: "wanderer", CreatedAt: at(59), Status: pawl.Completed})
	tasks, _, _ := bothWays(t, []Board{first}, b, old)
	want(t, "tasks", fmt.Sprint(len(tasks), tasks[21].Status), "21completed")
}

// Without a base, as in a shallow clone, nothing is deleted, and a task that both
// sides have is one.
func TestWithoutBase(t *testing.T) {
	o := board(pawl.Task{ID: 1, Subject: "a", Labels: []string{"x"}}, pawl.Task{ID: 2, Subject: "b"})
	th := board(pawl.Task{ID: 1, Subject: "a", Status: pawl.Completed}, pawl.Task{ID: 3, Subject: "c"})
	tasks, r, _ := bothWays(t, nil, o, th)
	want(t, "tasks", fmt.Sprint(len(tasks), tasks[1].Status, tasks[1].Labels, len(r.Kept)), "3completed[x] 0")
}

// The layout of a file, and what its program wrote into it, stay.
func TestLayoutStays(t *testing.T) {
	text := func(subject, more string) Board {
		return Board{Tasks: map[pawl.ID][]byte{1: []byte("{\r\n\t\"subject\": \"" + subject + "\",\r\n\t\"id\": \"1\"" + more + "\r\n}")}}
	}
	_, _, m := bothWays(t, []Board{text("a", "")}, text("b", ""), text("a", ",\r\n\t\"x\": [1,  2]"))
	got := string(m.Tasks[1])
	if !strings.Contains(got, "\r\n\t\"subject\": \"b\",\r\n\t\"id\": \"1\"") || !strings.Contains(got, `"x": [1,`) {
		t.Errorf("%q", got)
	}
}
