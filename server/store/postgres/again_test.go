package postgres_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A board that is made in the place of one that was removed gives no claim token again:
// who still has one of the old board finds that it means nothing.
func TestMadeAgain(t *testing.T) {
	db := open(t)
	boards := postgres.Over(db)
	claim := func() pawl.Revision {
		t.Helper()
		must.Do(t, boards.Make(t.Context(), "shop"))
		board := pawl.NewBoard(boards.Board("shop"))
		res, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ann", Session: "s1"}, Op: pawl.All{Ops: []pawl.Op{
			pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}, pawl.ClaimTask{},
		}}})
		must.Do(t, err)
		for _, task := range res.Tasks {
			if task.Claim.Live() {
				return task.Claim.Token
			}
		}
		t.Fatal("nothing is claimed")
		return 0
	}
	first := claim()
	if again := claim(); again != first+1 {
		t.Errorf("the next change set is %d, after %d", again, first)
	}
	for _, table := range []string{"task", "change", "touched", "op", "free_count", "board"} {
		must.Do(t, errOf(db.Exec(t.Context(), "delete from pawl."+table)))
	}
	if again := claim(); again <= first+1 {
		t.Errorf("the token %d is given again, after %d", again, first)
	}
}
