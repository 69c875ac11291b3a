package pawl_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// A repair and a merge made the files what they are, and only what made them could
// take them back. The newest change stops there, and does not reach for an earlier
// one that nobody meant.
func TestUndoStopsAtFiles(t *testing.T) {
	for _, verb := range []string{pawl.VerbMend, pawl.VerbMerge} {
		for _, bulk := range []bool{false, true} {
			store := memory.New()
			w := &world{T: t, Board: pawl.NewBoard(store)}
			w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "the whole plan"}}})
			task := w.task(1)
			if bulk {
				task.Subject = "another"
			}
			rev, err := store.Update(t.Context(), func(pawl.Reader) (pawl.Commit, error) {
				change := pawl.Change{ID: 1, CreatedAt: task.CreatedAt, Fields: []pawl.Field{pawl.FieldBlockedBy}, Before: &task, After: &task}
				return pawl.Commit{Sets: []pawl.ChangeSet{{By: ada, Verb: verb, Bulk: bulk, Changes: []pawl.Change{change}}}, LastID: 1}, nil
			})
			must.Do(t, err)
			for _, op := range []pawl.Undo{{}, {Everywhere: true}, {Pass: 3}, {Revision: rev}} {
				e := w.fails(pawl.Conflict, ada, op)
				if e.Undoes != rev || !strings.HasPrefix(e.Message, "@2 ") || e.Hint.Step == pawl.HintNone {
					t.Errorf("%s, %+v: %v, undoes %d, hint %v", verb, op, e, e.Undoes, e.Hint)
				}
			}
			w.fails(pawl.NotFound, bob, pawl.Undo{})
			w.must(ada, pawl.Undo{Revision: rev - 1}) // it can still be named
		}
	}
}

// What a sync brought may be a person's: an agent's undo takes none of it back.
func TestAgentUndoesNoSync(t *testing.T) {
	store := memory.New()
	w := &world{T: t, Board: pawl.NewBoard(store)}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	low, high := pawl.Low, pawl.High
	first := w.must(ada, pawl.Update{ID: 1, Priority: &low}).Revision
	before := w.task(1)
	w.must(ada, pawl.Update{ID: 1, Priority: &high})
	after := w.task(1)
	_, err := store.Update(t.Context(), func(pawl.Reader) (pawl.Commit, error) {
		change := pawl.Change{ID: 1, CreatedAt: after.CreatedAt, Fields: []pawl.Field{pawl.FieldPriority}, Before: &after, After: &before}
		return pawl.Commit{Sets: []pawl.ChangeSet{{By: ada, Verb: pawl.VerbSync, Changes: []pawl.Change{change}}}, LastID: 1}, nil
	})
	must.Do(t, err)
	for _, agent := range []bool{true, false} {
		_, err := w.Do(t.Context(), pawl.Request{By: ada, Op: pawl.Undo{Revision: first}, Agent: agent})
		if agent != (pawl.KindOf(err) == pawl.Conflict) || !agent && err != nil {
			t.Errorf("agent %v: %v", agent, err)
		}
	}
}

// A task with one of another branch in its file is completed only after the merge.
func TestNothingCompletesTheUnmerged(t *testing.T) {
	store := memory.New()
	w := &world{T: t, Board: pawl.NewBoard(store)}
	w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}})
	w.must(ada, pawl.Complete{IDs: ids(1)})
	reopened := w.must(ada, pawl.Reopen{IDs: ids(1)}).Revision
	before := w.task(1)
	task := before.Clone()
	task.Merging = []pawl.Task{{ID: 1, Subject: "another"}}
	_, err := store.Update(t.Context(), func(pawl.Reader) (pawl.Commit, error) {
		gone := pawl.Change{ID: 1, CreatedAt: task.CreatedAt, Before: &before}
		return pawl.Commit{Sets: []pawl.ChangeSet{{By: ada, Verb: pawl.ExternalName, Changes: []pawl.Change{gone, {ID: 1, CreatedAt: task.CreatedAt, After: &task}}}}, LastID: 1}, nil
	})
	if err != nil || len(w.task(1).Merging) != 1 {
		t.Fatal(w.task(1), err)
	}
	for _, op := range []pawl.Op{
		pawl.Complete{IDs: ids(1), Force: true}, pawl.Undo{Revision: reopened}, pawl.Delete{IDs: ids(1)},
		pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "one"}, ID: 1, Status: pawl.Completed, CreatedAt: task.CreatedAt}}},
	} {
		if e := w.fails(pawl.Conflict, ada, op); e.Hint.Step != pawl.HintMerge {
			t.Errorf("%T: %v, hint %v", op, e, e.Hint)
		}
	}
	w.must(ada, pawl.AddNote{ID: 1, Text: "kept"})
}
