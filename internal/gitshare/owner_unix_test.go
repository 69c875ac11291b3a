//go:build unix

package gitshare

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A container runs as root on a clone of the host's user. All that it makes there is that
// user's: of the shared board, in the board's folder, and of the clone. (State, locks and
// the repository were root's, and the user was locked out.) Who is not root owns what they
// make, and the same holds.
func TestRootMakesItTheUsers(t *testing.T) {
	f := newField(t)
	t.Setenv("HOME", f.dir)
	d := f.desk("ann")
	if os.Geteuid() == 0 {
		must.Do(t, filepath.WalkDir(filepath.Dir(d.board), func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, 1234, 1234))
		}))
		f.git(f.dir, "config", "--global", "safe.directory", "*") // git asks whose the clone is
	}
	d.must(tasks("one", "two"))
	d.join()
	d.must(pawl.ClaimTask{ID: 1})
	d.sync()
	want, seen := owner(t, filepath.Dir(d.board)), map[string]bool{}
	for _, dir := range []string{filepath.Join(filepath.Dir(d.board), ".git", "pawl"), d.board} {
		must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if got := owner(t, path); got != want {
				t.Errorf("%s is user %d's", path, got)
			}
			seen[filepath.Base(path)] = true
			return err
		}))
	}
	for _, name := range []string{stateName, lockName, "refs.lock", "secret", "task_1.json", "1.jsonl", ".lock", "index.log"} {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

func owner(t *testing.T, path string) uint32 {
	t.Helper()
	info := must.Get(os.Lstat(path))(t)
	return info.Sys().(*syscall.Stat_t).Uid
}

// A file that this user cannot write is named, with its owner and a command.
func TestDenied(t *testing.T) {
	path := filepath.Join(t.TempDir(), stateName)
	err := unwritable(&fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission})
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || !strings.Contains(e.Message, path) || !strings.Contains(e.Message, " belongs to user ") || !strings.HasPrefix(e.Hint.Text, "chmod u+rwX '") {
		t.Errorf("%v, %+v", err, e)
	}
}
