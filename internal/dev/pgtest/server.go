package pgtest

import (
	"os"
	"sync"

	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// T is what the package needs of a *testing.T or B.
type T interface {
	mustrun.T
	Cleanup(func())
	Failed() bool
	Logf(format string, args ...any)
}

// Env names a server to use instead of a temporary one.
const Env = "PAWL_TEST_POSTGRES"

// Need skips the test where [Server] has no server.
func Need(t T) {
	t.Helper()
	if os.Getenv(Env) == "" {
		NeedOwn(t)
		return
	}
	if _, err := program("psql"); err != nil {
		mustrun.Skip(t, err.Error())
	}
}

// NeedOwn skips the test where [Start] can start nothing.
func NeedOwn(t T) {
	t.Helper()
	if !canRun {
		mustrun.NotHere(t, "these tests start PostgreSQL on Linux and macOS only")
	}
	for _, name := range []string{"psql", "postgres", "initdb"} {
		if _, err := program(name); err != nil {
			mustrun.Skip(t, err.Error())
		}
	}
}

// Server is the one server of this process, or that of PAWL_TEST_POSTGRES.
func Server(t T) *Cluster {
	t.Helper()
	Need(t)
	c, err := shared()
	must(t, err)
	return c
}

// shared starts the process's server. The watcher ends it when the process is gone.
var shared = sync.OnceValues(func() (*Cluster, error) {
	if dsn := os.Getenv(Env); dsn != "" {
		return &Cluster{dsn: dsn}, nil
	}
	return New(Options{})
})

// Start starts a server for this test alone. It ends with the test.
func Start(t T, o Options) *Cluster {
	t.Helper()
	NeedOwn(t)
	c, err := New(o)
	must(t, err)
	c.endWith(t)
	return c
}

func must(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

func (c *Cluster) endWith(t T) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of PostgreSQL's log:\n%s", c.LogTail(4000))
		}
		c.End()
	})
}
