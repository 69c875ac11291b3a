//go:build unix

package gitexclude

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Who made the clone may have put something else in the place of a file: a device
// never ends, and a named pipe waits for somebody who writes.
func TestNotAFile(t *testing.T) {
	c := newClone(t)
	board := filepath.Join(c.dir, ".tasks")
	c.write(filepath.Join(board, "task_1.json"), "{}")
	must.Do(t, os.Symlink("/dev/zero", filepath.Join(board, ".gitignore")))
	if !Seen(board) {
		t.Error("a link to a device hides the board")
	}
	for _, name := range []string{"info/exclude", "index"} {
		path := filepath.Join(c.dir, ".git", filepath.FromSlash(name))
		must.Do(t, os.Remove(path))
		must.Do(t, syscall.Mkfifo(path, 0o600))
	}
	if by, hidden := Made(board); hidden || named(board) {
		t.Errorf("hidden by %q", by)
	}
}
