package query_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// TestLanesNameWhatFailed holds the cards of tasks of which a check failed to say which:
// a brief task says only that one did. Others have their checks nowhere but in their file.
func TestLanesNameWhatFailed(t *testing.T) {
	w := newWorld(t)
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test"}}
	made := pawl.NewTask{Subject: "x", Checks: []pawl.Check{unit}}
	w.do(ada, pawl.Create{Tasks: []pawl.NewTask{made, made, made, {Subject: "unasked"}}})
	tree := "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	for id, passed := range map[pawl.ID]bool{1: false, 2: true, 3: false} {
		e := pawl.Evidence{Check: "unit", Sum: unit.Sum(), Tree: tree, Passed: passed}
		if !passed {
			e.Exit = 1
		}
		w.do(ada, pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{e}})
	}
	w.do(ada, pawl.Complete{IDs: []pawl.ID{3}, Unchecked: "no time"})
	l, err := query.Of(t.Context(), query.Local(w.board), query.Asker{By: ada}, query.LanesQuery{Done: 10})
	must.Do(t, err)
	want := map[pawl.ID]bool{1: true, 3: true}
	seen := 0
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			task := &l.Cards[lane][i].Task
			seen++
			if named := len(task.Evidence) == 1 && len(task.Checks) == 1; named != want[task.ID] {
				t.Errorf("%v has the checks %v and the evidence %v", task.ID, task.Checks, task.Evidence)
			}
		}
	}
	if seen != 4 || l.Cards[query.Finished][0].Task.Checked != pawl.CheckedFailed {
		t.Errorf("%d cards, %+v", seen, l.Cards[query.Finished])
	}
}
