package query_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// read is a store that keeps which change sets it gave.
type read struct {
	pawl.Store
	sets []pawl.Revision
}

func (s *read) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		for set, err := range s.Store.Changes(ctx, span) {
			s.sets = append(s.sets, set.Revision)
			if !yield(set, err) {
				return
			}
		}
	}
}

// Read page by page, history is what it is on one page: an undo that is newer
// than a page marks what it took back there. What is newer is not read again
// for it, but for the undos.
func TestHistoryByPages(t *testing.T) {
	store := &read{Store: memory.New()}
	local := pawl.NewBoard(store)
	board := querytest.Loop(query.Local(local))
	do := func(op pawl.Op) pawl.Revision {
		t.Helper()
		o, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}, 0)
		must.Do(t, err)
		return o.Result.Revision
	}
	do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}}})
	for range 5 {
		do(pawl.Complete{IDs: []pawl.ID{1}})
		do(pawl.AddNote{ID: 2, Text: "a word"})
		do(pawl.Reopen{IDs: []pawl.ID{1}})
	}
	held := do(pawl.PutHold{IDs: []pawl.ID{2}, Reason: "later"})
	lifted := do(pawl.Undo{Revision: held})
	again := do(pawl.Undo{Revision: lifted}) // so that held is in effect
	note := do(pawl.AddNote{ID: 1, Text: "the last one"})
	unsaid := do(pawl.Undo{Revision: note})
	for range 20 {
		do(pawl.AddNote{ID: 2, Text: "another word"})
	}

	for _, task := range []pawl.ID{0, 1, 2} {
		whole, err := query.Of(t.Context(), board, query.Asker{}, query.HistoryQuery{Task: task, Limit: 100})
		must.Do(t, err)
		if task == 0 && !cmp.Equal(whole.Undone, []pawl.Revision{note, lifted}) {
			t.Errorf("undone are %v, want %d and %d", whole.Undone, note, lifted)
		}
		for limit := 1; limit < 8; limit++ {
			var all query.History
			for before := pawl.Revision(0); ; {
				store.sets = nil
				page, err := query.Of(t.Context(), board, query.Asker{}, query.HistoryQuery{Task: task, Limit: limit, Before: before})
				must.Do(t, err)
				newer := 0
				for _, rev := range store.sets {
					if before != 0 && rev >= before && !slices.Contains([]pawl.Revision{lifted, again, unsaid}, rev) {
						newer++
					}
				}
				if newer > 0 {
					t.Errorf("before %d, %d newer sets were read that are no undos", before, newer)
				}
				all.Sets, all.Undone = append(all.Sets, page.Sets...), append(all.Undone, page.Undone...)
				if !page.More {
					break
				}
				before = page.Sets[len(page.Sets)-1].Revision
			}
			if diff := cmp.Diff(whole.Sets, all.Sets, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("task %d, %d a page (-whole +pages):\n%s", task, limit, diff)
			}
			if diff := cmp.Diff(whole.Undone, all.Undone, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("task %d, %d a page, undone (-whole +pages):\n%s", task, limit, diff)
			}
		}
	}
}

// Read forward, in pages or not, history is the same, with the same marks: also
// of what was taken back after a page.
func TestHistoryForward(t *testing.T) {
	undone := 0
	for seed := range uint64(long.Of(20)) {
		w := randomly(t, seed)
		rng := rand.New(rand.NewPCG(seed, 3))
		for range 15 { // undos of undos too
			w.try([]pawl.Actor{ada, bob}[rng.IntN(2)], pawl.Undo{Revision: pawl.Revision(1 + rng.IntN(60))})
			w.try([]pawl.Actor{ada, bob}[rng.IntN(2)], pawl.Undo{})
		}
		board := querytest.Loop(query.Local(w.board))
		read := func(q query.HistoryQuery) query.History {
			t.Helper()
			h, err := query.Of(t.Context(), board, query.Asker{By: ada}, q)
			must.Do(t, err)
			return h
		}
		for _, task := range []pawl.ID{0, 2} {
			whole := read(query.HistoryQuery{Task: task, Limit: query.MostSets})
			slices.Reverse(whole.Sets)
			slices.Reverse(whole.Undone)
			undone += len(whole.Undone)
			for _, limit := range []int{1, 4, query.MostSets} {
				var sets []pawl.ChangeSet
				var back []pawl.Revision
				for after := pawl.Revision(0); ; {
					page := read(query.HistoryQuery{Task: task, Limit: limit, Forward: true, After: after})
					sets, back = append(sets, page.Sets...), append(back, page.Undone...)
					if !page.More {
						break
					}
					after = page.Sets[len(page.Sets)-1].Revision
				}
				if diff := cmp.Diff(whole.Sets, sets); diff != "" || !slices.Equal(back, whole.Undone) {
					t.Errorf("seed %d, %d a page: undone %v, want %v; sets (-backward +forward):\n%s", seed, limit, back, whole.Undone, diff)
				}
			}
		}
	}
	if undone < 10 {
		t.Errorf("only %d sets were taken back", undone)
	}
}

// A question about the past of a task that never was has no answer; one about a
// task that is gone has.
func TestHistoryOfTask(t *testing.T) {
	board := querytest.Loop(query.Local(pawl.NewBoard(memory.New())))
	for _, op := range []pawl.Op{pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}}}, pawl.Delete{IDs: []pawl.ID{1}}} {
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ada, Op: op}, 0)))
	}
	gone, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.HistoryQuery{Task: 1, Limit: 9})
	if err != nil || gone.Fault != nil || len(gone.Sets) != 2 || gone.Names[1] != "One" {
		t.Errorf("of a task that is gone: %+v, %v", gone, err)
	}
	never, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.HistoryQuery{Task: 2, Limit: 9})
	if err != nil || !errors.Is(never.Fault, pawl.NotFound) {
		t.Errorf("of a task that never was: %+v, %v", never, err)
	}
}
