package pg_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

var ctx = context.Background()

func migrated(dsn string) error {
	_, _, err := pg.Migrate(ctx, dsn)
	return err
}

func open(t *testing.T, dsn string, options ...pg.Option) *pg.Database {
	t.Helper()
	db := must.Get(pg.Open(ctx, dsn, options...))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// PostgreSQL answers the commit of a transaction in which a query has failed by undoing
// it, and does not call that an error.
func TestCommitOfAFailedTransaction(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.From(t, "pawl", migrated)
	db := open(t, dsn)
	tx := must.Get(db.Begin(ctx, func(b *pg.Batch) { b.Queue("insert into pawl.server values ('a', 'b')") }))(t)
	defer tx.Close()
	var b pg.Batch
	b.Queue("select 1 / 0")
	if tx.Send(ctx, &b) == nil {
		t.Fatal("a division by nothing is answered")
	}
	if err := tx.Commit(ctx, &pg.Batch{}); err == nil || errors.Is(err, pg.ErrUnknown) {
		t.Errorf("the commit is answered with %v", err)
	}
	if n := server.SQL(t, dsn, "select count(*) from pawl.server"); n != "0" {
		t.Errorf("%s rows", n)
	}
}

// Who reads slowly keeps neither writers waiting nor itself.
func TestSnapshotsLeaveRoom(t *testing.T) {
	db := open(t, pgtest.Server(t).From(t, "pawl", migrated), pg.WithTimeout(time.Minute))
	for range 16 {
		tx := must.Get(db.Snapshot(ctx, func(b *pg.Batch) { b.Queue("select 1") }))(t)
		defer tx.Close()
	}
	if err := db.Live(ctx); err != nil {
		t.Errorf("while snapshots are read: %v", err)
	}
	waiting, done := db.Wait(ctx)
	defer done()
	tx, err := db.Begin(waiting, func(b *pg.Batch) { b.Queue("select 1") })
	if err != nil {
		t.Fatalf("while snapshots are read: %v", err)
	}
	tx.Close()
}

// What would fail again is not waited for, and what may work again says so.
func TestErrors(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.From(t, "pawl", migrated)
	db := open(t, dsn, pg.WithTimeout(3*time.Second))
	began := time.Now()
	_, err := pg.Open(ctx, server.Address("nonesuch"), pg.WithTimeout(5*time.Minute))
	if err == nil || strings.Contains(err.Error(), "postgres@") || time.Since(began) > time.Minute {
		t.Errorf("no such database: %v after %v", err, time.Since(began))
	}
	if again(err) {
		t.Errorf("it is to be tried again: %v", err)
	}
	if err := db.Query(ctx, nil, func(pg.Rows) error { return nil }, "select pg_sleep(60)"); !again(err) {
		t.Errorf("too slow: %v", err)
	}
}

// A server without TLS, where the address asks for it, is not tried again and again.
func TestNoTLS(t *testing.T) {
	at, err := url.Parse(pgtest.Server(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	q := at.Query()
	q.Set("sslmode", "verify-full")
	at.RawQuery = q.Encode()
	began := time.Now()
	_, err = pg.Open(ctx, at.String(), pg.WithTimeout(5*time.Minute))
	if err == nil || !strings.Contains(err.Error(), "TLS") && !strings.Contains(err.Error(), "certificate") || again(err) || time.Since(began) > time.Minute {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
}

// again reports whether an error says that the same is worth trying again.
func again(err error) bool {
	e, ok := errors.AsType[*pawl.Error](err)
	return ok && e.Kind == pawl.Unavailable && e.Hint.Step == pawl.HintRetry
}

// After the loss of one connection the others that are older are not used again: a
// machine that is gone is found out once, not once for each connection.
func TestLostOnce(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.From(t, "pawl", migrated)
	db := open(t, dsn)
	var all []*pg.Tx
	for range 8 {
		tx := must.Get(db.Begin(ctx, func(b *pg.Batch) { b.Queue("select 1") }))(t)
		all = append(all, tx)
	}
	for _, tx := range all {
		tx.Close()
	}
	backends := func() string {
		return server.SQL(t, dsn, "select string_agg(pid::text, ' ' order by pid) from pg_stat_activity where datname = current_database() and application_name = 'pawl'")
	}
	before := strings.Fields(backends())
	server.SQL(t, dsn, "select pg_terminate_backend("+before[0]+")")
	for range 20 { // sooner or later the one that was ended is taken
		for i := range all {
			tx := must.Get(db.Begin(ctx, func(b *pg.Batch) { b.Queue("select 1") }))(t)
			all[i] = tx
		}
		for _, tx := range all {
			tx.Close()
		}
	}
	now := backends()
	for _, pid := range before {
		if strings.Contains(" "+now+" ", " "+pid+" ") {
			t.Errorf("backend %s is used still: %s, then %s", pid, before, now)
		}
	}
}

// A connection that does not answer takes half of a request's time at most. In the other
// half the request is served by another one.
func TestSilentConnection(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	dsn := server.From(t, "pawl", migrated)
	const timeout = 8 * time.Second
	for name, ask := range map[string]func(context.Context, *pg.Database) error{
		"a transaction": func(ctx context.Context, db *pg.Database) error {
			tx, err := db.Begin(ctx, func(b *pg.Batch) { b.Queue("select 1") })
			if err == nil {
				tx.Close()
			}
			return err
		},
		"a question": func(ctx context.Context, db *pg.Database) error { return db.Live(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, dsn, pg.WithTimeout(timeout))
			ctx, done := db.Wait(t.Context())
			defer done()
			pid := 0
			must.Do(t, db.Query(ctx, nil, func(rows pg.Rows) error { return rows.Scan(&pid) }, "select pg_backend_pid()"))
			must.Do(t, server.FreezeBackend(pid))
			if err := ask(ctx, db); err != nil {
				t.Errorf("the pool has one connection that does not answer: %v", err)
			}
			now := 0
			if err := db.Query(t.Context(), nil, func(rows pg.Rows) error { return rows.Scan(&now) }, "select pg_backend_pid()"); err != nil || now == pid {
				t.Errorf("backend %d was frozen, and %d answers (%v)", pid, now, err)
			}
		})
	}
}
