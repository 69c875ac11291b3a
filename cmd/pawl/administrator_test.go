package main

import (
	"net/url"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl/internal/dev/pgtest"
)

// TestAdministrator plays the stories of administrators of a database. $DB is the database of a story, without tables, $DB?board=NAME a board in
// it; $SECRET is the same with a password, and $NOUSER without a user. The command sql
// runs a statement in it.
func TestAdministrator(t *testing.T) {
	server := pgtest.Server(t)
	params := storyParams(t, played{server: true}, testscript.Params{Dir: "testdata/administrator"})
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
