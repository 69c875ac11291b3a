package pawl_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// selecting is a reader that counts how often tasks are chosen.
type selecting struct {
	pawl.Reader
	n int
}

func (s *selecting) Select(q pawl.Query) (pawl.Page, error) {
	s.n++
	return s.Reader.Select(q)
}

// However many names are to be resolved, the board is gone through once, and each
// name stands for what it stands for alone.
func TestResolveAtOnce(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	create := pawl.Create{}
	for _, ref := range []string{"", "a-1", "b-2", "a-1", "c-3", "a-1"} {
		task := pawl.NewTask{Subject: "Work"}
		if ref != "" {
			text, _ := json.Marshal(ref)
			task.Metadata = map[string]json.RawMessage{pawl.RefKey: text}
		}
		create.Tasks = append(create.Tasks, task)
	}
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: create})))
	names := []string{"b-2", "#2", "a-1", "nobody", "", "99", "c-3", "b-2", "0"}
	must.Do(t, board.View(t.Context(), func(r pawl.Reader) error {
		s := &selecting{Reader: r}
		ids, faults, err := pawl.Resolve(s, names...)
		if err != nil || s.n != 1 {
			t.Fatalf("%d passes, %v", s.n, err)
		}
		if !slices.Equal(ids, []pawl.ID{3, 2, 0, 0, 0, 99, 5, 3, 0}) {
			t.Errorf("%v", ids)
		}
		for i, want := range []error{nil, nil, pawl.Invalid, pawl.NotFound, pawl.NotFound, nil, nil, nil, pawl.NotFound} {
			if (want == nil) != (faults[i] == nil) || want != nil && !errors.Is(faults[i], want) {
				t.Errorf("%q: %v", names[i], faults[i])
			}
			id, alone := board.Resolve(context.Background(), names[i])
			if id != ids[i] || (alone == nil) != (faults[i] == nil) || alone != nil && alone.Error() != faults[i].Error() {
				t.Errorf("%q alone: %v, %v", names[i], id, alone)
			}
		}
		if !slices.Equal(faults[2].IDs, []pawl.ID{2, 4}) {
			t.Errorf("%v", faults[2].IDs)
		}
		if _, _, err := pawl.Resolve(s, "1", "#2"); err != nil || s.n != 1 {
			t.Errorf("ids alone: %d passes, %v", s.n, err)
		}
		return nil
	}))
}

// A name is found in any case, as in the programs that it comes from.
func TestResolveAnyCase(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	create := pawl.Create{}
	for _, ref := range []string{"TASK-5", "bd-1", "BOTH-1", "both-1"} {
		text, _ := json.Marshal(ref)
		create.Tasks = append(create.Tasks, pawl.NewTask{Subject: "Work", Metadata: map[string]json.RawMessage{pawl.RefKey: text}})
	}
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: create})))
	for name, want := range map[string]pawl.ID{"task-5": 1, "Task-5": 1, "TASK-5": 1, "BD-1": 2, "both-1": 4, "BOTH-1": 3, "Both-1": 0, "task-6": 0} {
		if id, err := board.Resolve(t.Context(), name); id != want || (err == nil) != (want != 0) {
			t.Errorf("%s: %v, %v; want %v", name, id, err, want)
		}
	}
}
