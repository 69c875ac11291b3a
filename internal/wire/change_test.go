package wire

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestChangeLine tells the life of a board: each op, and the line about it.
func TestChangeLine(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	board := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return at })))
	ada := pawl.Actor{Name: "ada", Session: "s1"}
	bob := pawl.Actor{Name: "bob", Session: "s2", Agent: "explore"}
	text := func(s string) *string { return &s }
	high, three := pawl.High, pawl.ID(3)
	after := pawl.RefName
	var stream strings.Builder
	last := pawl.Revision(0)
	for _, c := range []struct {
		by   pawl.Actor
		op   pawl.Op
		wait time.Duration
		want string
	}{
		{by: ada, op: pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "Set up"}, {Subject: "Parse", BlockedBy: []pawl.Ref{after("a")}}}},
			want: "ada added #1 Set up, #2 Parse"},
		{by: ada, op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "c"}, {Subject: "d"}, {Subject: "e"}, {Subject: "f"}, {Subject: "g"}}},
			want: "ada added #3 c, #4 d, #5 e, and 2 more"},
		{by: ada, op: pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}, want: "ada claimed #1 Set up"},
		{by: ada, op: pawl.Renew{}, wait: time.Second, want: "ada renewed the lease of #1 Set up"},
		{by: bob, op: pawl.AddNote{ID: 2, Text: "first\n\x1b[31msecond"}, want: "bob (explore) noted on #2 Parse: first"},
		{by: ada, op: pawl.Complete{IDs: []pawl.ID{1}}, want: "ada completed #1 Set up; ready now: #2 Parse"},
		{by: ada, op: pawl.Reopen{IDs: []pawl.ID{1}}, want: "ada reopened #1 Set up"},
		{by: ada, op: pawl.Update{ID: 2, Subject: text("Parse\u200b it"), Priority: &high, Parent: &three, Description: text("x")},
			want: `ada updated #2 Parse\u200b it (was called Parse, description, priority medium → high, parent #3)`},
		{by: ada, op: pawl.Update{ID: 2, RemoveBlockedBy: []pawl.ID{1}, Parent: new(pawl.ID)},
			want: `ada updated #2 Parse\u200b it (no longer waits for #1, no parent); ready now: #3 c`},
		{by: ada, op: pawl.Update{ID: 4, AddBlocks: []pawl.ID{3}}, want: "ada updated #3 c (waits for #4)"},
		{by: bob, op: pawl.ClaimTask{ID: 4, Lease: pawl.Duration(time.Minute)}, want: "bob (explore) claimed #4 d"},
		{by: ada, op: pawl.AddNote{ID: 3, Text: "x"}, wait: time.Hour, want: "pawl took back #4 d from bob, whose lease ran out"},
		{by: ada, op: pawl.PutHold{IDs: []pawl.ID{4}, Reason: "key missing"}, want: "ada put #4 d on hold: key missing"},
		{by: ada, op: pawl.LiftHold{IDs: []pawl.ID{4}}, want: "ada lifted the hold on #4 d"},
		{by: ada, op: pawl.Assign{IDs: []pawl.ID{4}, Owner: "bob"}, want: "ada assigned #4 d to bob"},
		{by: ada, op: pawl.Assign{IDs: []pawl.ID{4}}, want: "ada unassigned #4 d"},
		{by: ada, op: pawl.Start{IDs: []pawl.ID{4, 5}}, want: "ada started #4 d, #5 e"},
		{by: bob, op: pawl.ClaimTask{ID: 4, Force: true, Lease: pawl.Duration(time.Minute)}, want: "bob (explore) claimed #4 d from ada"},
		{by: bob, op: pawl.PutHold{IDs: []pawl.ID{4}, Reason: "late"}, want: "bob (explore) put #4 d on hold: late"},
		{by: ada, op: pawl.Start{IDs: []pawl.ID{4}, Force: true}, want: "ada started #4 d from bob and lifted its hold: late"},
		{by: ada, op: pawl.Release{IDs: []pawl.ID{4}, Hold: "tired"}, want: "ada released #4 d and put it on hold: tired"},
		{by: ada, op: pawl.Delete{IDs: []pawl.ID{4}}, want: "ada removed #4 d; ready now: #3 c"},
		{by: ada, op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "from afar"}}}}, want: "ada imported: added #8 from afar"},
	} {
		at = at.Add(c.wait)
		if _, err := board.Do(context.Background(), pawl.Request{By: c.by, Op: c.op}); err != nil {
			t.Fatalf("%s: %v", c.want, err)
		}
		got := ""
		for set, err := range board.Changes(context.Background(), pawl.Span{After: last}) {
			if err != nil {
				t.Fatal(err)
			}
			last = set.Revision
			names := namesOf(t, board, query.HistoryQuery{At: set.Revision})
			if got == "" {
				got = show.Telling{Names: names}.Line(&set)
			}
			if query.Renewal(&set) != (set.Verb == "renew") {
				t.Errorf("%s: renewal %v", got, query.Renewal(&set))
			}
			must.Do(t, WriteJSON(&stream, NewChangeSet(&set, names, 0)))
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if _, err := board.Undo(context.Background(), ada, last); err != nil {
		t.Fatal(err)
	}
	for set := range board.Changes(context.Background(), pawl.Span{After: last}) {
		if got := (show.Telling{Names: query.Subjects{8: "from afar"}}).Line(&set); got != "ada undid @24: removed #8 from afar" {
			t.Error(got)
		}
	}
	sample.Golden(t, "changes.jsonl", stream.String())
}

// TestOddSets holds the line to sets that no op of today makes.
func TestOddSets(t *testing.T) {
	task := func(id pawl.ID, status pawl.Status) *pawl.Task { return &pawl.Task{ID: id, Status: status} }
	edit := pawl.Change{ID: 1, Fields: []pawl.Field{pawl.FieldStatus}, Before: task(1, pawl.Pending), After: task(1, pawl.Completed)}
	made := pawl.Change{ID: 2, After: task(2, pawl.Pending)}
	gone := pawl.Change{ID: 3, Before: task(3, pawl.Pending)}
	external := pawl.Actor{Name: pawl.ExternalName}
	for _, c := range []struct {
		set  pawl.ChangeSet
		want string
	}{
		{pawl.ChangeSet{By: external, Verb: pawl.ExternalName, Changes: []pawl.Change{edit, made, gone}, Ready: []pawl.ID{2, 4}},
			"external added #2, edited #1 (status pending → completed), removed #3; ready now: #4 d"},
		{pawl.ChangeSet{By: external, Verb: pawl.ExternalName, Bulk: true, Changes: make([]pawl.Change, 240)}, "external changed 240 tasks"},
		{pawl.ChangeSet{By: pawl.Actor{Name: "ada"}, Verb: "complete"}, "ada asked for complete, which changed nothing"},
		{pawl.ChangeSet{Verb: "fold\x1b", Changes: []pawl.Change{edit}}, `somebody fold\x1b #1`},
		{pawl.ChangeSet{By: pawl.Actor{Name: "a\nb"}, Verb: "assign", Changes: []pawl.Change{made}}, `a\nb assigned #2`},
	} {
		if got := (show.Telling{Names: query.Subjects{4: "d"}}).Line(&c.set); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestTelling shortens what tasks and people are called, and nothing else, and
// names first what was asked about.
func TestTelling(t *testing.T) {
	set := pawl.ChangeSet{By: pawl.Actor{Name: strings.Repeat("ada", 10)}, Verb: "create", Ready: []pawl.ID{7}}
	for id := range pawl.ID(6) {
		set.Changes = append(set.Changes, pawl.Change{ID: id + 1, After: &pawl.Task{ID: id + 1, Subject: strings.Repeat("word ", 20)}})
	}
	if got, want := (show.Telling{Asked: 6, Most: 7, Few: true}).Line(&set), "adaada… added #6 word w…, and 5 more; ready now: #7"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want := "adaada… added #6 word w…, #1 word w…, #2 word w…, and 3 more; ready now: #7"
	if got := (show.Telling{Asked: 6, Most: 7}).Line(&set); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRenamed tells of a task under the name that it had then, in whatever order
// its sets come.
func TestRenamed(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	by := pawl.Actor{Name: "ada"}
	board.Do(context.Background(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
	for _, name := range []string{"two", "three"} {
		board.Do(context.Background(), pawl.Request{By: by, Op: pawl.Update{ID: 1, Subject: &name}})
	}
	board.Do(context.Background(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{1}}})
	for _, backward := range []bool{false, true} {
		h, err := query.Of(t.Context(), query.Local(board), query.Asker{}, query.HistoryQuery{Forward: !backward, Limit: 10})
		if err != nil || len(h.Sets) != 4 {
			t.Fatal(h, err)
		}
		for i := range h.Sets {
			want := []string{"ada added #1 one", "ada updated #1 two (was called one)", "ada updated #1 three (was called two)", "ada completed #1 three"}[h.Sets[i].Revision-1]
			if got := (show.Telling{Names: h.Names}).Line(&h.Sets[i]); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

func namesOf(t *testing.T, board *pawl.Board, q query.HistoryQuery) query.Subjects {
	t.Helper()
	h := must.Get(query.Of(t.Context(), query.Local(board), query.Asker{}, q))(t)
	return h.Names
}

// A person is told what an undo took back, not under which number that stands.
func TestUndid(t *testing.T) {
	ada, bob := pawl.Actor{Name: "ada"}, pawl.Actor{Name: "bob"}
	change := func(from, to pawl.Status) []pawl.Change {
		return []pawl.Change{{ID: 1, Fields: []pawl.Field{pawl.FieldStatus}, Before: &pawl.Task{Status: from}, After: &pawl.Task{Status: to}}}
	}
	done := pawl.ChangeSet{Revision: 7, By: ada, Verb: "complete", Changes: change(pawl.InProgress, pawl.Completed), Ready: []pawl.ID{2}}
	theirs := done
	theirs.By = bob
	undo := pawl.ChangeSet{Revision: 8, By: ada, Verb: "undo", Undoes: 7, Changes: change(pawl.Completed, pawl.InProgress), Ready: []pawl.ID{3}}
	for _, c := range []struct {
		undid *query.Undid
		want  string
	}{
		{&query.Undid{Set: &done}, "ada undid: completed #1 Set up; ready now: #3"},
		{&query.Undid{Set: &theirs}, "ada undid what bob did: completed #1 Set up; ready now: #3"},
		{&query.Undid{Set: &done, Again: true}, "ada redid: completed #1 Set up; ready now: #3"},
		{nil, "ada undid an earlier change: edited #1 Set up (status completed → in progress); ready now: #3"},
	} {
		if got := (show.Telling{Names: query.Subjects{1: "Set up"}, Words: true, Undid: c.undid}).Line(&undo); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
