package query_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
)

// A merger that has moved a task, for tests.
type merger struct {
	outcome *merge.Outcome
	moved   []merge.Moved
	undone  pawl.Revision
	refusal error
	calls   int
}

func (m *merger) Before(context.Context, pawl.Actor) *merge.Outcome {
	m.calls++
	return m.outcome
}

func (m *merger) Stale(_ pawl.Actor, numbers []pawl.ID) []merge.Moved {
	var stale []merge.Moved
	for _, moved := range m.moved {
		if slices.Contains(numbers, moved.From) {
			stale = append(stale, moved)
		}
	}
	return stale
}

func (m *merger) Tell(pawl.Actor, []merge.Moved) { m.moved = nil }

func (m *merger) MayUndo(context.Context, pawl.Revision) error { return m.refusal }

func (m *merger) Undo(_ context.Context, _ pawl.Actor, rev pawl.Revision) (pawl.Result, error) {
	m.undone = rev
	return pawl.Result{Changed: true, Undoes: rev}, nil
}

// A renumbering is a store beside which another process syncs or merges right before a change is
// carried out: #1 is #3, and an older task of another clone is #1.
type renumbering struct {
	*file.Store
	merger *merger
}

func (r *renumbering) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	_, err := r.Rewrite(ctx, file.Why{Verb: pawl.VerbSync}, func(f file.Files) (file.Rewriting, error) {
		one, err := taskjson.Decode(f.Tasks[1])
		if err != nil || f.Tasks[3] != nil {
			return file.Rewriting{}, err
		}
		r.merger.moved = []merge.Moved{{Named: merge.Named{ID: 3, Subject: "one"}, From: 1, Side: merge.Ours, Elder: "elder"}}
		moved := bytes.Replace(f.Tasks[1], []byte(`"id": 1`), []byte(`"id": 3`), 1)
		elder := []byte(`{"id": 1, "subject": "elder", "status": "pending", "blocks": [], "blockedBy": [], "createdAt": "2020-01-01T00:00:00Z"}`)
		return file.Rewriting{Tasks: map[pawl.ID][]byte{1: elder, 3: moved}, Moved: []file.Move{{From: 1, To: 3, CreatedAt: one.Task.CreatedAt}}}, nil
	})
	if err != nil {
		return 0, err
	}
	return r.Store.Update(ctx, fn)
}

// A sync or merge of another process moved a task after a command had asked what was moved and
// before it was carried out: the command changed the task that had got the number. On a board that
// is not shared it still did.
func TestMovedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{true, false} {
		movedMeanwhile(t, shared)
	}
}

func movedMeanwhile(t *testing.T, shared bool) {
	for _, op := range []pawl.Op{
		pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 1}, pawl.Delete{IDs: []pawl.ID{2, 1}},
		pawl.Update{ID: 2, AddBlockedBy: []pawl.ID{1}},
		pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 2, Text: "x"}, pawl.AddNote{ID: 1, Text: "y"}}},
	} {
		store, err := file.Open(t.TempDir())
		must.Do(t, err)
		t.Cleanup(func() { store.Close() })
		ann, m := pawl.Actor{Name: "ann", Session: "a"}, &merger{}
		board := pawl.NewBoard(store)
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ann, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}}})))
		board = pawl.NewBoard(&renumbering{store, m})
		options := []query.Option{query.Merging(m)}
		if shared {
			options = append(options, query.Syncing(&hearing{faster: faster{board: board, by: ann}}))
		}
		l := query.Local(board, options...)
		_, err = l.Do(t.Context(), pawl.Request{By: ann, Op: op}, 0)
		if pawl.KindOf(err) != pawl.Conflict {
			t.Errorf("%s ends with %v", op.Verb(), err)
		}
		tasks, err := board.Get(t.Context(), 1, 2, 3)
		if err != nil || tasks[0].Subject != "elder" || tasks[2].Subject != "one" {
			t.Fatalf("afterwards there are %v, %v", tasks, err)
		}
		for _, is := range tasks {
			if is.Status != pawl.Pending || len(is.BlockedBy)+len(is.Notes) > 0 {
				t.Errorf("%s changed %v: %+v", op.Verb(), is.ID, is)
			}
		}
	}
}

// A merge of the caller's own request tells each request of the call that names a moved number,
// and no request that says itself which task it means.
func TestMergeOfAnOwnRequest(t *testing.T) {
	ann := pawl.Actor{Name: "ann"}
	board := pawl.NewBoard(memory.New())
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ann, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "A"}}}})))
	moved := merge.Moved{Named: merge.Named{ID: 15, Subject: "Mine"}, From: 1, Side: merge.Ours}
	all := []merge.Moved{moved}
	b := query.Local(board, query.Merging(&merger{moved: all, outcome: &merge.Outcome{Report: merge.Report{Moved: all}}}))
	note := pawl.Request{By: ann, Op: pawl.AddNote{ID: 1, Text: "x"}}
	knows := note
	knows.Still = func(r pawl.Reader) error {
		tasks, err := r.Get(1)
		if err == nil && tasks[0].Subject != "A" {
			err = pawl.Errorf(pawl.Conflict, "it is another one")
		}
		return err
	}
	_, err := b.DoAll(t.Context(), 0, note, note, knows)
	for i, refused := range []bool{true, true, false} {
		if err := pawl.ErrorAt(err, i); errors.Is(err, pawl.Conflict) != refused {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

func TestMergesBeforeAChange(t *testing.T) {
	ann := pawl.Actor{Name: "ann"}
	m := &merger{
		outcome: &merge.Outcome{Revision: 7},
		moved:   []merge.Moved{{Named: merge.Named{ID: 15, Subject: "Mine"}, From: 1, Side: merge.Ours, Elder: "Retry hooks", ElderBy: "bob"}},
	}
	b := query.Local(pawl.NewBoard(memory.New()), query.Merging(m))
	if _, err := query.Of(t.Context(), b, query.Asker{By: ann}, query.OverviewQuery{}); err != nil || m.calls != 0 {
		t.Fatalf("a question merged %d times: %v", m.calls, err)
	}
	request := func(op pawl.Op) pawl.Request { return pawl.Request{By: ann, Op: op} }
	if _, err := b.Try(t.Context(), 0, request(pawl.Create{Tasks: []pawl.NewTask{{Subject: "A"}}})); err != nil || m.calls != 0 {
		t.Fatalf("a dry run merged %d times: %v", m.calls, err)
	}
	outcomes, err := b.DoAll(t.Context(), 0, request(pawl.Complete{IDs: []pawl.ID{1}}), request(pawl.Create{Tasks: []pawl.NewTask{{Subject: "A"}}}))
	first := pawl.ErrorAt(err, 0)
	if !errors.Is(first, pawl.Conflict) || first.Error() != "#1 is now #15; #1 is bob's Retry hooks" {
		t.Errorf("the request that names the moved task: %v", first)
	}
	if err := pawl.ErrorAt(err, 1); err != nil || len(outcomes[1].Result.IDs) != 1 {
		t.Errorf("the other request: %+v, %v", outcomes[1].Result, err)
	}
	if outcomes[0].Merged == nil || outcomes[0].Merged.Revision != 7 || outcomes[1].Merged != nil {
		t.Errorf("of the merge is told: %+v, %+v", outcomes[0].Merged, outcomes[1].Merged)
	}
	if _, err := b.Do(t.Context(), request(pawl.Complete{IDs: []pawl.ID{1}}), 0); err != nil {
		t.Errorf("it is refused again: %v", err)
	}
}

func TestTriesToUndoAMerge(t *testing.T) {
	ann := pawl.Actor{Name: "ann"}
	store := memory.New()
	plain := pawl.NewBoard(store)
	must.Do(t, errOf(plain.Do(t.Context(), pawl.Request{By: ann, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "A"}}}})))
	m := &merger{}
	b := query.Local(pawl.NewBoard(joined{store}), query.Merging(m))
	undo := pawl.Request{By: ann, Op: pawl.Undo{}}
	all, err := b.Try(t.Context(), query.WantUndid, undo)
	if err != nil || !all[0].Result.Changed || all[0].Result.Undoes == 0 || all[0].Undid == nil || m.undone != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	m.refusal = pawl.Errorf(pawl.Conflict, "git has committed the merge")
	if _, err := b.Try(t.Context(), query.WantUndid, undo); pawl.ErrorAt(err, 0) != m.refusal {
		t.Errorf("refused with %v", err)
	}
}

// joined is a store whose changes are merges.
type joined struct{ pawl.Store }

func (s joined) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		for set, err := range s.Store.Changes(ctx, span) {
			if set.Verb = pawl.VerbMerge; !yield(set, err) {
				return
			}
		}
	}
}

func TestRefusesEachMentionOfAMovedTask(t *testing.T) {
	one, ones := pawl.ID(1), []pawl.ID{1}
	ref := []pawl.Ref{pawl.RefID(1)}
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "A", Parent: ref[0]}}},
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "A", BlockedBy: ref}}},
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "A", Blocks: ref}}},
		pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "A", Parent: ref[0]}}}},
		pawl.Update{ID: 1}, pawl.Update{ID: 2, Parent: &one}, pawl.Update{ID: 2, AddBlockedBy: ones},
		pawl.Update{ID: 2, RemoveBlockedBy: ones}, pawl.Update{ID: 2, AddBlocks: ones}, pawl.Update{ID: 2, RemoveBlocks: ones},
		pawl.ClaimTask{ID: 1}, pawl.ClaimTask{Filter: pawl.ClaimFilter{Parent: 1}}, pawl.Start{IDs: ones}, pawl.Complete{IDs: ones},
		pawl.Reopen{IDs: ones}, pawl.Release{IDs: ones}, pawl.Assign{IDs: ones}, pawl.PutHold{IDs: ones}, pawl.LiftHold{IDs: ones},
		pawl.AddNote{ID: 1, Text: "x"}, pawl.Delete{IDs: ones}, pawl.Renew{IDs: ones},
		pawl.All{Ops: []pawl.Op{pawl.Renew{}, pawl.Complete{IDs: ones}}},
	} {
		m := &merger{moved: []merge.Moved{{Named: merge.Named{ID: 15}, From: 1}}}
		b := query.Local(pawl.NewBoard(memory.New()), query.Merging(m))
		if _, err := b.Do(t.Context(), pawl.Request{Op: op}, 0); !errors.Is(err, pawl.Conflict) || err.Error() != "#1 is now #15" {
			t.Errorf("%T: %v", op, err)
		}
	}
	m := &merger{moved: []merge.Moved{{Named: merge.Named{ID: 15}, From: 1}}}
	b := query.Local(pawl.NewBoard(memory.New()), query.Merging(m))
	if _, err := b.Do(t.Context(), pawl.Request{Op: pawl.Import{Tasks: []pawl.ImportTask{{ID: 1, NewTask: pawl.NewTask{Subject: "A"}}}}}, 0); err != nil {
		t.Errorf("an import brings a task under that number: %v", err)
	}
}
