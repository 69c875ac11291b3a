package gitshare

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A place is where what this clone keeps of a shared board is.
type site struct {
	board string      // the board's folder
	tree  gitdir.Tree // the work tree that it is in; zero: none
	name  string      // "board", or "board.services%2fapi" for that of a folder of a monorepo
	home  string      // .git/pawl/NAME, or .tasks/.pawl/share outside of git
}

// Names of files in a place.
const (
	repoName    = "repo"
	stateName   = "state"
	joiningName = "joining" // what state will be, until the first sync has come to its end
	lockName    = "lock"    // of the sync that is under way
	waitName    = "wait"    // of the one in the background that is about to begin
)

func (p site) file(name string) string { return filepath.Join(p.home, name) }

// siteOf finds the place of a board, which may be missing yet. It runs no git.
func siteOf(board string) site {
	p := site{board: board, name: "board"}
	parent := filepath.Dir(board)
	if real, err := filepath.EvalSymlinks(parent); err == nil {
		parent = real
	}
	tree, ok := gitdir.Find(parent)
	if !ok {
		p.home = filepath.Join(board, ".pawl", "share")
		return p
	}
	p.tree = tree
	root := tree.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	if rel, err := filepath.Rel(root, parent); err == nil && rel != "." {
		p.name += "." + refName(userdir.Escape(filepath.ToSlash(rel)))
	}
	if base := filepath.Base(board); base != ".tasks" {
		p.name += "." + refName(userdir.Escape(base))
	}
	// The folder of this work tree, not the one that it shares with others: a board of
	// a linked work tree that is named outright is not that of the main one.
	p.home = filepath.Join(tree.Dir, "pawl", p.name)
	return p
}

// refName escapes what git lets no reference be called.
func refName(name string) string {
	name = strings.ReplaceAll(name, "..", "%2e%2e")
	if rest, is := strings.CutSuffix(name, ".lock"); is {
		return rest + "%2elock"
	}
	return name
}

// shared reports whether the board of this place is shared, or was when sharing it
// broke off half-way.
func (p site) shared() bool {
	info, err := os.Lstat(p.file(stateName))
	return err == nil && info.Mode().IsRegular()
}

// ref is the reference of the remote that the board is kept on.
func (p site) ref(branch string) string {
	if branch != "" {
		return "refs/heads/" + branch
	}
	return "refs/pawl/" + p.name
}
