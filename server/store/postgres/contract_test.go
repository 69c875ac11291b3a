package postgres_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/storetest"
)

// open opens the boards of a new database, which is closed with the test.
func open(t testing.TB) *pg.Database {
	t.Helper()
	pgtest.Need(t)
	dsn := pgtest.Server(t).Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	db, err := pg.Open(t.Context(), dsn)
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestContract(t *testing.T) {
	db := open(t)
	var names atomic.Int64
	made := map[pawl.Store]string{}
	board := func(t *testing.T, name string, clock func() time.Time, options ...postgres.Option) pawl.Store {
		boards := postgres.Over(db, append(options, postgres.WithClock(clock))...)
		must.Do(t, boards.Make(t.Context(), name))
		store := boards.Board(name)
		made[store] = name
		return store
	}
	storetest.Run(t,
		func(t *testing.T, clock func() time.Time) pawl.Store {
			return board(t, fmt.Sprint("b", names.Add(1)), clock)
		},
		storetest.Reopen(func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store {
			return board(t, made[closed], clock)
		}),
		storetest.Shared(func(t *testing.T, open pawl.Store, clock func() time.Time) pawl.Store {
			return board(t, made[open], clock)
		}),
		storetest.Bounded(20, func(t *testing.T, clock func() time.Time) pawl.Store {
			return board(t, fmt.Sprint("b", names.Add(1)), clock, postgres.WithHistory(20))
		}),
	)
}
