package file_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
	"github.com/pawl-dev/pawl/store/storetest"
)

func open(t testing.TB, dir string, opts ...file.Option) *file.Store {
	t.Helper()
	s, err := file.Open(dir, opts...)
	must.Do(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// TestContract holds to the contract the store of a command, which looks at
// every file each time: without -long to a third of what a store at rest is asked.
func TestContract(t *testing.T) { contract(t) }

// TestContractResident holds to it the store of a process that runs on, which
// only looks at the files that the system names: without -long to a third of it.
func TestContractResident(t *testing.T) { contract(t, file.WithWatcher(notify.Watch)) }

func contract(t *testing.T, opts ...file.Option) {
	dirs := map[string]string{}
	at := func(t *testing.T, dir string, clock func() time.Time, more ...file.Option) pawl.Store {
		if _, part, _ := strings.Cut(t.Name(), "/"); len(opts) > 0 || strings.HasPrefix(part, "reader") || strings.HasPrefix(part, "value") {
			long.Seldom(t, 3)
		}
		return open(t, dir, append(append(more, file.WithClock(clock)), opts...)...)
	}
	storetest.Run(t, func(t *testing.T, clock func() time.Time) pawl.Store {
		dirs[t.Name()] = filepath.Join(t.TempDir(), ".tasks")
		return at(t, dirs[t.Name()], clock)
	}, storetest.Reopen(func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store {
		return at(t, dirs[t.Name()], clock)
	}), storetest.Shared(func(t *testing.T, other pawl.Store, clock func() time.Time) pawl.Store {
		return at(t, dirs[t.Name()], clock)
	}), storetest.Bounded(4, func(t *testing.T, clock func() time.Time) pawl.Store {
		return at(t, filepath.Join(t.TempDir(), ".tasks"), clock, file.Brief)
	}))
}
