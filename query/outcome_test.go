package query_test

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// What an outcome tells of new tasks: which were there already, and how much they
// unblock. A try tells the same.
func TestOutcomeOfNewTasks(t *testing.T) {
	board := querytest.Loop(query.Local(pawl.NewBoard(memory.New())))
	me := pawl.Actor{Name: "ada"}
	create := func(tasks ...pawl.NewTask) pawl.Request { return pawl.Request{By: me, Op: pawl.Create{Tasks: tasks}} }
	must.Do(t, errOf(board.Do(t.Context(), create(pawl.NewTask{Subject: "One"}, pawl.NewTask{Subject: "Two"}), 0)))
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{2}}}, 0)))
	again := create(pawl.NewTask{Ref: "a", Subject: "One"}, pawl.NewTask{Subject: "Two", BlockedBy: []pawl.Ref{pawl.RefName("a")}})
	const want = query.WantTwins | query.WantUnblocks
	tried, err := board.Try(t.Context(), want, again)
	must.Do(t, err)
	done, err := board.Do(t.Context(), again, want)
	must.Do(t, err)
	for _, o := range []query.Outcome{tried[0], done} {
		if !slices.Equal(o.Twins, []pawl.ID{1}) || len(o.Unblocks) != 1 || o.Unblocks[3] != 1 {
			t.Errorf("twins %v, unblocks %v", o.Twins, o.Unblocks)
		}
	}
	refused, err := board.Do(t.Context(), create(pawl.NewTask{Subject: " "}), want)
	if err == nil || refused.Twins != nil {
		t.Errorf("refused: %+v, %v", refused, err)
	}
}

// Of one of several requests an outcome has its tasks twice: as it left them, and
// as the last one did.
func TestOutcomeOfSeveral(t *testing.T) {
	board := querytest.Loop(query.Local(pawl.NewBoard(memory.New())))
	me := pawl.Actor{Name: "ada"}
	outcomes, err := board.DoAll(t.Context(), query.WantTasks,
		pawl.Request{By: me, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}}}},
		pawl.Request{By: me, Op: pawl.Complete{IDs: []pawl.ID{1}}},
		pawl.Request{By: me, Op: pawl.Delete{IDs: []pawl.ID{2}}})
	must.Do(t, err)
	first := outcomes[0]
	if len(first.Left) != 1 || first.Left[0].Status != pawl.Completed || first.Result.Tasks[0].Status != pawl.Pending {
		t.Errorf("left %+v", first.Left)
	}
	one, err := board.Do(t.Context(), pawl.Request{By: me, Op: pawl.Reopen{IDs: []pawl.ID{1}}}, query.WantTasks)
	if err != nil || one.Left != nil {
		t.Errorf("a request alone leaves %+v, %v", one.Left, err)
	}
}

// An undo tells what it took back, by the names of then, and for that reads the
// board once.
func TestOutcomeOfUndo(t *testing.T) {
	store := &querytest.Counted{Store: memory.New()}
	board := querytest.Loop(query.Local(pawl.NewBoard(store)))
	me := pawl.Actor{Name: "ada"}
	var revisions []pawl.Revision
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "One"}, {Subject: "Two", BlockedBy: []pawl.Ref{pawl.RefName("a")}}}},
		pawl.AddNote{ID: 2, Text: "hm"},
		pawl.Update{ID: 2, Subject: new("Zwei")},
		pawl.Complete{IDs: []pawl.ID{1}},
	} {
		o, err := board.Do(t.Context(), pawl.Request{By: me, Op: op}, 0)
		must.Do(t, err)
		revisions = append(revisions, o.Result.Revision)
	}
	undo := func(try bool, revs ...pawl.Revision) []query.Outcome {
		t.Helper()
		var requests []pawl.Request
		for _, rev := range revs {
			requests = append(requests, pawl.Request{By: me, Op: pawl.Undo{Revision: rev}})
		}
		do := board.DoAll
		if try {
			do = board.Try
		}
		store.N = 0
		outcomes, err := do(t.Context(), query.WantUndid, requests...)
		if err != nil || store.N != 1 {
			t.Fatalf("%d accesses, %v", store.N, err)
		}
		return outcomes
	}
	for _, try := range []bool{true, false} {
		done := undo(try, 0)[0].Undid
		if done == nil || done.Set.Revision != revisions[3] || done.Names[1] != "One" || done.Names[2] != "Zwei" {
			t.Errorf("completed: %+v", done)
		}
	}
	both := undo(false, revisions[2], revisions[1])
	if names := both[0].Undid.Names; names[2] != "Zwei" {
		t.Errorf("renamed: %v", names)
	}
	if names := both[1].Undid.Names; names[2] != "Zwei" { // as it was called before both
		t.Errorf("noted: %v", names)
	}
	if made := undo(false, revisions[0])[0].Undid; made.Set.Revision != revisions[0] || made.Names[1] != "One" {
		t.Errorf("made: %+v", made)
	}
	page, err := query.Of(t.Context(), board, query.Asker{}, query.HistoryQuery{Limit: 1})
	must.Do(t, err)
	if back := undo(false, page.Sets[0].Revision)[0].Undid; back.Undid == nil || back.Undid.Set.Revision != revisions[0] || back.Names[1] != "One" {
		t.Errorf("brought back: %+v", back)
	}
}
