package main

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/pg"
)

// TestAdministrator plays the stories of those who open boards in a database
// themselves. $DB is the database of a story, without tables, $DB?board=NAME a board in
// it; $SECRET is the same with a password, and $NOUSER without a user. The command sql
// runs a statement in it.
func TestAdministrator(t *testing.T) {
	server := pgtest.Server(t)
	params := storyParams(t, played{}, testscript.Params{Dir: "testdata/administrator"})
	setup := params.Setup
	params.Setup = func(env *testscript.Env) error {
		if err := setup(env); err != nil {
			return err
		}
		at, err := url.Parse(server.Database(t))
		if err != nil {
			return err
		}
		if password, has := at.User.Password(); has {
			env.Setenv("PGPASSWORD", password)
		}
		at.User = url.UserPassword(at.User.Username(), "topsecret")
		secret := *at
		at.User = url.User(at.User.Username())
		at.RawQuery, secret.RawQuery = "", ""
		env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".user", "config"))
		env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".user", "state"))
		env.Setenv("DB", at.String())
		env.Setenv("SECRET", secret.String())
		at.User = nil
		env.Setenv("NOUSER", at.String())
		return nil
	}
	params.Cmds["sql"] = func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: sql STATEMENT")
		}
		_, err := server.Query(ts.Getenv("DB"), args[0])
		ts.Check(err)
	}
	testscript.Run(t, params)
}

// A database that was moved to another cluster from a dump gives no number again, also if
// an administrator is the first to come back.
func TestAdministratorAfterMove(t *testing.T) {
	server := pgtest.Server(t)
	dsn := server.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	at, err := address.Parse(dsn + map[bool]string{true: "&", false: "?"}[strings.Contains(dsn, "?")] + "board=shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := makeInDatabase(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	create := func() pawl.Result {
		t.Helper()
		store, err := inDatabase(t.Context(), at, pg.Timeout)
		if err != nil {
			t.Fatal(err)
		}
		made, err := pawl.NewBoard(store).Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}})
		if err := errors.Join(err, store.Close()); err != nil {
			t.Fatal(err)
		}
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
