package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// chain is an import in which each task waits for the next one, all are parts
// of the last, and so each edge leads into a later pass.
func chain(n int) []pawl.ImportTask {
	var tasks []pawl.ImportTask
	name := func(i int) string { return fmt.Sprintf("t%d", i) }
	for i := range n {
		t := pawl.ImportTask{NewTask: pawl.NewTask{Ref: name(i), Subject: name(i)}}
		t.Metadata = map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"` + name(i) + `"`)}
		if i < n-2 {
			t.BlockedBy = []pawl.Ref{pawl.RefName(name(i + 1))}
		}
		if i < n-1 {
			t.Parent = pawl.RefName(name(n - 1))
		}
		tasks = append(tasks, t)
	}
	return tasks
}

func TestImportInPasses(t *testing.T) {
	ctx := context.Background()
	whole, parts := pawl.NewBoard(memory.New()), pawl.NewBoard(memory.New())
	tasks := chain(7)
	for _, c := range []struct {
		board *pawl.Board
		most  int
	}{{whole, 100}, {parts, 2}} {
		p := inPasses(tasks, c.most)
		result, err := p.run(ctx, c.board, pawl.Actor{Name: "ada"})
		if err != nil || len(result.IDs) != 7 || len(result.Updated)+len(result.Kept) != 0 {
			t.Fatalf("%d at a time: %+v, %v", c.most, result, err)
		}
	}
	for i := range tasks {
		id := pawl.ID(i + 1)
		a, errA := whole.Get(ctx, id)
		b, errB := parts.Get(ctx, id)
		if errA != nil || errB != nil || !slices.Equal(a[0].BlockedBy, b[0].BlockedBy) || a[0].Parent != b[0].Parent ||
			!slices.Equal(a[0].Blocks, b[0].Blocks) || a[0].Height != b[0].Height {
			t.Errorf("at once:   %+v\nin passes: %+v", a, b)
		}
	}

	// A second import makes nothing twice and changes nothing.
	p := inPasses(tasks, 2)
	result, err := p.run(ctx, parts, pawl.Actor{Name: "ada"})
	if err != nil || len(result.Kept) != 7 {
		t.Errorf("the second import: %+v, %v", result, err)
	}

	// An edge that is new makes its task updated, though it came with another pass.
	tasks[0].BlockedBy = append(tasks[0].BlockedBy, pawl.RefName("t4"))
	p = inPasses(tasks, 2)
	result, err = p.run(ctx, parts, pawl.Actor{Name: "ada"})
	if err != nil || !slices.Equal(result.Updated, []pawl.ID{1}) || len(result.Kept) != 6 {
		t.Errorf("the third import: %+v, %v", result, err)
	}
	tasks[5].BlockedBy = []pawl.Ref{pawl.RefName("nobody")}
	p = inPasses(tasks, 2)
	if _, err := p.run(ctx, parts, pawl.Actor{Name: "ada"}); pawl.KindOf(err) != pawl.Invalid {
		t.Errorf("an edge to nobody: %v", err)
	}
}

// TestImportBackwards: edges to tasks that came before need no pass of their own,
// and one into a later pass takes only the tasks that have such an edge along.
func TestImportBackwards(t *testing.T) {
	for forward, passes := range map[bool]int{false: 4, true: 5} {
		tasks := chain(7)
		slices.Reverse(tasks)
		if forward {
			tasks[1].Blocks = []pawl.Ref{pawl.RefName("t1")}
		}
		board := pawl.NewBoard(memory.New())
		came, err := inPasses(tasks, 2).run(context.Background(), board, pawl.Actor{Name: "ada"})
		if err != nil || len(came.revisions) != passes {
			t.Fatalf("forward %v: %d passes, want %d; %v", forward, len(came.revisions), passes, err)
		}
		all, err := board.Select(context.Background(), pawl.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for i, task := range all.Tasks { // 1 is t6, of which all are parts, and each waits for the one before
			blockers, parent := []pawl.ID{task.ID - 1}, pawl.ID(1)
			switch {
			case i == 0:
				parent = 0
				fallthrough
			case i == 1:
				blockers = nil
			case i == 5 && forward:
				blockers = []pawl.ID{2, 5}
			}
			if !slices.Equal(task.Blockers, blockers) || task.Parent != parent {
				t.Errorf("forward %v: %v waits for %v and is a part of %v; want %v and %v", forward, task.ID, task.Blockers, task.Parent, blockers, parent)
			}
		}
	}
}

// A dry run of an import that takes several passes says what the import then
// comes to, and undo takes all of its passes back.
func TestImportInPassesTriedAndUndone(t *testing.T) {
	ctx := context.Background()
	board := pawl.NewBoard(memory.New())
	by := pawl.Actor{Name: "ada"}
	p := inPasses(chain(7), 2)
	for _, known := range []bool{false, true} {
		tried, err := p.try(ctx, board, by)
		if err != nil || len(tried.revisions) != 0 {
			t.Fatalf("%+v, %v", tried, err)
		}
		if page, err := board.Select(ctx, pawl.Query{}); err != nil || known == (page.Total == 0) {
			t.Fatalf("%d tasks after a trial, %v", page.Total, err)
		}
		ran, err := p.run(ctx, board, by)
		if err != nil {
			t.Fatal(err)
		}
		if known != (len(ran.revisions) == 0) {
			t.Errorf("known already %v, revisions %d", known, ran.revisions)
		}
		if !slices.Equal(tried.IDs, ran.IDs) || !slices.Equal(tried.Kept, ran.Kept) || !slices.Equal(tried.Updated, ran.Updated) || tried.Changed != ran.Changed {
			t.Errorf("tried %+v\nran   %+v", tried.Result, ran.Result)
		}
	}
	revisions := undoable(t, board)
	a := &app{env: Env{Getenv: func(string) string { return "" }}}
	ops := make([]pawl.Op, len(revisions))
	for i, rev := range revisions {
		ops[i] = pawl.Undo{Revision: rev}
	}
	o, results, err := a.carryOut(ctx, board, false, ops...)
	if err != nil || len(results) != len(revisions) || !o.result.Changed {
		t.Fatalf("%+v, %v", results, err)
	}
	if page, err := board.Select(ctx, pawl.Query{}); err != nil || page.Total != 0 {
		t.Errorf("%d tasks are left, %v", page.Total, err)
	}
}

// undoable are all revisions of a board, the newest first.
func undoable(t *testing.T, board *pawl.Board) []pawl.Revision {
	t.Helper()
	var revisions []pawl.Revision
	for set, err := range board.Changes(context.Background(), pawl.Span{Backward: true}) {
		if err != nil {
			t.Fatal(err)
		}
		revisions = append(revisions, set.Revision)
	}
	if len(revisions) < 4 {
		t.Fatalf("only %d changes", len(revisions))
	}
	return revisions
}
