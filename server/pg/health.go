package pg

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Health is what a database, and the way to it, are like.
type Health struct {
	Version   string        // of PostgreSQL
	Level     int64         // of the tables
	RoundTrip time.Duration // of an empty question
	TLS       bool
	Ahead     time.Duration // the database's clock, of this machine's
	Standbys  int           // that are attached
	Sync      int           // those that a commit waits for, as far as this user may know
	Findings  []Finding

	stuck bool // no commit comes to its end
}

// A Finding is something about a database that its administrator should know.
type Finding struct {
	Text  string // one sentence
	Next  string // what to do
	Loses bool   // what was acknowledged can be lost, or nothing goes on: not only advice
}

// Thresholds of findings.
const (
	slowTrip  = 50 * time.Millisecond
	farOff    = 2 * time.Minute
	hintsTime = 2 * time.Second
)

// settings are those of PostgreSQL that count.
type settings struct {
	fsync, fullPages, commit, standbyNames, autovacuum string
	super                                              bool
	named                                              bool // the user may know which standbys are synchronous
}

// Health asks the database how it is set up.
func (d *Database) Health(ctx context.Context) (h Health, err error) {
	ctx, done := d.Wait(ctx)
	defer done()
	err = d.with(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		h = Health{Version: conn.Conn().PgConn().ParameterStatus("server_version")}
		s, err := h.ask(ctx, conn.Conn())
		if err != nil {
			return err
		}
		h.line(conn.Conn().PgConn())
		h.judge(s)
		return nil
	})
	if err != nil {
		return h, d.Error(d.misfit(ctx, err))
	}
	if text, next := d.Exposed(); text != "" {
		h.find(false, "%s", next, text)
	}
	if h.stuck {
		return h, nil
	}
	switch heard, err := d.hears(ctx); {
	case err != nil:
		h.find(true, "the database answers, but nothing can be written: %v", "see the log of PostgreSQL, and whether its standbys run", d.Error(err))
	case !heard:
		h.find(false, "a pooler between does not pass on LISTEN, so that changes by other servers are seen late, and prepared statements may fail", "connect to PostgreSQL itself, or let the pooler work by session: docs/many-machines.md")
	}
	return h, nil
}

func (h *Health) find(loses bool, text, next string, args ...any) {
	h.Findings = append(h.Findings, Finding{fmt.Sprintf(text, args...), next, loses})
}

// ask reads the settings, and takes the time.
func (h *Health) ask(ctx context.Context, conn *pgx.Conn) (s settings, err error) {
	for range 3 {
		start := time.Now()
		if err := conn.Ping(ctx); err != nil {
			return s, err
		}
		if took := time.Since(start); h.RoundTrip == 0 || took < h.RoundTrip {
			h.RoundTrip = took
		}
	}
	var ms int64
	start := time.Now()
	if err := conn.QueryRow(ctx, "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint").Scan(&ms); err != nil {
		return s, err
	}
	h.Ahead = time.UnixMilli(ms).Sub(start.Add(time.Since(start) / 2))
	err = conn.QueryRow(ctx, `select (select level from pawl.meta), current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
		current_setting('synchronous_standby_names'), current_setting('autovacuum'), (select rolsuper from pg_roles where rolname = current_user),
		(select count(*) from pg_stat_replication), (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')),
		pg_has_role(current_user, 'pg_read_all_stats', 'usage')`).
		Scan(&h.Level, &s.fsync, &s.fullPages, &s.commit, &s.standbyNames, &s.autovacuum, &s.super, &h.Standbys, &h.Sync, &s.named)
	return s, err
}

// line looks at the way to the database.
func (h *Health) line(conn *pgconn.PgConn) {
	if _, h.TLS = conn.Conn().(*tls.Conn); h.TLS {
		return
	}
	if host, _, err := net.SplitHostPort(conn.Conn().RemoteAddr().String()); err == nil {
		if ip := net.ParseIP(host); ip != nil && !ip.IsLoopback() {
			h.find(false, "the connection to "+host+" has no TLS: others on the network can read and change what goes over it", "add sslmode=verify-full to the address: docs/many-machines.md")
		}
	}
}

// judge finds what is not as it should be.
func (h *Health) judge(s settings) {
	const loses = "%s is %s: a crash of the machine can lose what was acknowledged"
	for _, set := range []struct{ name, value string }{{"fsync", s.fsync}, {"full_page_writes", s.fullPages}, {"synchronous_commit", s.commit}} {
		if set.value == "off" {
			h.find(true, loses, "set "+set.name+" = on in postgresql.conf, then: select pg_reload_conf()", set.name, set.value)
		}
	}
	switch {
	case s.standbyNames != "" && s.commit == "local":
		h.find(true, "synchronous_commit is local: no commit waits for the standbys that synchronous_standby_names has, so a failover can lose what was acknowledged", "set synchronous_commit = on in postgresql.conf, then: select pg_reload_conf()")
	case s.standbyNames != "" && s.named && h.Sync == 0:
		h.stuck = true
		h.find(true, "no synchronous standby is attached, though synchronous_standby_names asks for one: no change goes on until one is", "start a standby, or name one that runs: docs/many-machines.md")
	case s.standbyNames == "" && h.Standbys > 0:
		h.find(false, "no standby is synchronous: a failover can lose what was acknowledged", "set synchronous_standby_names in postgresql.conf: docs/many-machines.md")
	}
	if s.autovacuum == "off" {
		h.find(false, "autovacuum is off: the tables grow, and requests become slow", "set autovacuum = on in postgresql.conf, then: select pg_reload_conf()")
	}
	if s.super {
		h.find(false, "this user is a superuser of PostgreSQL, and needs far less", "let Pawl log in as a role of its own: docs/many-machines.md")
	}
	if h.RoundTrip > slowTrip {
		h.find(false, "the database takes %s to answer an empty question, and each change takes several of them", "run the server of Pawl near the database", h.RoundTrip.Round(time.Millisecond))
	}
	if h.Ahead.Abs() > farOff {
		way := map[bool]string{true: "behind", false: "ahead of"}[h.Ahead > 0]
		h.find(false, "this machine's clock is %s %s the database's, which decides leases", "set the clocks, by NTP for example", h.Ahead.Abs().Round(time.Second), way)
	}
}

// hears commits a hint by NOTIFY, and reports whether it arrives.
func (d *Database) hears(ctx context.Context) (heard bool, err error) {
	ctx, done := context.WithTimeout(ctx, 2*hintsTime)
	defer done()
	err = d.with(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		topic := "pawl_" + strings.ToLower(rand.Text())
		if _, err := conn.Exec(ctx, "listen "+topic); err != nil {
			return err
		}
		defer func() {
			ending, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer done()
			_, _ = conn.Exec(ending, "unlisten "+topic) // without an answer the connection is closed
		}()
		// The message lets the commit wait for standbys, as one that writes does.
		if _, err := d.Exec(ctx, "select pg_notify($1, ''), pg_logical_emit_message(true, 'pawl', '')", topic); err != nil {
			return err
		}
		soon, done := context.WithTimeout(ctx, hintsTime)
		defer done()
		n, err := conn.Conn().WaitForNotification(soon)
		heard = err == nil && n.Channel == topic
		return nil
	})
	return heard, err
}

// Dangers are the findings that can lose acknowledged changes.
func (h *Health) Dangers() (some []Finding) {
	for _, f := range h.Findings {
		if f.Loses {
			some = append(some, f)
		}
	}
	return some
}
