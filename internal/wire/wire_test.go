package wire

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/store/memory"
)

func TestTasksJSON(t *testing.T) {
	board := sample(t)
	var b bytes.Buffer
	err := board.View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{})
		if err != nil {
			return err
		}
		tasks, err := NewTasks(r, "ada", page.Tasks)
		for _, task := range tasks {
			if err := WriteJSON(&b, task); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "tasks.jsonl", b.String())
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
	err := board.View(ctx, func(r pawl.Reader) error {
		tasks, err := r.Get(1)
		if err != nil {
			return err
		}
		got, err := NewTasks(r, "ada", tasks)
		if err == nil && (!slices.Equal(got[0].Blocks, []pawl.ID{3}) || !slices.Equal(got[0].Unblocked, []pawl.ID{2})) {
			t.Errorf("#1 blocks %v and has unblocked %v, want #3 and #2", got[0].Blocks, got[0].Unblocked)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An answer has all that an envelope of its tasks takes.
func TestTasksOfAnswer(t *testing.T) {
	board := sample(t)
	me := ask.Asker{By: pawl.Actor{Name: "ada"}}
	answer, err := ask.Of(t.Context(), ask.Local(board), me, ask.TasksQuery{Edges: true})
	if err != nil {
		t.Fatal(err)
	}
	got, blocks := TasksOf("ada", answer.Page.Tasks, answer.Waiting), 0
	err = board.View(t.Context(), func(r pawl.Reader) error {
		want, err := NewTasks(r, "ada", answer.Page.Tasks)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		return err
	})
	for i := range got {
		blocks += len(got[i].Blocks)
	}
	if err != nil || blocks == 0 {
		t.Error("no task waits for another one:", err)
	}
}
