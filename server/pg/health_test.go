package pg_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

// What an administrator has set wrongly is said in a sentence with the next step, and what
// is well is not.
func TestHealth(t *testing.T) {
	pgtest.NeedOwn(t)
	c := pgtest.Start(t, pgtest.Options{Durable: true})
	dsn := c.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	c.SQL(t, dsn, "create role plain login; grant usage on schema pawl to plain; grant all on all tables in schema pawl to plain")
	as := func(user string) string {
		u := must.Get(url.Parse(dsn))(t)
		u.User = url.User(user)
		return u.String()
	}
	ask := func(t *testing.T, dsn string) pg.Health {
		t.Helper()
		db := must.Get(pg.Open(t.Context(), dsn))(t)
		defer db.Close()
		h := must.Get(db.Health(t.Context()))(t)
		return h
	}
	well := ask(t, as("plain"))
	if len(well.Findings) > 0 || well.Level != pg.Level || well.Version == "" || well.RoundTrip <= 0 || well.TLS {
		t.Errorf("of a database that is well: %+v", well)
	}
	for _, one := range []struct {
		name, user, set, says, next string
		loses                       bool
	}{
		{"superuser", "postgres", "", "this user is a superuser", "docs/many-machines.md", false},
		{"fsync", "plain", "fsync = off", "fsync is off: a crash of the machine can lose", "set fsync = on", true},
		{"full pages", "plain", "full_page_writes = off", "full_page_writes is off", "set full_page_writes = on", true},
		{"commit", "plain", "synchronous_commit = off", "synchronous_commit is off", "set synchronous_commit = on", true},
		{"autovacuum", "plain", "autovacuum = off", "autovacuum is off: the tables grow", "set autovacuum = on", false},
		{"local commits", "plain", "synchronous_commit = local; synchronous_standby_names = 'b'", "synchronous_commit is local", "set synchronous_commit = on", true},
		{"nobody stands by", "postgres", "synchronous_standby_names = 'b'", "no synchronous standby is attached", "start a standby", true},
		{"nobody stands by, and the user may not know", "plain", "synchronous_standby_names = 'b'", "nothing can be written", "whether its standbys run", true},
	} {
		t.Run(one.name, func(t *testing.T) {
			if one.set != "" {
				for set := range strings.SplitSeq(one.set, "; ") {
					c.SQL(t, dsn, "alter system set "+set)
				}
				defer c.SQL(t, dsn, "select pg_reload_conf()")
				defer c.SQL(t, dsn, "alter system reset all")
				c.SQL(t, dsn, "select pg_reload_conf()")
				name, _, _ := strings.Cut(one.set, " ")
				must.Do(t, c.Await("select source = 'configuration file' and sourcefile like '%auto.conf' from pg_settings where name = '"+name+"'"))
			}
			h := ask(t, as(one.user))
			if !slices.ContainsFunc(h.Findings, func(f pg.Finding) bool {
				return strings.Contains(f.Text, one.says) && strings.Contains(f.Next, one.next) && f.Loses == one.loses
			}) {
				t.Errorf("found %+v", h.Findings)
			}
			if (len(h.Dangers()) > 0) != one.loses {
				t.Errorf("dangers are %+v", h.Dangers())
			}
		})
	}
}
