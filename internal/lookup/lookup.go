// Package lookup finds the programs that Pawl starts. A project may bring programs along, and
// a person may have their folder on PATH: none of them is taken for git, an agent or an editor.
//
//	programs := lookup.Outside(os.Getenv, dir)
//	git := programs.Find("git")
package lookup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A Finder finds programs. One without projects takes them from anywhere.
type Finder struct {
	Getenv   func(string) string
	projects []os.FileInfo // folders that other people's files can be in
}

// Outside returns a Finder that takes nothing from the projects that folders are in, nor from
// those of the working directory.
func Outside(getenv func(string) string, dirs ...string) Finder {
	f := Finder{Getenv: getenv}
	here, _ := os.Getwd()
	for _, dir := range append(dirs, here) {
		if dir, err := filepath.Abs(dir); err == nil {
			f.leave(dir)
			if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
				f.leave(real)
			}
		}
	}
	return f
}

// leave leaves out a folder, and what around it has a board or is a work tree: an archive has
// no .git, and a submodule or a nested clone is in the project that brought it. A .git that
// leads nowhere counts, too.
func (f *Finder) leave(dir string) {
	f.add(dir)
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		for _, name := range []string{".tasks", ".git"} {
			if _, err := os.Lstat(filepath.Join(at, name)); err == nil {
				f.add(at)
			}
		}
		tree, ok := gitdir.Find(at)
		if !ok || tree.Root != at {
			continue
		}
		// The main work tree, also if it does not point back, and that of the superproject.
		for up := tree.Common; up != filepath.Dir(up); up = filepath.Dir(up) {
			if filepath.Base(up) == ".git" {
				f.add(filepath.Dir(up))
			}
		}
		for _, other := range tree.Linked() {
			f.add(other.Root)
		}
	}
}

// add adds a folder. The user's home is none of a project, also if it is in git or has a board:
// there are the start files of the user's shell, so nobody else fills it.
func (f *Finder) add(dir string) {
	info, err := os.Stat(dir)
	if err != nil {
		return
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home, err := os.Stat(f.Getenv(name)); err == nil && os.SameFile(home, info) {
			return
		}
	}
	f.projects = append(f.projects, info)
}

// Find returns the absolute path of a program on PATH; empty: it is not there. Relative
// folders do not count: they would be others in each folder.
func (f Finder) Find(name string) string {
	for _, dir := range f.path() {
		if path := f.At(filepath.Join(dir, name)); path != "" {
			return path
		}
	}
	return ""
}

// At returns the path of a program, with the ending that its file has; empty: it cannot be
// started, or a project has it or a link that leads to it.
func (f Finder) At(path string) string {
	for _, end := range Endings(f.Getenv, path) {
		info, err := os.Stat(path + end)
		if err == nil && info.Mode().IsRegular() && Runnable(info) && !f.leaves(path+end) {
			return path + end
		}
	}
	return ""
}

// PATH is PATH without the folders of projects, for a program that starts others.
func (f Finder) PATH() string {
	return "PATH=" + strings.Join(slices.DeleteFunc(f.path(), f.leaves), string(filepath.ListSeparator))
}

func (f Finder) path() []string {
	return slices.DeleteFunc(filepath.SplitList(f.Getenv("PATH")), func(dir string) bool { return !filepath.IsAbs(dir) })
}

// maxLinks is how many links a path may have.
const maxLinks = 40

// leaves reports whether a path leads into a project or through one: it follows one link
// after another, because a link in the project can lead out of it.
func (f Finder) leaves(path string) bool {
	for range maxLinks {
		next := ""
		for at := path; at != filepath.Dir(at); at = filepath.Dir(at) {
			if info, err := os.Stat(at); err == nil && slices.ContainsFunc(f.projects, func(p os.FileInfo) bool { return os.SameFile(p, info) }) {
				return true
			}
			if to, err := os.Readlink(at); err == nil {
				if !filepath.IsAbs(to) {
					to = filepath.Join(filepath.Dir(at), to)
				}
				next = filepath.Join(to, path[len(at):])
			}
		}
		if next == "" {
			return false
		}
		path = next
	}
	return true
}
