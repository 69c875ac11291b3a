package lookup

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// install puts a program into a folder.
func install(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "tool")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	return path
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

// Of a project whose bin is on PATH, no program is found from any of its folders, by whatever
// name PATH has for it.
func TestOutside(t *testing.T) {
	top := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	mkdir := func(path string) {
		t.Helper()
		must.Do(t, os.MkdirAll(path, 0o755))
	}
	write := func(path, text string) {
		t.Helper()
		mkdir(filepath.Dir(path))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	links := true
	link := func(to, at string) {
		t.Helper()
		if err := os.Symlink(to, at); err != nil && runtime.GOOS != "windows" { // where it needs rights
			t.Fatal(err)
		} else if err != nil {
			links = false
		}
	}
	mkdir(in("lib"))
	git(t, in("lib"), "init", "-q")
	git(t, in("lib"), "commit", "-q", "--allow-empty", "-m", "lib")
	mkdir(in("git", "sub", "deep"))
	git(t, in("git"), "init", "-q")
	git(t, in("git"), "submodule", "--quiet", "add", in("lib"), "module")
	git(t, in("git"), "commit", "-q", "-m", "one")
	git(t, in("git"), "worktree", "add", "-q", in("linked"))
	git(t, in("git", "module"), "worktree", "add", "-q", in("linked-module"))
	git(t, in("git"), "init", "-q", filepath.Join("vendor", "nested"))
	mkdir(in("archive", ".tasks"))
	mkdir(in("archive", "src"))
	write(in("broken", ".git"), "junk\n")
	mkdir(in("broken", "src"))
	write(in("tricked", ".git"), "gitdir: "+filepath.ToSlash(in("git", ".git"))+"\n")
	mkdir(in("home", ".tasks"))
	mkdir(in("home", "project", ".git"))
	link(in("git"), in("to git"))
	link(filepath.Join("to git", "bin"), in("to bin"))
	for _, project := range []string{"git", "archive", "broken", "linked", "tricked", filepath.Join("home", "project")} {
		install(t, in(project, "bin"))
	}
	mkdir(in("links"))
	link(install(t, in("git", "other")), in("links", "tool"))
	install(t, in("chosen by the project"))
	link(in("chosen by the project"), in("git", "out"))
	link(in("git", "out"), in("to out"))
	good := install(t, in("good"))
	yours := install(t, in("home", "bin"))

	for _, test := range []struct {
		name, dir string
		path      []string // before good
		want      string
	}{
		{"a work tree", in("git"), []string{in("git", "bin")}, good},
		{"a folder of it", in("git", "sub", "deep"), []string{in("git", "bin")}, good},
		{"a folder that is gone", in("git", "gone"), []string{in("git", "bin")}, good},
		{"a submodule", in("git", "module"), []string{in("git", "bin")}, good},
		{"a nested clone", in("git", "vendor", "nested"), []string{in("git", "bin")}, good},
		{"a linked work tree", in("linked"), []string{in("git", "bin")}, good},
		{"the main one of a linked one", in("git"), []string{in("linked", "bin")}, good},
		{"a linked work tree of a submodule", in("linked-module"), []string{in("git", "bin")}, good},
		{"an archive with a board", in("archive", "src"), []string{in("archive", "bin")}, good},
		{"an archive with a .git that leads nowhere", in("broken", "src"), []string{in("broken", "bin")}, good},
		{"an archive with a .git that leads elsewhere", in("tricked"), []string{in("tricked", "bin"), in("git", "bin")}, good},
		{"relative folders", in("git"), []string{"", ".", "testdata", filepath.Join("..", filepath.Base(top), "good")}, good},
		{"a folder that is none", in("git"), []string{good, in("nowhere")}, good},
		{"another project", in("archive"), []string{in("git", "bin")}, install(t, in("git", "bin"))},
		{"the user's home", in("home", "project"), []string{in("home", "project", "bin"), in("home", "bin")}, yours},
		{"a board in the user's home", in("home"), []string{in("home", "bin")}, yours},
		{"asked by a link", in("to git", "sub"), []string{in("git", "bin")}, good},
		{"PATH has a link", in("git"), []string{in("to git", "bin"), in("to bin")}, good},
		{"a link to its program", in("git"), []string{in("links")}, good},
		{"its link to elsewhere", in("git"), []string{in("git", "out"), in("to git", "out"), in("to out")}, good},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.name, "link ") && !links {
				t.Skip("no links here")
			}
			path := strings.Join(append(test.path, in("good")), string(filepath.ListSeparator))
			f := Outside(func(name string) string { return map[string]string{"PATH": path, "HOME": in("home")}[name] }, test.dir)
			if got := f.Find("tool"); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
			// What is started finds no other one, but by a link of the user's.
			clean := Finder{Getenv: func(string) string { return strings.TrimPrefix(f.PATH(), "PATH=") }}
			if got := clean.Find("tool"); got != test.want && test.name != "a link to its program" {
				t.Errorf("a program that is started finds %q, want %q, by %s", got, test.want, f.PATH())
			}
			if got := f.Find("no-such-tool"); got != "" {
				t.Errorf("found %q", got)
			}
		})
	}
	data := in("good", "data")
	write(data, "")
	if got := (Finder{Getenv: os.Getenv}).At(data); got != "" && runtime.GOOS != "windows" {
		t.Errorf("%q is a program", got)
	}
}
