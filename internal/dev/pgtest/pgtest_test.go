package pgtest

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

func TestDatabasesAreApart(t *testing.T) {
	c := Server(t)
	a, b := c.Database(t), c.Database(t)
	c.SQL(t, a, "CREATE TABLE x (n int)")
	if got := c.SQL(t, b, "SELECT to_regclass('x') IS NULL"); got != "t" {
		t.Errorf("the other database has the table, too: %q", got)
	}
}

func TestFromCopies(t *testing.T) {
	c := Server(t)
	times := 0
	fill := func(dsn string) error {
		times++
		_, err := c.Query(dsn, "CREATE TABLE x (n int); INSERT INTO x VALUES (7)")
		return err
	}
	for range 2 {
		dsn := c.From(t, t.Name(), fill)
		if got := c.SQL(t, dsn, "DELETE FROM x RETURNING n"); got != "7" {
			t.Errorf("the copy has %q; want 7", got)
		}
	}
	if times != 1 {
		t.Errorf("filled %d times; want once", times)
	}
}

func TestKilledAndRestarted(t *testing.T) {
	long.Only(t)
	c := Start(t, Options{})
	c.SQL(t, c.DSN(), "CREATE TABLE x (n int); INSERT INTO x VALUES (7)")
	c.Kill()
	if _, err := c.Query(c.DSN(), "SELECT 1"); err == nil {
		t.Fatal("it answers after it was killed")
	}
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := c.SQL(t, c.DSN(), "SELECT n FROM x"); got != "7" {
		t.Errorf("after the restart: %q; want 7", got)
	}
}
