package notify

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

const patience = time.Minute // only a watch that tells nothing takes it

// heard waits until a name is told.
func heard(t *testing.T, events <-chan string, name string) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case got, more := <-events:
			if !more {
				t.Fatalf("the channel was closed before %s was told", filepath.Base(name))
			}
			if got == name {
				return
			}
		case <-late:
			t.Fatalf("%s was not told", filepath.Base(name))
		}
	}
}

func closed(t *testing.T, events <-chan string) {
	t.Helper()
	for late := time.After(patience); ; {
		select {
		case _, more := <-events:
			if !more {
				return
			}
		case <-late:
			t.Fatal("the channel was not closed")
		}
	}
}

func TestWatch(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	events, stop, err := Watch(one, two)
	must.Do(t, err)
	a, b, c := filepath.Join(one, "a"), filepath.Join(one, "b"), filepath.Join(two, "c")
	must.Do(t, os.WriteFile(a, []byte("1"), 0o644))
	heard(t, events, a)
	must.Do(t, os.WriteFile(a, []byte("2"), 0o644))
	heard(t, events, a)
	must.Do(t, os.Rename(a, b))
	heard(t, events, b)
	must.Do(t, os.Rename(b, c))
	heard(t, events, c)
	must.Do(t, os.Remove(c))
	heard(t, events, c)
	stop()
	stop()
	closed(t, events)
}

// TestGone takes a watched folder away, by removing and by renaming it.
func TestGone(t *testing.T) {
	for name, take := range map[string]func(dir string) error{
		"removed": os.Remove,
		"renamed": func(dir string) error { return os.Rename(dir, dir+"2") },
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			inner := filepath.Join(top, "inner")
			must.Do(t, os.Mkdir(inner, 0o755))
			events, stop, err := Watch(top, inner)
			must.Do(t, err)
			defer stop()
			must.Do(t, take(inner))
			closed(t, events)
		})
	}
}

func TestMissing(t *testing.T) {
	if _, _, err := Watch(filepath.Join(t.TempDir(), "no")); err == nil {
		t.Error("a folder that is not there is watched")
	}
}
