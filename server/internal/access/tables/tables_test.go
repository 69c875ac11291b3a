package tables

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
)

var want = access.Token{Name: "ada", Person: true, Role: access.Work, Boards: []string{"shop", "blog"}}

// open returns a new, migrated database.
func open(t *testing.T) (db *pg.Database, dsn string) {
	t.Helper()
	dsn = pgtest.Server(t).From(t, "pawl", func(dsn string) error {
		_, _, err := pg.Migrate(t.Context(), dsn)
		return err
	})
	return connect(t, dsn), dsn
}

func connect(t *testing.T, dsn string) *pg.Database {
	t.Helper()
	db := must.Get(pg.Open(t.Context(), dsn))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func tokens(t *testing.T, db *pg.Database) (*access.Tokens, *Tokens) {
	t.Helper()
	in := In(db)
	all := must.Get(access.New(in))(t)
	return all, in
}

// What one server does to tokens, the other sees: a new one at once, one that ended at
// its next look.
func TestTwoServers(t *testing.T) {
	db, dsn := open(t)
	one, _ := tokens(t, db)
	other, table := tokens(t, connect(t, dsn))
	until := time.Now().Add(time.Hour)
	token := want
	token.Expires = until
	secret, made, err := one.Create(t.Context(), token, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := other.Lookup(secret)
	if err != nil || !got.Same(&made) || !got.Created.Equal(made.Created) || !got.Expires.Equal(until.UTC().Truncate(time.Millisecond)) {
		t.Errorf("the other server knows %+v, %v; made was %+v", got, err, made)
	}
	if _, err := other.Find(made.ID); err != nil {
		t.Error(err)
	}
	if ended, err := one.Revoke(t.Context(), "ada"); err != nil || len(ended) != 1 {
		t.Fatalf("revoked %v, %v", ended, err)
	}
	table.tried = time.Time{}
	table.Refresh(t.Context())
	if _, err := other.Lookup(secret); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("a revoked token: %v", err)
	}
	all, err := other.All(t.Context())
	if err != nil || len(all) != 1 || all[0].Revoked.IsZero() {
		t.Errorf("all are %+v, %v", all, err)
	}
	if text, err := pgtest.Server(t).Query(dsn, "select * from pawl.token, pawl.server"); err != nil || strings.Contains(text, secret[14:]) {
		t.Errorf("the database has the secret: %s, %v", text, err)
	}
}

// A token that a server has seen to be revoked holds at none after an older state of the
// database came back: at this server, at one that is started with what this has seen, and
// so at the others.
func TestRestored(t *testing.T) {
	for name, again := range map[string]func(was *Tokens, dsn string) *Tokens{
		"it runs on": func(was *Tokens, _ string) *Tokens { was.tried = time.Time{}; return was },
		"it is started again": func(was *Tokens, dsn string) *Tokens {
			is := In(connect(t, dsn))
			is.Remember(was.Ended())
			return is
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, dsn := open(t)
			all, table := tokens(t, db)
			secret, _, err := all.Create(t.Context(), want, false)
			if err != nil {
				t.Fatal(err)
			}
			stays := want
			stays.Name = "bob"
			kept, _, err := all.Create(t.Context(), stays, false)
			if err != nil {
				t.Fatal(err)
			}
			backup := pgtest.Server(t).Dump(t, dsn)
			if _, err := all.Revoke(t.Context(), "ada"); err != nil {
				t.Fatal(err)
			}
			pgtest.Server(t).Restore(t, backup, dsn)
			if back, err := access.New(In(connect(t, dsn))); err != nil {
				t.Fatal(err)
			} else if _, err := back.Lookup(secret); err != nil {
				t.Fatalf("the backup does not have the token: %v", err)
			}
			again(table, dsn).Refresh(t.Context())
			for _, in := range []*Tokens{table, In(connect(t, dsn))} {
				in.tried = time.Time{}
				in.Refresh(t.Context())
				server := must.Get(access.New(in))(t)
				if _, err := server.Lookup(secret); !errors.Is(err, access.ErrUnknown) {
					t.Errorf("the revoked token: %v", err)
				}
				if _, err := server.Lookup(kept); err != nil {
					t.Errorf("the other token: %v", err)
				}
			}
		})
	}
}

// Nobody is let in by what nobody could look at for some seconds, and a database that
// hangs lets each caller wait for a moment only.
func TestDatabaseAway(t *testing.T) {
	db, _ := open(t)
	all, table := tokens(t, db)
	secret, _, err := all.Create(t.Context(), want, false)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	table.now = func() time.Time { return now }
	db.Close()
	now = now.Add(trusted - time.Second)
	if _, err := all.Lookup(secret); err != nil {
		t.Errorf("a database that was away for three seconds: %v", err)
	}
	if _, err := all.Lookup("pawl_abcdefgh_x"); err == nil || errors.Is(err, access.ErrUnknown) {
		t.Errorf("a token that another server may have made since: %v", err)
	}
	now = now.Add(2 * time.Second)
	if _, err := all.Lookup(secret); err == nil || errors.Is(err, access.ErrUnknown) {
		t.Errorf("one that was away for longer: %v", err)
	}
	began := time.Now()
	for range 1000 {
		if _, err := all.Lookup(secret); err == nil {
			t.Fatal("it lets somebody in")
		}
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("a thousand callers waited %v", took)
	}
}

// A row that cannot be a token is named, and lets nobody in.
func TestHostileRow(t *testing.T) {
	db, dsn := open(t)
	all, _ := tokens(t, db)
	secret, made, err := all.Create(t.Context(), want, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []string{"role = 'root'", "boards = '{}'", "boards = '{*,shop}'", "sum = 'x'", "name = ' '", "id = 'x'"} {
		pgtest.Server(t).SQL(t, dsn, "begin; create table if not exists public.was as select * from pawl.token; update pawl.token set "+spoil+"; commit")
		other, err := access.New(In(db))
		if err == nil {
			if _, err = other.Lookup(secret); err == nil {
				t.Errorf("%s: somebody is let in", spoil)
			}
		} else if !strings.Contains(err.Error(), "pawl.token") {
			t.Errorf("%s: %v", spoil, err)
		}
		if _, err := all.Revoke(t.Context(), "ada"); err == nil {
			t.Errorf("%s: the tokens are changed", spoil)
		}
		pgtest.Server(t).SQL(t, dsn, "begin; delete from pawl.token; insert into pawl.token select * from public.was; commit")
	}
	other, err := access.New(In(db))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.Lookup(secret); err != nil || got.ID != made.ID {
		t.Errorf("when the row is whole again: %v, %v", got, err)
	}
}

// Several may change the tokens at once, and each sees what the others did.
func TestChangesAtOnce(t *testing.T) {
	db, dsn := open(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for range 8 {
		wg.Go(func() {
			all, _ := tokens(t, connect(t, dsn))
			_, _, err := all.Create(context.WithoutCancel(t.Context()), want, false)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, access.ErrNamed) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all, _ := tokens(t, db)
	if kept, err := all.All(t.Context()); won != 1 || len(kept) != 1 || err != nil {
		t.Errorf("%d servers made ada's first token, and %d are kept: %v", won, len(kept), err)
	}
}

// A change that fails keeps nothing, and a lost answer is found out.
func TestLostAnswer(t *testing.T) {
	db, _ := open(t)
	all, table := tokens(t, db)
	if err := table.Change(t.Context(), func(known map[string]access.Entry) error {
		known["aaaaaaaa"] = access.Entry{Token: want}
		return pawl.Errorf(pawl.Invalid, "no")
	}); !errors.Is(err, pawl.Invalid) {
		t.Error(err)
	}
	if kept, err := all.All(t.Context()); len(kept) != 0 || err != nil {
		t.Errorf("kept %v, %v", kept, err)
	}
	if _, _, err := all.Create(t.Context(), want, false); err != nil {
		t.Fatal(err)
	}
	lost := errors.New("lost")
	if err := table.settle(t.Context(), table.stamp, lost); err != nil {
		t.Errorf("a commit that happened: %v", err)
	}
	if err := table.settle(t.Context(), newStamp(), lost); err != lost {
		t.Errorf("one that did not: %v", err)
	}
}

// The last use of a token is kept, whichever server saw it.
func TestUses(t *testing.T) {
	db, _ := open(t)
	all, table := tokens(t, db)
	_, made, err := all.Create(t.Context(), want, false)
	if err != nil {
		t.Fatal(err)
	}
	late := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{late.Add(-time.Hour), late, late.Add(-time.Minute)} {
		must.Do(t, table.Use(t.Context(), map[string]time.Time{made.ID: at, "unknown1": at}))
	}
	if uses, err := table.Uses(t.Context()); err != nil || len(uses) != 1 || !uses[made.ID].Equal(late) {
		t.Errorf("uses %v, %v", uses, err)
	}
}

// Page keys of one server count at the other, and both know the address.
func TestShared(t *testing.T) {
	db, dsn := open(t)
	var keys [2]*access.PageKeys
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = PageKeys(t.Context(), connect(t, dsn)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	now := time.Now()
	if id, _, ok := keys[1].Token(keys[0].Make("aaaaaaaa", "shop", now.Add(time.Hour)), "shop", now); !ok || id != "aaaaaaaa" {
		t.Error("the key of a page does not count at another server")
	}
	if at, err := Find(t.Context(), db); err != nil || at.Origin != "" {
		t.Errorf("before a server: %v, %v", at, err)
	}
	for _, at := range []access.Where{{Origin: "https://a.example:7350", Cert: "9f2c"}, {Origin: "https://b.example"}} {
		must.Do(t, Tell(t.Context(), db, at))
		if got, err := Find(t.Context(), db); err != nil || got != at {
			t.Errorf("told %v, found %v, %v", at, got, err)
		}
	}
	pgtest.Server(t).SQL(t, dsn, "update pawl.server set value = 'x' where key = 'page.key'")
	if _, err := PageKeys(t.Context(), db); err == nil || !strings.Contains(err.Error(), "page.key") {
		t.Errorf("a broken secret: %v", err)
	}
}

// What is written of uses waits for no row that somebody else changes: two servers, or one
// and a revocation, would wait for each other.
func TestUsesWaitForNobody(t *testing.T) {
	db, _ := open(t)
	all, table := tokens(t, db)
	var ids []string
	for _, name := range []string{"ada", "bob"} {
		_, made, err := all.Create(t.Context(), access.Token{Name: name, Role: access.Work, Boards: []string{"shop"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, made.ID)
	}
	tx := must.Get(db.Begin(t.Context(), func(b *pg.Batch) { b.Queue("select from pawl.token where id = $1 for update", ids[0]) }))(t)
	defer tx.Close()
	at := time.Now().UTC().Truncate(time.Second)
	ctx, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	must.Do(t, table.Use(ctx, map[string]time.Time{ids[0]: at, ids[1]: at}))
	if uses, err := table.Uses(t.Context()); err != nil || len(uses) != 1 || !uses[ids[1]].Equal(at) {
		t.Errorf("got %v, %v", uses, err)
	}
}
