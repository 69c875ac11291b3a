package wire

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/store/memory"
)

func TestTasksJSON(t *testing.T) {
	answer, err := ask.Of(t.Context(), ask.Local(sample.Board(t)), ask.Asker{}, ask.TasksQuery{Edges: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, task := range TasksOf("ada", answer.Page.Tasks, answer.Waiting) {
		if err := WriteJSON(&b, task); err != nil {
			t.Fatal(err)
		}
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
	answer, err := ask.Of(ctx, ask.Local(board), ask.Asker{}, ask.TasksQuery{Query: pawl.Query{IDs: []pawl.ID{1}}, Edges: true})
	if err != nil {
		t.Fatal(err)
	}
	got := TasksOf("ada", answer.Page.Tasks, answer.Waiting)
	if !slices.Equal(got[0].Blocks, []pawl.ID{3}) || !slices.Equal(got[0].Unblocked, []pawl.ID{2}) {
		t.Errorf("#1 blocks %v and has unblocked %v, want #3 and #2", got[0].Blocks, got[0].Unblocked)
	}
}
