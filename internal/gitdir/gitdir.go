// Package gitdir reads the files in git's folder, .git, without git: where it is,
// whether git is at work, what it has under way, and a stamp that changes when git
// has changed something. Package git runs git itself.
//
//	tree, ok := gitdir.Find(dir)   // the work tree around a folder
//	tree.Busy()                    // git holds the lock of its index
//	tree.Stamp()                   // to compare with an earlier one
//	tree.Under()                   // a merge, a rebase, … that waits for the user
//
// These files may come from anybody, in an archive for example. One that is too
// long, or not a regular file, counts as absent.
package gitdir

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Tree is a git work tree.
type Tree struct {
	Root   string // the folder that has .git
	Dir    string // git's folder of this work tree
	Common string // the one that it shares with other work trees of the clone; Dir in the main one
}

// Find returns the work tree that a folder is in.
//
//	.git                                 gitdir: ../main/.git/worktrees/side
//	main/.git/worktrees/side/commondir   ../..
func Find(dir string) (Tree, bool) {
	for at := dir; ; at = filepath.Dir(at) {
		name := filepath.Join(at, ".git")
		if info, err := os.Stat(name); err == nil {
			switch {
			case info.IsDir() && exists(filepath.Join(name, "HEAD")):
				return At(at, name), true
			case info.Mode().IsRegular():
				to, ok := strings.CutPrefix(firstLine(name), "gitdir: ")
				if !ok {
					return Tree{}, false
				}
				return At(at, from(at, to)), true
			}
		}
		if at == filepath.Dir(at) {
			return Tree{}, false
		}
	}
}

// At is the work tree with a root and a folder of git's.
func At(root, dir string) Tree {
	t := Tree{Root: root, Dir: dir, Common: dir}
	if shared := firstLine(filepath.Join(dir, "commondir")); shared != "" {
		t.Common = from(dir, shared)
	}
	return t
}

// Main is the root of the main work tree, where this is a linked one; empty: this
// is not linked, or the main one is not known.
//
//	work/.git                            gitdir: /src/.git/worktrees/work
//	/src/.git/worktrees/work/commondir   ../..
//	/src/.git/worktrees/work/gitdir      work/.git
//
// The last one, which only the clone's owner can have written, must point back: a
// .git file that came with an archive leads nowhere. A submodule or a bare clone has
// no main tree.
func (t Tree) Main() string {
	if t.Common == t.Dir || filepath.Base(t.Common) != ".git" || !t.Owned() {
		return ""
	}
	return filepath.Dir(t.Common)
}

// Owned reports whether git's folder is that of this work tree, and not only named by it:
// it is in the work tree, or, of a linked one, it points back. A .git file, a link or a
// commondir that came with an archive can name the folder of any clone.
func (t Tree) Owned() bool {
	if t.Common == t.Dir {
		info, err := os.Lstat(t.Dir)
		return err == nil && info.IsDir() && t.Dir == filepath.Join(t.Root, ".git")
	}
	real, root := linked(t.Dir)
	return root != "" && same(filepath.Join(t.Common, "worktrees"), filepath.Dir(real)) && same(root, t.Root)
}

// linked is git's folder of a linked work tree without links, and the root that it points back
// to, if it does. A relative path starts there: an archive can bring links that lead into the
// folder, and a link to the .git file that the root has.
func linked(dir string) (real, root string) {
	real, err := filepath.EvalSymlinks(dir)
	back := firstLine(filepath.Join(dir, "gitdir"))
	if err != nil || filepath.Base(back) != ".git" {
		return real, ""
	}
	return real, filepath.Dir(from(real, back))
}

func same(a, b string) bool {
	left, err := os.Stat(a)
	if err != nil {
		return false
	}
	right, err := os.Stat(b)
	return err == nil && os.SameFile(left, right)
}

// Lock is the file that exists while git writes its index, which it does for as
// long as it changes files of the work tree.
func (t Tree) Lock() string { return filepath.Join(t.Dir, "index.lock") }

// Busy reports whether git is writing.
func (t Tree) Busy() bool {
	_, err := os.Lstat(t.Lock())
	return err == nil
}

// from makes a path that stands in a file in dir absolute.
func from(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// maxFile bounds a file with a path or some object ids.
const maxFile = 16 << 10

// read returns a small regular file; empty: there is none.
func read(path string) string {
	text := File(path, maxFile+1)
	if len(text) > maxFile {
		return ""
	}
	return string(text)
}

// File returns a regular file, or as many of its bytes; nil: there is none.
func File(path string, most int64) []byte {
	info, err := os.Stat(path) // a named pipe would wait for somebody who writes, and a device never ends
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	return text
}

// Plain fails if something other than a folder is there, such as a link to one.
func Plain(dir string) error {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder, but a link or a file", dir)
	}
	return nil
}

func firstLine(path string) string {
	line, _, _ := strings.Cut(read(path), "\n")
	return strings.TrimRight(line, "\r")
}
