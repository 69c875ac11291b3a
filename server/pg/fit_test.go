package pg_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

// named is the address of another database of the same server.
func named(t *testing.T, dsn, name string) string {
	t.Helper()
	u := must.Get(url.Parse(dsn))(t)
	u.Path = "/" + name
	return u.String()
}

// A database that cannot keep every text is refused before anything is written to it, and
// by servers of one that had its tables before.
func TestEncodings(t *testing.T) {
	pgtest.Need(t)
	c := pgtest.Server(t)
	own := c.Database(t)
	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		name := "pawl_" + strings.ToLower(encoding)
		c.SQL(t, own, "drop database if exists "+name)
		c.SQL(t, own, "create database "+name+" encoding '"+encoding+"' locale_provider libc locale 'C' template template0")
		t.Cleanup(func() { _ = c.Drop(name) })
		dsn := named(t, own, name)
		_, _, migrated := pg.Migrate(t.Context(), dsn)
		if made := c.SQL(t, dsn, "select to_regnamespace('pawl') is null"); made != "t" {
			t.Errorf("%s: something was made", encoding)
		}
		db, opened := pg.Open(t.Context(), dsn)
		if opened == nil {
			db.Close()
		}
		for _, err := range []error{migrated, opened} {
			if pawl.KindOf(err) != pawl.Invalid || !strings.Contains(err.Error(), "has the encoding "+encoding+", which cannot keep all texts") {
				t.Errorf("%s: %v", encoding, err)
			}
		}
	}
}
