//go:build unix

package server

import (
	"context"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
)

// migrated makes a database on a server of PostgreSQL, with Pawl's tables in it, and
// returns its address.
func migrated(t *testing.T, dsn string) string {
	t.Helper()
	if said := NewMachine(t).Pawl("", "serve", "migrate", "--store", dsn); said.Code != 0 {
		t.Fatalf("serve migrate: %s%s", said.Out, said.Err)
	}
	return dsn
}

// instances are several `pawl serve` of one database.
func instances(t *testing.T, n int, o Options) (all []*Server) {
	t.Helper()
	for range n {
		all = append(all, Start(t, o))
	}
	return all
}

// TestPostgresKilled: PostgreSQL is killed with all its processes, or an instance of the
// server, or all of them at once, while clients of two instances work; and started again.
func TestPostgresKilled(t *testing.T) {
	long.Only(t)
	database := pgtest.Start(t, pgtest.Options{Durable: true})
	restart := func() { must(t, database.Restart()) }
	for _, kill := range []struct {
		what string
		do   func(servers []*Server, n int)
	}{
		{"PostgreSQL", func([]*Server, int) { database.Kill(); restart() }},
		{"an instance", func(s []*Server, n int) { s[n%len(s)].Kill(); s[n%len(s)].Again() }},
		{"everything", func(s []*Server, _ int) {
			database.Kill()
			for _, one := range s {
				one.Kill()
			}
			restart()
			for _, one := range s {
				one.Again()
			}
		}},
	} {
		t.Run(kill.what, func(t *testing.T) {
			servers := instances(t, 2, Options{Store: migrated(t, database.Database(t))})
			c := NewCampaign(t, "shop", *clients, servers...)
			n := 0
			c.Under(*kills, 4**tasks, func() { kill.do(servers, n); n++ })
			c.Check()
		})
	}
}

// A pair is a primary of PostgreSQL and a standby that it waits for.
type pair struct {
	testing.TB
	primary, standby *pgtest.Cluster
	names            map[*pgtest.Cluster]string
	dsn              string // of a database with Pawl's tables, wherever it takes writes
}

func newPair(t *testing.T, synchronous bool) *pair {
	t.Helper()
	p := &pair{TB: t, primary: pgtest.Start(t, pgtest.Options{Durable: true})}
	p.standby = p.primary.Standby(t, "b")
	p.names = map[*pgtest.Cluster]string{p.primary: "a", p.standby: "b"}
	if synchronous {
		p.wait()
	}
	name, err := p.primary.Create("template1")
	must(t, err)
	p.dsn = migrated(t, pgtest.Either(name, p.primary, p.standby))
	return p
}

// wait makes the primary wait for the standby.
func (p *pair) wait() {
	p.Helper()
	must(p.TB, p.primary.Synchronous("ANY 1 ("+p.names[p.standby]+")", 1))
}

// fail kills the primary and lets the standby take its place.
func (p *pair) fail() {
	p.Helper()
	p.primary.Kill()
	must(p.TB, p.standby.Promote())
	p.primary, p.standby = p.standby, p.primary
}

// mend makes the server that was killed the standby of the other one.
func (p *pair) mend() {
	p.Helper()
	must(p.TB, p.standby.Follow(p.primary, p.names[p.standby]))
	p.wait()
}

// TestFailover: the primary is killed while clients work, and the synchronous standby
// takes its place: nothing that a client was told is lost, and all go on by themselves.
func TestFailover(t *testing.T) {
	p := newPair(t, true)
	c := NewCampaign(t, "shop", *clients, instances(t, 2, Options{Store: p.dsn})...)
	c.Under(*kills, 4**tasks, func() { p.fail(); p.mend() })
	c.Check()
	for _, outage := range c.Outages() {
		if outage > 30*time.Second {
			t.Errorf("clients waited %v", outage)
		}
	}
}

// TestFailoverLoses keeps TestFailover honest: a standby for which the primary does not
// wait has fallen behind when it takes its place, and the check sees what is lost.
func TestFailoverLoses(t *testing.T) {
	long.Only(t)
	p := newPair(t, false)
	s := Start(t, Options{Store: p.dsn})
	c := NewCampaign(t, "shop", *clients, s)
	Fill(t, c.Boss, *tasks)
	must(t, p.standby.Await("SELECT pg_last_wal_replay_lsn() >= '"+p.primary.SQL(t, p.primary.DSN(), "SELECT pg_current_wal_lsn()")+"'"))
	must(t, p.standby.FreezeReceiver())
	for _, w := range c.Workers {
		if _, err := w.Do(t.Context(), 0, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	p.primary.Kill()
	s.Kill()
	p.standby.Kill() // what it has received and not read is gone with it
	must(t, p.standby.Restart())
	must(t, p.standby.Promote())
	lost, err := c.Ledger.Losses(pawl.NewBoard(s.Kept("shop")))
	must(t, err)
	if len(lost) != len(c.Workers) {
		t.Errorf("%d of %d claims are seen to be lost", len(lost), len(c.Workers))
	}
	t.Logf("%d claims acknowledged, %d lost", len(c.Workers), len(lost))
}

// Losses returns the acknowledged deeds that a board lacks.
func (l *Ledger) Losses(board *pawl.Board) (lost []Deed, err error) {
	sets := map[pawl.Revision]pawl.ChangeSet{}
	for set, err := range board.Changes(context.Background(), pawl.Span{}) {
		if err != nil {
			return nil, err
		}
		sets[set.Revision] = set
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.deeds {
		if set := sets[d.Revision]; d.Err == nil && d.Revision != 0 && !d.is(&set) {
			lost = append(lost, d)
		}
	}
	return lost, nil
}
