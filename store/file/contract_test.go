package file_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/storetest"
)

func open(t testing.TB, dir string, opts ...file.Option) *file.Store {
	t.Helper()
	s, err := file.Open(dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestContract(t *testing.T) {
	dirs := map[string]string{}
	storetest.Run(t, func(t *testing.T, clock func() time.Time) pawl.Store {
		dir := filepath.Join(t.TempDir(), ".tasks")
		s := open(t, dir, file.WithClock(clock))
		dirs[t.Name()] = dir
		return s
	}, storetest.Reopen(func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store {
		return open(t, dirs[t.Name()], file.WithClock(clock))
	}), storetest.Bounded(4, func(t *testing.T, clock func() time.Time) pawl.Store {
		return open(t, filepath.Join(t.TempDir(), ".tasks"), file.WithClock(clock), file.Brief)
	}))
}
