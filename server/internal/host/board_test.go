package host

import (
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

// A database that was moved to another cluster from a dump gives no number again, also if
// an administrator is the first to come back.
func TestAfterMove(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	at := must.Get(address.Parse(dsn + map[bool]string{true: "&", false: "?"}[strings.Contains(dsn, "?")] + "board=shop"))(t)
	database := must.Get(connect(t.Context(), at))(t)
	must.Do(t, errors.Join(database.Make(t.Context(), at.Board), database.Close()))
	create := func() pawl.Result {
		t.Helper()
		store, err := inDatabase(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		made, err := pawl.NewBoard(store).Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
		must.Do(t, errors.Join(err, store.Close()))
		return made
	}
	first := create()
	if next := create(); next.Revision != first.Revision+1 || next.IDs[0] != 2 {
		t.Fatalf("the second task is %s at %d, after %d", next.IDs[0], next.Revision, first.Revision)
	}
	server.SQL(t, dsn, "update pawl.server set value = '4711' where key = 'system'")
	if next := create(); next.Revision < first.Revision+1_000_000 || next.IDs[0] < 10_000 {
		t.Errorf("after a move the next task is %s at %d, after %d", next.IDs[0], next.Revision, first.Revision)
	}
}
