//go:build unix

package filelock

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What root makes in a folder of another user is that user's. A link, and a file that has
// a second name elsewhere, stay as they are: they can be anybody's. Who is not root owns
// what they make, and there is nothing to see.
func TestHandOver(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"new", "linked"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	must.Do(t, os.WriteFile(elsewhere, nil, 0o600))
	must.Do(t, os.Symlink(elsewhere, filepath.Join(dir, "link")))
	must.Do(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(t.TempDir(), "second")))
	// What a user has moved here of root's may be a secret.
	for name, mode := range map[string]os.FileMode{"secret": 0o600, "plain": 0o644} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("text"), mode))
		must.Do(t, os.Mkdir(filepath.Join(dir, name+" folder"), mode|0o111&(mode>>2)))
		must.Do(t, os.WriteFile(filepath.Join(dir, name+" folder", "file"), nil, mode))
	}
	me := os.Geteuid()
	user := me
	if me == 0 {
		user = 1234
		must.Do(t, os.Chown(dir, user, user))
	}
	for name, want := range map[string]int{"new": user, "folder": user, "linked": me, "link": me,
		"secret": me, "secret folder": me, "plain": user, "plain folder": user} {
		HandOver(filepath.Join(dir, name))
		if got := uid(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s is user %d's, want %d", name, got, want)
		}
	}
	if got := uid(t, elsewhere); got != me {
		t.Errorf("behind the link is user %d's", got)
	}
	must.Do(t, Write(filepath.Join(dir, "written"), nil))
	if got := uid(t, filepath.Join(dir, "written")); got != user {
		t.Errorf("what was written is user %d's, want %d", got, user)
	}
	HandOver(filepath.Join(dir, "missing"))
}

func uid(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Lstat(path)
	must.Do(t, err)
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// A program that another goroutine is starting inherits the file of a lock. Free releases the
// lock. With Close alone it stayed, and SetRef reported a move of a reference that had not moved.
func TestFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		file := must.Get(os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600))(t)
		return file
	}
	first, second := open(), open()
	defer second.Close()
	if got, err := Try(first); err != nil || !got {
		t.Fatal(got, err)
	}
	started := must.Get(syscall.Dup(int(first.Fd())))(t)
	defer syscall.Close(started)
	if got, err := Try(second); err != nil || got {
		t.Error("two have it", err)
	}
	if err := Free(first); err != nil {
		t.Error(err)
	}
	if got, err := Try(second); err != nil || !got {
		t.Error("it was not given up", err)
	}
}
