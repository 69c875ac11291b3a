package clone

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// SharedState is the name of the file that a place has while its board is shared.
const SharedState = "state"

// SharedMark is the name of the file in a board's .pawl that marks it as shared. Without it a
// container that has the work tree and not git's folder would take the board for a private
// one.
const SharedMark = "shared"

// A Place is where a clone keeps what makes its board a shared one.
type Place struct {
	Board string      // the board's folder
	Tree  gitdir.Tree // the work tree that it is in; zero: none
	Name  string      // "board", or "board.services%2fapi" for that of a folder of a monorepo
	Home  string      // .git/pawl/NAME, or .tasks/.pawl/share outside of git
}

// PlaceOf finds the place of a board, which may be missing yet. It runs no git.
func PlaceOf(board string) Place {
	p := Place{Board: board, Name: "board"}
	parent := Real(filepath.Dir(board))
	tree, ok := gitdir.Find(parent)
	if !ok {
		p.Home = filepath.Join(board, ".pawl", "share")
		return p
	}
	p.Tree = tree
	if rel, err := filepath.Rel(Real(tree.Root), parent); err == nil && rel != "." {
		p.Name += "." + refName(userdir.Escape(filepath.ToSlash(rel)))
	}
	if base := filepath.Base(board); base != ".tasks" {
		p.Name += "." + refName(userdir.Escape(base))
	}
	// The folder of this work tree, not the one that it shares with others: a board of
	// a linked work tree that is named outright is not that of the main one.
	p.Home = filepath.Join(tree.Dir, "pawl", p.Name)
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

// File is the path of a file in the place.
func (p Place) File(name string) string { return filepath.Join(p.Home, name) }

// Shared reports whether the board of this place is shared, or was when sharing it
// broke off half-way.
func (p Place) Shared() bool {
	for _, path := range []string{p.File(SharedState), filepath.Join(p.Board, ".pawl", SharedMark)} {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}
