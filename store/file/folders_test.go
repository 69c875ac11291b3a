//go:build linux

package file

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func openFiles(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestHold: held folders are opened once, closed when nobody uses them any
// more, and let go when the board's folder is another one.
func TestHold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "board")
	put := func(text string) {
		t.Helper()
		for _, name := range []string{dir, filepath.Join(dir, stateDir)} {
			if err := os.Mkdir(name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"task_1.json", gateName} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
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
		if err := os.RemoveAll(dir + ".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(dir, dir+".old"); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
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
