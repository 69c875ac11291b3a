package postgres_test

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// Old results of requests are removed while commits go on, also while the table has
// another name: between the migration that renames it and the one after, a view stands
// in its place, which has no ctid.
func TestTidy(t *testing.T) {
	for name, view := range map[string]bool{"table": false, "view": true} {
		t.Run(name, func(t *testing.T) {
			server := pgtest.Server(t)
			dsn := server.From(t, "boards", func(dsn string) error {
				_, _, err := pg.Migrate(t.Context(), dsn)
				return err
			})
			if view {
				server.SQL(t, dsn, "alter table pawl.op rename to answer; create view pawl.op as select * from pawl.answer")
			}
			db, err := pg.Open(t.Context(), dsn)
			must.Do(t, err)
			t.Cleanup(func() { db.Close() })
			boards := postgres.Over(db)
			must.Do(t, boards.Make(t.Context(), "shop"))
			board := pawl.NewBoard(boards.Board("shop"))
			create := func(id string) {
				t.Helper()
				must.Do(t, errOf(board.DoAll(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: id}}}, ID: pawl.OpID(id)})))
			}
			create("old")
			server.SQL(t, dsn, "update pawl.op set at = 1")
			const most = 600 // commits, one of which tidies
			for i := range most {
				create(fmt.Sprint("new", i))
			}
			if got := server.SQL(t, dsn, "select count(*) filter (where op = 'old') || ' old, ' || count(*) || ' in all' from pawl.op"); got != fmt.Sprintf("0 old, %d in all", most) {
				t.Errorf("%s", got)
			}
		})
	}
}
