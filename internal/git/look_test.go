package git

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A program of the project is not taken for git, however PATH leads to it: by the folder
// that is asked about or another one of the project, by a link, or from a work tree that
// is elsewhere.
func TestLookAvoidsProject(t *testing.T) {
	c := newClone(t)
	c.write("a", "a\n")
	c.commit("one")
	_, linked := c.add("work", "")
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range []string{"", "tools", "sub"} {
		at := filepath.Join(c.dir, dir)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, name), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	list := []string{c.dir, filepath.Join(c.dir, "tools"), os.Getenv("PATH")}
	if err := os.Symlink(filepath.Join(c.dir, "tools"), link); err == nil {
		list = append([]string{link}, list...)
	}
	t.Setenv("PATH", strings.Join(list, string(filepath.ListSeparator)))
	for _, dir := range []string{c.dir, filepath.Join(c.dir, "sub"), linked.Root} {
		if got := look(dir); got == "" || inFolder(c.dir, got) || strings.HasPrefix(got, link) {
			t.Errorf("asked about %s, git is %q", dir, got)
		}
	}
}
