package todofile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todotest"
)

func open(t todotest.TB, dir string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(dir, opts...)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}

// TestContract gives each store a folder in one that goes with the test: a
// random sequence has no folder of its own.
func TestContract(t *testing.T) {
	above := t.TempDir()
	todotest.Run(t, func(tb todotest.TB) todo.Store {
		dir, err := os.MkdirTemp(above, "")
		if err != nil {
			tb.Fatalf("%v", err)
		}
		return open(tb, filepath.Join(dir, "todos"))
	}, todotest.Reopen(func(tb todotest.TB, s todo.Store) todo.Store { return open(tb, s.(*Store).dir) }))
}
