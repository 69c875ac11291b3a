package query_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// Each news says what its tasks are called and what an undo took back, over a
// wire too, and reads the board only for tasks that it has not met yet.
func TestNewsNames(t *testing.T) {
	store := &querytest.Counted{Store: memory.New()}
	board := querytest.Loop(query.Local(pawl.NewBoard(store)))
	do := func(op pawl.Op) (at pawl.Revision) {
		t.Helper()
		o, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}, 0)
		must.Do(t, err)
		return o.Result.Revision
	}
	subject := func(text string) *string { return &text }
	do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two", BlockedBy: []pawl.Ref{pawl.RefID(1)}}, {Subject: "Three"}}})
	begin := do(pawl.Update{ID: 3, Subject: subject("Drei")})

	complete := do(pawl.Complete{IDs: []pawl.ID{1}})
	undone := do(pawl.Undo{Revision: complete})
	do(pawl.Undo{Revision: undone})
	rename := do(pawl.Update{ID: 2, Subject: subject("Zwei")})
	do(pawl.AddNote{ID: 2, Text: "a word"})
	do(pawl.Undo{Revision: rename})
	do(pawl.AddNote{ID: 2, Text: "another word"})
	do(pawl.AddNote{ID: 3, Text: "a word"})
	last := do(pawl.Delete{IDs: []pawl.ID{1}})

	type told struct {
		Names    query.Subjects
		Undid    pawl.Revision
		Again    bool
		Accesses int
	}
	want := []told{
		{query.Subjects{1: "One", 2: "Two"}, 0, false, 1}, // as the board has them now, but for the one that is deleted
		{query.Subjects{1: "One", 2: "Two"}, complete, false, 0},
		{query.Subjects{1: "One", 2: "Two"}, complete, true, 0},
		{query.Subjects{2: "Zwei"}, 0, false, 0},
		{query.Subjects{2: "Zwei"}, 0, false, 0},
		{query.Subjects{2: "Two"}, rename, false, 0},
		{query.Subjects{2: "Two"}, 0, false, 0},
		{query.Subjects{3: "Drei"}, 0, false, 1},
		{query.Subjects{1: "One"}, 0, false, 0},
	}
	for _, from := range []query.From{{Names: true}, {After: begin}, {After: begin, Names: true}} {
		got := []told{}
		store.N = 0
		for news, err := range board.Watch(t.Context(), query.Asker{}, from) {
			must.Do(t, err)
			if news.Set != nil && news.Revision > begin {
				one := told{Names: news.Names, Accesses: store.N}
				if news.Undid != nil {
					one.Undid, one.Again = news.Undid.Set.Revision, news.Undid.Again
				}
				got = append(got, one)
			}
			if store.N = 0; news.Set != nil && news.Revision == last {
				break
			}
		}
		want := append([]told{}, want...)
		switch {
		case !from.Names:
			for i := range want {
				want[i] = told{}
			}
		case from.After == 0:
			for i := range want {
				want[i].Accesses = 0 // they were met when they were made
			}
		default:
			delete(want[0].Names, 1)
			delete(want[1].Names, 1)
			delete(want[2].Names, 1)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", from, diff)
		}
	}
}
