//go:build unix

package rewrite

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// holds looks that a folder has these files and no other, and what is in them.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != len(want) {
		t.Errorf("the folder has %v, %v; want %d files", left, err, len(want))
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, text)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	must.Do(t, Replace(name, writes("one")))
	for _, mode := range []fs.FileMode{0o600, 0o666, 0o750} { // less and more than a umask leaves
		must.Do(t, os.Chmod(name, mode))
		must.Do(t, Replace(name, func(w io.Writer) error {
			beside, err := w.(*os.File).Stat()
			if err == nil && beside.Mode().Perm() != mode {
				t.Errorf("while it is written, others may %v; want %v", beside.Mode(), mode)
			}
			return writes(mode.String())(w)
		}))
		holds(t, dir, map[string]string{"f": mode.String()})
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("its mode is %v, %v; want %v", info.Mode(), err, mode)
		}
	}
	wrong := pawl.Errorf(pawl.Internal, "wrong")
	if err := Replace(name, func(w io.Writer) error { return errors.Join(writes("half")(w), wrong) }); !errors.Is(err, wrong) {
		t.Errorf("an error while writing: %v", err)
	}
	holds(t, dir, map[string]string{"f": fs.FileMode(0o750).String()})
}

func TestReplaceTogether(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := Replace(filepath.Join(dir, "f"), writes("whole")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	holds(t, dir, map[string]string{"f": "whole"})
}

// What lies in the way is left as it is, and told by what it is.
func TestReplaceRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, errors.Join(
		os.WriteFile(at("victim"), []byte("precious"), 0o600),
		os.WriteFile(at("fixed"), []byte("precious"), 0o400),
		os.Symlink("victim", at("link")),
		os.Symlink("made", at("dangling")),
		os.Mkdir(at("folder"), 0o700),
	))
	socket := must.Get(net.Listen("unix", at("socket")))(t)
	defer socket.Close()
	before, _ := os.ReadDir(dir)
	for name, want := range map[string]string{
		"link": "is a link to victim,", "dangling": "is a link to made,", "folder": "is a folder,", "folder/": "is a folder,",
		"socket": "is a socket,", "fixed": "is read-only", "no/such": "does not exist", "no/": "does not exist", "victim/x": "is a file, not a folder",
	} {
		err := Replace(dir+"/"+name, func(io.Writer) error { t.Errorf("%s is written", name); return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	after, _ := os.ReadDir(dir)
	if len(after) != len(before) {
		t.Errorf("the folder had %v, and has %v", before, after)
	}
	for _, name := range []string{"victim", "fixed"} {
		if got, _ := os.ReadFile(at(name)); string(got) != "precious" {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

// What is put there while the text is written is not replaced either.
func TestReplaceMeanwhile(t *testing.T) {
	for _, plant := range []func(string) error{
		func(name string) error { return os.Symlink("elsewhere", name) },
		func(name string) error { return unix.Mkfifo(name, 0o600) },
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "f")
		if err := Replace(name, func(io.Writer) error { return plant(name) }); err == nil {
			t.Error("it was replaced")
		}
		left, _ := os.ReadDir(dir)
		if len(left) != 1 || left[0].Type().IsRegular() {
			t.Errorf("the folder has %v", left)
		}
	}
}

func TestReplacePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	must.Do(t, unix.Mkfifo(name, 0o600))
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(name)
		read <- string(text)
	}()
	must.Do(t, Replace(name, writes("through")))
	if got := <-read; got != "through" {
		t.Errorf("%q came out of the pipe", got)
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v now, %v", info.Mode(), err)
	}
}
