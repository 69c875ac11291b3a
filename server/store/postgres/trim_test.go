package postgres_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A board that has far more history than is to be kept, as after a bound was lowered,
// loses it in goes: no commit removes more than 2,000 change sets, and the rest stays
// whole until the next.
func TestTrimInGoes(t *testing.T) {
	const all, bound, most = 5_000, 100, 2_000
	server := pgtest.Server(t)
	dsn := server.From(t, "boards", func(dsn string) error {
		_, _, err := pg.Migrate(t.Context(), dsn)
		return err
	})
	db, err := pg.Open(t.Context(), dsn)
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	boards := postgres.Over(db, postgres.WithHistory(0))
	must.Do(t, boards.Make(t.Context(), "shop"))
	store := boards.Board("shop")
	requests := make([]pawl.Request, 250)
	for range all / len(requests) {
		for i := range requests {
			requests[i] = pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: fmt.Sprint("task ", i)}}}}
		}
		must.Do(t, errOf(pawl.NewBoard(store).DoAll(t.Context(), requests...)))
	}
	var origin pawl.Revision
	must.Do(t, store.View(t.Context(), func(r pawl.Reader) error { origin = r.Origin(); return nil }))
	count := func(table string) int {
		t.Helper()
		n, err := strconv.Atoi(server.SQL(t, dsn, "select count(*) from pawl."+table))
		must.Do(t, err)
		return n
	}
	if n := count("change"); n != all {
		t.Fatalf("%d change sets are kept of %d", n, all)
	}
	bounded := postgres.Over(db, postgres.WithHistory(bound)).Board("shop")
	left := all
	for round := 1; left > bound; round++ {
		subject := fmt.Sprint("once more ", round)
		must.Do(t, errOf(pawl.NewBoard(bounded).Do(t.Context(), pawl.Request{Op: pawl.Update{ID: 1, Subject: &subject}})))
		left = max(left+1-most, bound)
		if n, touched := count("change"), count("touched"); n != left || touched != left {
			t.Fatalf("commit %d leaves %d change sets, and %d rows of tasks in them; want %d", round, n, touched, left)
		}
		read, gone := 0, pawl.Revision(0)
		for _, err := range bounded.Changes(t.Context(), pawl.Span{After: origin, Backward: true}) {
			if e, ok := errors.AsType[*pawl.Error](err); ok && errors.Is(err, pawl.Gone) {
				gone = e.Revision
			} else if err != nil {
				t.Fatal(err)
			} else {
				read++
			}
		}
		if want := origin + pawl.Revision(all+round-left); read != left || gone != want {
			t.Errorf("after commit %d %d sets are read, and those up to %d are gone; want %d and %d", round, read, gone, left, want)
		}
	}
}
