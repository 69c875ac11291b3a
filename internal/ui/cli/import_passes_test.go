package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
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
	whole, parts := emptyBoard(), emptyBoard()
	tasks := chain(7)
	for _, c := range []struct {
		board query.Board
		most  int
	}{{whole, 100}, {parts, 2}} {
		p := inPasses(pawl.Import{Tasks: tasks}, c.most)
		result, err := p.run(ctx, c.board, pawl.Actor{Name: "ada"})
		if err != nil || len(result.IDs) != 7 || len(result.Updated)+len(result.Kept) != 0 {
			t.Fatalf("%d at a time: %+v, %v", c.most, result, err)
		}
	}
	for i := range tasks {
		id := pawl.ID(i + 1)
		a, b := choose(t, whole, pawl.Query{IDs: []pawl.ID{id}}).Tasks, choose(t, parts, pawl.Query{IDs: []pawl.ID{id}}).Tasks
		if len(a) != 1 || len(b) != 1 || !slices.Equal(a[0].BlockedBy, b[0].BlockedBy) || a[0].Parent != b[0].Parent ||
			!slices.Equal(a[0].Blocks, b[0].Blocks) || a[0].Height != b[0].Height {
			t.Errorf("at once:   %+v\nin passes: %+v", a, b)
		}
	}

	// A second import makes nothing twice and changes nothing.
	p := inPasses(pawl.Import{Tasks: tasks}, 2)
	result, err := p.run(ctx, parts, pawl.Actor{Name: "ada"})
	if err != nil || len(result.Kept) != 7 {
		t.Errorf("the second import: %+v, %v", result, err)
	}

	// An edge that is new makes its task updated, though it came with another pass.
	tasks[0].BlockedBy = append(tasks[0].BlockedBy, pawl.RefName("t4"))
	p = inPasses(pawl.Import{Tasks: tasks}, 2)
	result, err = p.run(ctx, parts, pawl.Actor{Name: "ada"})
	if err != nil || !slices.Equal(result.Updated, []pawl.ID{1}) || len(result.Kept) != 6 {
		t.Errorf("the third import: %+v, %v", result, err)
	}
	tasks[5].BlockedBy = []pawl.Ref{pawl.RefName("nobody")}
	p = inPasses(pawl.Import{Tasks: tasks}, 2)
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
		board := emptyBoard()
		came, err := inPasses(pawl.Import{Tasks: tasks}, 2).run(context.Background(), board, pawl.Actor{Name: "ada"})
		if err != nil || len(came.revisions) != passes {
			t.Fatalf("forward %v: %d passes, want %d; %v", forward, len(came.revisions), passes, err)
		}
		for i, task := range choose(t, board, pawl.Query{}).Tasks { // 1 is t6, of which all are parts, and each waits for the one before
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
	board := emptyBoard()
	by := pawl.Actor{Name: "ada"}
	p := inPasses(pawl.Import{Tasks: chain(7)}, 2)
	for _, known := range []bool{false, true} {
		tried, err := p.try(ctx, board, by)
		if err != nil || len(tried.revisions) != 0 {
			t.Fatalf("%+v, %v", tried, err)
		}
		if n := choose(t, board, pawl.Query{}).Total; known == (n == 0) {
			t.Fatalf("%d tasks after a trial", n)
		}
		ran := must.Get(p.run(ctx, board, by))(t)
		if known != (len(ran.revisions) == 0) {
			t.Errorf("known already %v, revisions %d", known, ran.revisions)
		}
		if !slices.Equal(tried.IDs, ran.IDs) || !slices.Equal(tried.Kept, ran.Kept) || !slices.Equal(tried.Updated, ran.Updated) || tried.Changed != ran.Changed {
			t.Errorf("tried %+v\nran   %+v", tried.Result, ran.Result)
		}
	}
	revisions := undoable(t, board)
	a := &app{env: Env{Getenv: func(string) string { return "" }}}
	requests := make([]pawl.Request, len(revisions))
	for i, rev := range revisions {
		requests[i] = pawl.Request{By: by, Op: pawl.Undo{Revision: rev}}
	}
	o, came, err := a.carryOut(ctx, board, false, 0, requests...)
	if err != nil || len(came) != len(revisions) || !o.Result.Changed {
		t.Fatalf("%+v, %v", came, err)
	}
	if n := choose(t, board, pawl.Query{}).Total; n != 0 {
		t.Errorf("%d tasks are left", n)
	}
}

// choose are the tasks that a query chooses.
func choose(t *testing.T, board query.Board, q pawl.Query) pawl.Page {
	t.Helper()
	answer := must.Get(query.Of(t.Context(), board, query.Asker{}, query.TasksQuery{Query: q}))(t)
	return answer.Page
}

// undoable are all revisions of a board, the newest first.
func undoable(t *testing.T, board query.Board) []pawl.Revision {
	t.Helper()
	past := must.Get(query.Of(t.Context(), board, query.Asker{}, query.HistoryQuery{Limit: query.MostSets}))(t)
	var revisions []pawl.Revision
	for i := range past.Sets {
		revisions = append(revisions, past.Sets[i].Revision)
	}
	if len(revisions) < 4 {
		t.Fatalf("only %d changes", len(revisions))
	}
	return revisions
}

// stopped is a board that carries out a few requests, and then none.
type stopped struct {
	query.Board
	left int
}

func (s *stopped) Do(ctx context.Context, r pawl.Request, want query.Want) (query.Outcome, error) {
	if s.left--; s.left < 0 {
		return query.Outcome{}, errors.New("stopped")
	}
	return s.Board.Do(ctx, r, want)
}

// The import of a whole board that stopped anywhere is repeated: the tasks keep their
// numbers, and those that were deleted there are not given again.
func TestWholeBoardInPasses(t *testing.T) {
	op := pawl.Import{LastID: 9}
	for i, task := range chain(6) {
		task.ID, task.CreatedAt, task.UpdatedAt, task.Metadata = pawl.ID(i+1), time.Unix(1, 0), time.Unix(2, 0), nil
		op.Tasks = append(op.Tasks, task)
	}
	op.Tasks[0].BlockedBy = []pawl.Ref{pawl.RefName("t2"), pawl.RefName("t1"), pawl.RefName("t3")}
	bring := func(board query.Board) (came, error) {
		p := inPasses(op, 3)
		if err := p.look(t.Context(), board, pawl.Actor{Name: "ada"}); err != nil {
			return came{}, err
		}
		return p.run(t.Context(), board, pawl.Actor{Name: "ada"})
	}
	for parts := range 4 {
		board := emptyBoard()
		if _, err := bring(&stopped{board, parts}); (err == nil) != (parts == 3) {
			t.Fatalf("after %d parts: %v", parts, err)
		}
		must.Get(bring(board))(t)
		if again, err := bring(board); err != nil || again.Changed {
			t.Errorf("after %d parts, once more: changed %v, %v", parts, again.revisions, err)
		}
		var got []pawl.ID
		for _, task := range choose(t, board, pawl.Query{}).Tasks {
			if got = append(got, task.ID); !task.UpdatedAt.Equal(time.Unix(2, 0)) {
				t.Errorf("after %d parts: %v was changed at %v", parts, task.ID, task.UpdatedAt)
			}
			if task.ID == 1 && !slices.Equal(task.BlockedBy, []pawl.ID{3, 2, 4}) {
				t.Errorf("after %d parts: #1 waits for %v", parts, task.BlockedBy)
			}
		}
		next, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}}, 0)
		if err != nil || !slices.Equal(got, []pawl.ID{1, 2, 3, 4, 5, 6}) || next.Result.IDs[0] != 10 {
			t.Errorf("after %d parts: %v, next %v, %v", parts, got, next.Result.IDs, err)
		}
	}
	// Work that began there before the end: what cannot keep its number stops it.
	board := emptyBoard()
	p := inPasses(op, 2)
	must.Do(t, p.look(t.Context(), board, pawl.Actor{Name: "ada"}))
	must.Get(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "mine"}}}}, 0))(t)
	if _, err := p.run(t.Context(), board, pawl.Actor{Name: "ada"}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("beside another task: %v", err)
	}
}

// A server bounds what a call changes: the tasks at the other ends of edges as well.
func TestDistantImportFits(t *testing.T) {
	op := pawl.Import{LastID: 6000}
	for i := range 6000 {
		task := pawl.ImportTask{ID: pawl.ID(i + 1), CreatedAt: time.Unix(1, 0), UpdatedAt: time.Unix(2, 0), NewTask: pawl.NewTask{Ref: fmt.Sprint(i), Subject: "one"}}
		for later := i + 1000; later < 6000; later += 1000 {
			task.Blocks = append(task.Blocks, pawl.RefName(fmt.Sprint(later)))
		}
		op.Tasks = append(op.Tasks, task)
	}
	p := inPasses(op, distantMost(op.Tasks))
	if err := p.look(t.Context(), emptyBoard(), pawl.Actor{Name: "ada"}); err != nil || !p.several() {
		t.Fatal(p.most, err)
	}
	if _, err := p.run(pawl.Within(t.Context(), 16<<20), emptyBoard(), pawl.Actor{Name: "ada"}); err != nil {
		t.Error(err)
	}
}

// A part that joins tasks changes no more than the one that made them, though those with
// edges into later parts are the large ones of each part.
func TestJoiningFits(t *testing.T) {
	var tasks []pawl.ImportTask
	for i := range 48 {
		task := pawl.ImportTask{NewTask: pawl.NewTask{Ref: fmt.Sprint(i), Subject: "one"}}
		for later := i + 5; i%4 == 0 && later < min(i+20, 48); later += 5 {
			task.Blocks = append(task.Blocks, pawl.RefName(fmt.Sprint(later)))
		}
		tasks = append(tasks, task)
	}
	const bound = 7 * 3 << 10 // three edges of a part that has four tasks
	if _, err := inPasses(pawl.Import{Tasks: tasks}, 4).run(pawl.Within(t.Context(), bound), emptyBoard(), pawl.Actor{Name: "ada"}); err != nil {
		t.Error(err)
	}
}
