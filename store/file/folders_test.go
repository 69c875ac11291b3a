//go:build linux

package file

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func openFiles(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	must.Do(t, err)
	return len(names)
}

// TestHold: held folders are opened once, closed when nobody uses them any
// more, and let go when the board's folder is another one.
func TestHold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "board")
	put := func(text string) {
		t.Helper()
		for _, name := range []string{dir, filepath.Join(dir, stateDir)} {
			must.Do(t, os.Mkdir(name, 0o755))
		}
		for _, name := range []string{"task_1.json", gateName} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
	}
	put("old")
	f := newFS(dir).(*osFS)
	read := func(want string) {
		t.Helper()
		for _, name := range []string{"task_1.json", gateName} {
			if text, _, err := f.Read(name, 100); err != nil || string(text) != want {
				t.Errorf("%s says %q, %v; want %q", name, text, err, want)
			}
		}
	}
	replace := func() {
		t.Helper()
		must.Do(t, os.RemoveAll(dir+".old"))
		must.Do(t, os.Rename(dir, dir+".old"))
		put("new")
	}

	before := openFiles(t)
	read("old")
	if now := openFiles(t); now != before {
		t.Errorf("%d files are open, want %d: nobody holds them", now, before)
	}
	first := f.Hold()
	read("old")
	read("old")
	if now := openFiles(t); now != before+2 {
		t.Errorf("%d files are open, want %d: the folder and the one in it", now, before+2)
	}
	replace()
	read("old") // nothing has been asked for again
	unlock, err := f.Lock(context.Background(), gateName, true)
	must.Do(t, err)
	read("new")
	unlock()
	first()
	if now := openFiles(t); now != before {
		t.Errorf("%d files are open, want %d: it was released", now, before)
	}

	first = f.Hold()
	read("new")
	second := f.Hold()
	first()
	read("new")
	replace()
	third := f.Hold() // looks again
	read("new")
	second()
	third()
	if now := openFiles(t); now != before {
		t.Errorf("%d files are open, want %d: all are released", now, before)
	}
}
