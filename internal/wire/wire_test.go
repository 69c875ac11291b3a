package wire

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

func TestTasksJSON(t *testing.T) {
	answer := must.Get(query.Of(t.Context(), query.Local(sample.Board(t)), query.Asker{}, query.TasksQuery{Edges: true}))(t)
	var b bytes.Buffer
	for _, task := range TasksOf("ada", answer.Page.Tasks, answer.Waiting) {
		must.Do(t, WriteJSON(&b, task))
	}
	sample.Golden(t, "tasks.jsonl", b.String())
}

// An edge is open only while both its ends are.
func TestOpenEdges(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	ctx := context.Background()
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{
			{Ref: "a", Subject: "a"}, {Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}}, {Subject: "c", BlockedBy: []pawl.Ref{pawl.RefName("a")}},
		}},
		pawl.Complete{IDs: []pawl.ID{1, 2}},
		pawl.Reopen{IDs: []pawl.ID{1}},
	} {
		if _, err := board.Do(ctx, pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	answer := must.Get(query.Of(ctx, query.Local(board), query.Asker{}, query.TasksQuery{Query: pawl.Query{IDs: []pawl.ID{1}}, Edges: true}))(t)
	got := TasksOf("ada", answer.Page.Tasks, answer.Waiting)
	if !slices.Equal(got[0].Blocks, []pawl.ID{3}) || !slices.Equal(got[0].Unblocked, []pawl.ID{2}) {
		t.Errorf("#1 blocks %v and has unblocked %v, want #3 and #2", got[0].Blocks, got[0].Unblocked)
	}
}

// A task's checks, criteria and evidence are as they are, and each check has its last run.
// A brief task says how it stands with them.
func TestChecksJSON(t *testing.T) {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}, Dir: "web", Timeout: pawl.Duration(90 * time.Second), Env: []string{"CI"}, Expect: 3}
	lint := pawl.Check{Name: "lint", Run: []string{"lint"}, Optional: true}
	vet := pawl.Check{Name: "vet", Run: []string{"vet"}} // the project's
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	task := pawl.Task{
		ID: 1, Subject: "s", Status: pawl.Pending, Checks: []pawl.Check{unit, lint},
		Accept: []pawl.Criterion{{Text: "it is so", By: "ada", At: at}, {Text: "and so"}},
		Evidence: []pawl.Evidence{
			{Check: "unit", Sum: unit.Sum(), At: at, By: "ada", Commit: strings.Repeat("c", 40), Tree: strings.Repeat("a", 40), Dirty: true, Passed: true, Exit: 3, Millis: 1200},
			{Check: "vet", Sum: vet.Sum(), Tree: pawl.NoTree, Exit: pawl.NoExit, Output: "sha256:" + strings.Repeat("0", 64)},
		},
	}
	open, ticked := task.Clone(), task.Clone()
	open.Evidence = open.Evidence[:1]
	ticked.Evidence, ticked.Accept = ticked.Evidence[:1], ticked.Accept[:1]
	var b bytes.Buffer
	for _, task := range TasksOf("ada", []pawl.Task{task, task.Brief(), open.Brief(), ticked.Brief(), {ID: 2, Status: pawl.Pending}}, nil) {
		must.Do(t, WriteJSON(&b, task))
	}
	sample.Golden(t, "checks.jsonl", b.String())
}
