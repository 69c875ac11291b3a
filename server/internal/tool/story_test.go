package tool_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/tool/tooltest"
)

// The stories of the tools, with boards in a database.
func TestStoriesInDatabase(t *testing.T) {
	pgtest.Need(t)
	tooltest.Play(t, "../../../tool/testdata/*.txtar", 8, false, func(t *testing.T) *tooltest.Story {
		s := tooltest.New(t)
		s.Far, s.Store = true, inDatabase(t)
		s.Begin()
		return s
	})
}

// inDatabase returns what makes empty boards in a database of the test's own, told the
// time by a clock. It waits for a real network, so not where time stands still.
func inDatabase(t testing.TB) func(clock func() time.Time) pawl.Store {
	t.Helper()
	dsn := pgtest.Server(t).From(t, "boards", func(dsn string) error {
		_, _, err := pg.Migrate(t.Context(), dsn)
		return err
	})
	db := must.Get(pg.Open(t.Context(), dsn))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	made := 0
	return func(clock func() time.Time) pawl.Store {
		made++
		boards, name := postgres.Over(db, postgres.WithClock(clock)), fmt.Sprint("board-", made)
		must.Do(t, boards.Make(t.Context(), name))
		return boards.Board(name)
	}
}
