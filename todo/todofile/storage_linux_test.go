package todofile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/todo"
)

// asStranger runs f with the rights of nobody in particular, when root would
// be allowed everything. Files are looked at with the rights of a thread.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread goes with its rights
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Errorf("setfsuid: %v", err)
			return
		}
		f()
	}()
	<-done
}

func expectWhy(t *testing.T, what string, err error, words string, cause error) {
	t.Helper()
	if _, ok := errors.AsType[*todo.StorageError](err); !ok || err.Error() != words || !errors.Is(err, cause) {
		t.Errorf("%s: %v (%v), want %s", what, err, errors.Unwrap(err), words)
	}
}

const (
	denialWords = "Permission denied accessing todo storage"
	fullWords   = "Storage full, cannot save todos"
)

// A folder that one may not write in can be read, and a change says why not.
func TestDenied(t *testing.T) {
	s, dir := place(t)
	for _, key := range []todo.Key{one, two} {
		must.Do(t, appending(key, "a")(t, s))
	}
	write(t, filepath.Join(dir, "bad.json"), "{")
	for path, mode := range map[string]os.FileMode{
		filepath.Dir(dir): 0o755, dir: 0o555, filepath.Join(dir, workDir): 0o555,
		filepath.Join(dir, "one.json"): 0o444, filepath.Join(dir, "one+two.json"): 0o000, filepath.Join(dir, "bad.json"): 0o444,
	} {
		must.Do(t, os.Chmod(path, mode))
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	above := filepath.Dir(filepath.Dir(dir)) // what t.TempDir made, for root alone
	for _, path := range []string{above, filepath.Dir(above)} {
		must.Do(t, os.Chmod(path, 0o755))
	}
	for above := filepath.Dir(dir); above != "/"; above = filepath.Dir(above) {
		if info, err := os.Stat(above); err != nil || info.Mode().Perm()&1 == 0 {
			mustrun.NotHere(t, "nobody may look into "+above)
		}
	}
	asStranger(t, func() {
		if got := contents(load(t, s, one)); len(got) != 1 {
			t.Errorf("there is %q", got)
		}
		if _, err := s.Update(t.Context(), one, func(*todo.List) error { return nil }); err != nil {
			t.Errorf("an update without a change: %v", err)
		}
		expectWhy(t, "update", appending(one, "b")(t, s), denialWords, unix.EACCES)
		expectWhy(t, "remove", s.Remove(t.Context(), one), denialWords, unix.EACCES)
		_, err := s.Load(t.Context(), two)
		expectWhy(t, "load", err, denialWords, unix.EACCES)
		_, err = s.OpenPanel(t.Context(), "s")
		expectWhy(t, "panel", err, denialWords, unix.EACCES)
		if list := load(t, s, todo.Key{Session: "bad"}); !list.Blank() {
			t.Errorf("a damaged list is %+v", list)
		}
		heads, err := s.Lists(t.Context(), time.Time{})
		if err != nil || len(heads) != 1 {
			t.Errorf("lists: %v, %v", heads, err)
		}
		if problems := strings.Join(s.Problems(), "\n"); !strings.Contains(problems, "bad.json") || !strings.Contains(problems, "one+two.json") {
			t.Errorf("the problems are %s", problems)
		}
	})
}

func mount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o700))
	if err := unix.Mount("none", dir, "tmpfs", flags, "size=64k"); err != nil {
		mustrun.NotHere(t, "nothing can be mounted: "+err.Error())
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
}

// A full disk says so, and the list stays as it was.
func TestFull(t *testing.T) {
	s, dir := place(t)
	mount(t, dir, 0)
	must.Do(t, appending(one, "a")(t, s))
	err := appending(one, strings.Repeat("x", 128<<10))(t, s)
	expectWhy(t, "update", err, fullWords, unix.ENOSPC)
	if got := contents(load(t, s, one)); len(got) != 1 || len(s.Problems()) > 0 {
		t.Errorf("there is %q", got)
	}
	if err := appending(one, "b")(t, s); err != nil {
		t.Errorf("a smaller change: %v", err)
	}
}

// A read-only file system can be read.
func TestReadOnly(t *testing.T) {
	s, dir := place(t)
	mount(t, dir, 0)
	must.Do(t, appending(one, "a")(t, s))
	if err := unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "size=64k"); err != nil {
		mustrun.NotHere(t, "nothing can be mounted again: "+err.Error())
	}
	if got := contents(load(t, s, one)); len(got) != 1 {
		t.Errorf("there is %q", got)
	}
	expectWhy(t, "update", appending(one, "b")(t, s), denialWords, unix.EROFS)
	if n, err := s.Lists(t.Context(), time.Time{}); len(n) != 1 || err != nil {
		t.Errorf("lists: %v, %v", n, err)
	}
}
