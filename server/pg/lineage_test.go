package pg_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

// An old primary that comes back after a failover, or that never noticed it, is not used:
// neither by who saw the new one, nor by who is told of it, whatever connections are open.
func TestLeftBehind(t *testing.T) {
	old := pgtest.Start(t, pgtest.Options{})
	name := must.Get(old.Create("template1"))(t)
	must.Do(t, migrated(old.Address(name)))
	standby := old.Standby(t, "b")
	newer := standby.Address(name)
	must.Do(t, standby.Await("select pg_last_wal_replay_lsn() >= '"+old.SQL(t, old.DSN(), "select pg_current_wal_lsn()")+"'"))
	both := open(t, pgtest.Either(name, old, standby), pg.WithTimeout(3*time.Second))
	where := func(db *pg.Database) (port string, err error) {
		err = db.Query(ctx, nil, func(rows pg.Rows) error { return rows.Scan(&port) }, "select current_setting('port')")
		return port, err
	}
	is := func(db *pg.Database, want *pgtest.Cluster) {
		t.Helper()
		if port, err := where(db); err != nil || !strings.HasSuffix(want.Addr(), ":"+port) {
			t.Errorf("it works at port %s, not at %s: %v", port, want.Addr(), err)
		}
	}
	is(both, old)
	first := both.Lineage()
	if first.System == "" || first.Timeline != 1 {
		t.Fatalf("the lineage is %+v", first)
	}
	if err := standby.Promote(); err != nil { // and nobody stops the other one
		t.Fatal(err)
	}
	seen := open(t, newer).Lineage()
	if seen.System != first.System || seen.Timeline != 2 {
		t.Fatalf("after the promotion the lineage is %+v, and was %+v", seen, first)
	}
	is(both, old) // nobody has told it yet
	both.Follow(seen)
	is(both, standby)
	both.Follow(first) // what is older is no news
	is(both, standby)
	both.Follow(pg.Lineage{System: "4711", Timeline: 9})
	is(both, standby)

	standby.Kill()
	if _, err := where(both); err == nil || !strings.Contains(err.Error(), "timeline 1") || pawl.KindOf(err) != pawl.Unavailable {
		t.Errorf("when only the old primary is there: %v", err)
	}
	must.Do(t, standby.Restart())
	is(both, standby)

	// With sslmode=prefer, the usual one, PostgreSQL without TLS is also tried with it.
	alone := open(t, strings.Replace(old.Address(name), "=disable", "=prefer", 1), pg.WithTimeout(2*time.Second))
	is(alone, old)
	alone.Follow(seen)
	if _, err := where(alone); err == nil || !strings.Contains(err.Error(), "left behind") {
		t.Errorf("an address of the old primary alone: %v", err)
	}
}

// Where a login may not ask for the lineage, all else works.
func TestLineageUnknown(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.From(t, "pawl", migrated)
	role := "pawl_" + strings.ToLower(t.Name())
	server.SQL(t, dsn, "revoke execute on function pg_control_system() from public; create role "+role+" login; grant usage on schema pawl to "+role+"; grant all on all tables in schema pawl to "+role)
	t.Cleanup(func() { server.SQL(t, dsn, "drop owned by "+role+"; drop role "+role) })
	db := open(t, strings.Replace(dsn, "postgres@", role+"@", 1))
	if is := db.Lineage(); is != (pg.Lineage{}) {
		t.Errorf("the lineage is %+v", is)
	}
	if err := db.Live(ctx); err != nil {
		t.Error(err)
	}
}
