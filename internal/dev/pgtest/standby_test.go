package pgtest

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// A synchronous standby has all that was committed when the primary dies.
func TestPromoted(t *testing.T) {
	long.Only(t)
	primary := Start(t, Options{Durable: true})
	standby := primary.Standby(t, "b")
	if err := primary.Synchronous("ANY 1 (b)", 1); err != nil {
		t.Fatal(err)
	}
	primary.SQL(t, primary.DSN(), "CREATE TABLE x (n int); INSERT INTO x VALUES (7)")
	both := Either("postgres", primary, standby)
	if got := primary.SQL(t, both, "SHOW port"); got != portOf(primary) {
		t.Errorf("writes go to port %s; want the primary's, %s", got, portOf(primary))
	}
	primary.Kill()
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	if got := standby.SQL(t, both, "UPDATE x SET n = n + 1 RETURNING n"); got != "8" {
		t.Errorf("after the promotion: %q; want 8", got)
	}
	if err := primary.Follow(standby, "a"); err != nil {
		t.Fatal(err)
	}
	if err := standby.Synchronous("ANY 1 (a)", 1); err != nil {
		t.Fatal(err)
	}
	standby.SQL(t, both, "UPDATE x SET n = n + 1")
	standby.Kill()
	if err := primary.Promote(); err != nil {
		t.Fatal(err)
	}
	if got := primary.SQL(t, both, "SELECT n FROM x"); got != "9" {
		t.Errorf("after the next promotion: %q; want 9", got)
	}
}

// An asynchronous standby that has fallen behind has lost what it did not get:
// so a check for losses has something to find.
func TestFrozenReceiverLoses(t *testing.T) {
	long.Only(t)
	primary := Start(t, Options{})
	standby := primary.Standby(t, "b")
	primary.SQL(t, primary.DSN(), "CREATE TABLE x (n int); INSERT INTO x VALUES (7)")
	if err := standby.Await("SELECT count(*) = 1 FROM x"); err != nil {
		t.Fatal(err)
	}
	if err := standby.FreezeReceiver(); err != nil {
		t.Fatal(err)
	}
	primary.SQL(t, primary.DSN(), "INSERT INTO x VALUES (8)")
	primary.Kill()
	standby.Kill()
	if err := standby.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	if got := standby.SQL(t, standby.DSN(), "SELECT n FROM x"); got != "7" {
		t.Errorf("the standby has %q; want 7 alone", got)
	}
}

func portOf(c *Cluster) string { return c.Addr()[strings.LastIndexByte(c.Addr(), ':')+1:] }
