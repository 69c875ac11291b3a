package git

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Each change of a file that git ignores is seen, by its name, size, time or file; the
// board's folder does not count; and where something cannot be known, nothing is.
func TestIgnored(t *testing.T) {
	c := newClone(t)
	look := func() map[string]string {
		t.Helper()
		files, err := Ignored(t.Context(), c.dir, c.board())
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	c.write(".gitignore", ".env\nout/\n.tasks/.pawl/\n")
	if files := look(); files == nil || len(files) > 0 {
		t.Fatalf("nothing is ignored: %v", files)
	}
	c.write(".env", "GOOD")
	c.write("out/a", "1")
	c.write(".tasks/.pawl/journal", "1")
	was := look()
	if len(was) != 2 || was[".env"] == "" || was["out/a"] == "" {
		t.Fatal(was)
	}
	if is := look(); !maps.Equal(is, was) {
		t.Errorf("nothing happened: %v became %v", was, is)
	}
	changed := func(what string) {
		t.Helper()
		is := look()
		if maps.Equal(is, was) {
			t.Errorf("%s is not seen", what)
		}
		was = is
	}
	c.write(".env", "BROKEN")
	changed("a size")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(c.path(".env"), later, later); err != nil {
		t.Fatal(err)
	}
	changed("a time")
	c.write("out/b", "1")
	changed("a new file")
	c.remove("out/b")
	changed("a removed file")
	outside := t.TempDir()
	c.write(filepath.Join(outside, "file"), "1")
	c.link(filepath.Join(outside, "file"), "out/link")
	changed("a link")
	c.write(filepath.Join(outside, "file"), "22")
	changed("a file behind a link")
	c.link("a", "out/link")
	changed("another link")

	c.link(outside, "out/link")
	if files, err := Ignored(t.Context(), c.dir, c.board()); err == nil {
		t.Errorf("a folder outside: %v", files)
	}
	c.remove("out/link")
	was = look()
	c.git("init", "-q", "out/nested")
	c.write("out/nested/file", "1")
	if files, err := Ignored(t.Context(), c.dir, c.board()); err == nil {
		t.Errorf("another repository: %v", files)
	}
	if files, err := Ignored(t.Context(), outside, ""); err == nil && files != nil {
		t.Errorf("outside of git: %v", files)
	}
}
