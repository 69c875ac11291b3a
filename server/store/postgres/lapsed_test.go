package postgres_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/memory"
)

// After a pause, more leases have ended than are read beforehand. Readers see all of them
// as ended at once, and a writer goes on as on any board.
func TestManyLapsed(t *testing.T) {
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	boards := postgres.Over(open(t), postgres.WithClock(clock))
	must.Do(t, boards.Make(t.Context(), "shop"))
	began := now
	var all []string
	for _, store := range []pawl.Store{memory.New(memory.WithClock(clock)), boards.Board("shop")} {
		now = began
		board := pawl.NewBoard(store)
		by := pawl.Actor{Name: "bot", Session: "s1"}
		do := func(op pawl.Op) pawl.Result {
			t.Helper()
			res, err := board.Do(t.Context(), pawl.Request{By: by, Op: op})
			must.Do(t, err)
			return res
		}
		for i := range 5 {
			tasks := slices.Repeat([]pawl.NewTask{{Subject: "x", Labels: []string{fmt.Sprint("l", i)}}}, 250)
			made := do(pawl.Create{Tasks: tasks})
			do(pawl.Start{IDs: made.IDs, Lease: pawl.Duration(time.Duration(6-i) * time.Minute)}) // later ones end earlier
		}
		do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "free"}}})
		now = now.Add(time.Hour)
		by = pawl.Actor{Name: "ada"}
		said := ""
		err := board.View(t.Context(), func(r pawl.Reader) error {
			for _, q := range []pawl.Query{
				{Ready: true}, {Ready: true, Order: pawl.ByUrgency, Uncounted: true, Limit: 3}, {Status: []pawl.Status{pawl.InProgress}}, {Status: []pawl.Status{pawl.Pending}, Limit: 7},
				{Owner: "bot"}, {Labels: []string{"l4"}}, {Text: "x", Limit: 2}, {LeaseBefore: now}, {LeaseBefore: now, Uncounted: true}, {LeaseBefore: now.Add(-56 * time.Minute), Limit: 5},
			} {
				page, err := r.Select(q)
				if err != nil {
					return err
				}
				said += fmt.Sprintf("%d of %d:", len(page.Tasks), page.Total)
				for _, task := range page.Tasks {
					said += fmt.Sprintf(" %v %s", task.ID, task.Status)
				}
				said += fmt.Sprintln(page.Next != nil)
			}
			return nil
		})
		must.Do(t, err)
		claimed := do(pawl.ClaimTask{})
		said += fmt.Sprint("claimed ", claimed.IDs)
		for set, err := range board.Changes(t.Context(), pawl.Span{Backward: true}) {
			must.Do(t, err)
			said += fmt.Sprint(" ", set.Verb, len(set.Changes))
		}
		all = append(all, said)
	}
	if all[0] != all[1] {
		t.Errorf("in memory\n%.3000s\nin the database\n%.3000s", all[0], all[1])
	}
}
