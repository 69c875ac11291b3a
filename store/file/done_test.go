package file

import (
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What was done last is found in the index as in what has changed since, page by
// page.
func TestNewestDone(t *testing.T) {
	now := noon
	store, err := Open("sim", withFS(newDisk().process()), WithClock(func() time.Time { return now }))
	must.Do(t, err)
	board := pawl.NewBoard(store)
	defer board.Close()
	do := func(op pawl.Op) {
		t.Helper()
		now = now.Add(time.Minute)
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op})))
	}
	do(create("a", "b", "c", "d", "e", "f"))
	for _, id := range []pawl.ID{3, 6, 1} {
		do(pawl.Complete{IDs: []pawl.ID{id}})
	}
	for range 2 * checkpointRecords {
		do(pawl.AddNote{ID: 2, Text: "until the index is written"})
	}
	do(pawl.Complete{IDs: []pawl.ID{4}})
	want := []pawl.ID{4, 1, 6, 3}
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []pawl.ID
		err := board.View(t.Context(), func(r pawl.Reader) error {
			table := store.loaded.table
			if _, changed := table.changed(1); changed || table.base.len() == 0 {
				t.Error("#1 is not in the index")
			}
			for q := (pawl.Query{Status: []pawl.Status{pawl.Completed}, Order: pawl.ByCompletion, Limit: limit}); ; {
				page, err := r.Select(q)
				if err != nil {
					return err
				}
				for _, task := range page.Tasks {
					got = append(got, task.ID)
				}
				if q.After = page.Next; q.After == nil || len(got) > len(want) {
					return nil
				}
			}
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %v, want %v (%v)", limit, got, want, err)
		}
	}
}
