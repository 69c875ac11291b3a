//go:build unix

package gitdir

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A named pipe in the place of a file would have Pawl wait for ever.
func TestPipes(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".git", "logs", "x"), "")
	for _, name := range []string{"HEAD", "MERGE_HEAD", "commondir", "logs/HEAD", "CHERRY_PICK_HEAD", "index"} {
		must.Do(t, syscall.Mkfifo(filepath.Join(root, ".git", name), 0o600))
	}
	tree, ok := Find(root)
	if !ok || tree.Common != tree.Dir {
		t.Errorf("it is %+v", tree)
	}
	if u := tree.Under(); !u.None() || len(tree.Moves("HEAD", 5)) > 0 {
		t.Errorf("under way is %+v", u)
	}
	if s := tree.Stamp(); s != tree.Stamp() {
		t.Errorf("the stamp %+v does not last", s)
	}
}
