package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A commit whose wait for a standby somebody cancels is one for PostgreSQL, which only
// warns. Nobody hears of it as done before a standby has it.
func TestCancelledWait(t *testing.T) {
	pgtest.NeedOwn(t)
	server := pgtest.Start(t, pgtest.Options{})
	dsn := server.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	db, err := pg.Open(t.Context(), dsn, pg.WithTimeout(5*time.Minute))
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	boards := postgres.Over(db)
	must.Do(t, boards.Make(t.Context(), "shop"))
	board := pawl.NewBoard(boards.Board("shop"))
	for _, test := range []struct {
		name string
		do   func() error
	}{
		{"a change", func() error {
			_, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
			return err
		}},
		{"a statement of its own", func() error { return boards.Make(t.Context(), "other") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			must.Do(t, server.Synchronous("nobody", 0))
			defer server.Synchronous("", 0) // else nothing ends
			done := make(chan error, 1)
			go func() { done <- test.do() }()
			// waiting is the commit that waits, other than one that did before.
			waiting := func(before string) string {
				for {
					now := server.SQL(t, dsn, "select pid || ' ' || query_start from pg_stat_activity where wait_event = 'SyncRep'")
					if now != "" && now != before {
						return now
					}
					select {
					case err := <-done:
						t.Fatalf("no standby has it, and it is answered with %v", err)
					default:
					}
				}
			}
			first := waiting("")
			pid, _, _ := strings.Cut(first, " ")
			server.SQL(t, dsn, "select pg_cancel_backend("+pid+")")
			waiting(first)
			must.Do(t, server.Synchronous("", 0))
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}
