package checks

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Each change of what a check can read is seen, whatever git makes of it; what git and the
// board write is not one; and where something cannot be known, nothing is.
func TestStates(t *testing.T) {
	dir, outside := clone.Real(t.TempDir()), clone.Real(t.TempDir())
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		must.Do(t, err)
	}
	write := func(path, text string) {
		t.Helper()
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		must(os.WriteFile(path, []byte(text), 0o644))
	}
	write(path(".git/HEAD"), "ref: refs/heads/main\n")
	write(path("plain"), "GOOD")
	write(path("out/a"), "1")
	write(path(".tasks/task_1.json"), "{}")
	written := func(text string) {
		t.Helper()
		info, err := os.Stat(path("plain"))
		must(err)
		before, err := clone.State(path("plain"))
		must(err)
		for now := before; now == before; { // until the file system's clock goes on
			write(path("plain"), text)
			must(os.Chtimes(path("plain"), time.Time{}, info.ModTime()))
			now, err = clone.State(path("plain"))
			must(err)
		}
	}
	service := &Service{Options: Options{Root: dir, Folder: path(".tasks")}}
	was := service.readStates(t.Context())
	for _, test := range []struct {
		what   string
		change func()
		seen   bool
	}{
		{"nothing", func() {}, false},
		{"git's folder", func() { write(path(".git/index"), "1") }, false},
		{"the board", func() {
			for _, name := range []string{"task_1.json", "task_2.json", ".highwatermark", ".lock", ".pawl/journal"} {
				write(path(".tasks/"+name), "2")
			}
		}, false},
		{"a file beside the tasks", func() { write(path(".tasks/notes"), "1") }, true},
		{"the settings", func() { write(path(".tasks/pawl.jsonc"), "{}") }, true},
		{"a task of another board", func() { write(path("sub/.tasks/task_1.json"), "{}") }, true},
		{"the same bytes", func() { written("GOOD") }, true},
		{"as many bytes, with the time of before", func() { written("BADD") }, true},
		{"a mode", func() { must(os.Chmod(path("plain"), 0o444)); must(os.Chmod(path("out"), 0o555)) }, true},
		{"an empty folder", func() { must(os.Chmod(path("out"), 0o755)); must(os.Mkdir(path("empty"), 0o755)) }, true},
		{"a removed folder", func() { must(os.Remove(path("empty"))) }, true},
		{"another repository", func() { write(path("sub/.git/HEAD"), "ref: refs/heads/main\n"); write(path("sub/a"), "1") }, true},
		{"a link", func() { mustrun.Link(t, filepath.Join(outside, "file"), path("out/link")) }, true},
		{"a file behind a link", func() { write(filepath.Join(outside, "file"), "1") }, true},
		{"another file behind a link", func() { write(filepath.Join(outside, "file"), "22") }, true},
		{"a link to a folder here", func() { must(os.Remove(path("out/link"))); mustrun.Link(t, path("sub"), path("out/link")) }, true},
	} {
		test.change()
		is := service.readStates(t.Context())
		if is == nil || maps.Equal(is, was) == test.seen {
			t.Errorf("%s: seen %v, want %v", test.what, !test.seen, test.seen)
		}
		was = is
	}
	must(os.Remove(path("out/link")))
	mustrun.Link(t, outside, path("out/link"))
	if is := service.readStates(t.Context()); is != nil {
		t.Errorf("a link to a folder outside: %v", is)
	}
	service.Root = outside
	if is := service.readStates(t.Context()); is != nil {
		t.Errorf("outside of git: %v", is)
	}
}
