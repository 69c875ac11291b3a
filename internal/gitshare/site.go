package gitshare

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
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
	stateName   = clone.SharedState
	joiningName = "joining" // what state will be, until the first sync has come to its end
	lockName    = "lock"    // of the sync that is under way
	waitName    = "wait"    // of the one in the background that is about to begin
	keepName    = "keep"    // of the process in the background that is about to make a commit
)

func (p site) file(name string) string { return filepath.Join(p.home, name) }

// siteOf finds the place of a board, which may be missing yet. It runs no git.
func siteOf(board string) site {
	p := clone.PlaceOf(board)
	return site{board: p.Board, tree: p.Tree, name: p.Name, home: p.Home}
}

// shared reports whether the board of this place is shared, or was when sharing it
// broke off half-way.
func (p site) shared() bool { return clone.Place{Board: p.board, Home: p.home}.Shared() }

// lost says why a place has no record.
func (p site) lost() error {
	if !p.shared() {
		return ErrNotShared
	}
	if err := p.led(); err != nil {
		return err
	}
	e := pawl.Errorf(pawl.Conflict, "this board is shared, and the record of that is missing from %s", p.home)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "work where git has it, or: pawl share --stop, then pawl share"}
	return e
}

// led fails if a .git file leads nowhere: all that git's folder has of a board is elsewhere.
func (p site) led() error {
	if _, err := os.Stat(filepath.Join(p.tree.Dir, "HEAD")); p.tree.Root == "" || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	e := pawl.Errorf(pawl.Unavailable, "%s leads to %s, and git's folder is not there", filepath.Join(p.tree.Root, ".git"), p.tree.Dir)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "work where the repository is, or let the container have it at that path"}
	return e
}

// plain fails if a link leads out of the place: it may have come with an archive, and what is
// behind it is another clone's.
func (p site) plain() error {
	for _, dir := range []string{filepath.Dir(p.home), p.home} {
		if err := gitdir.Plain(dir); err != nil {
			e := pawl.Errorf(pawl.Invalid, "this board cannot be shared: %w", err)
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "look where it leads, remove it, then: pawl share"}
			return e
		}
	}
	return nil
}

// ref is the reference of the remote that the board is kept on.
func (p site) ref(branch string) string {
	switch branch {
	case "":
		return "refs/pawl/" + p.name
	case BoardBranch: // another board of the repository has another one
		return "refs/heads/pawl-" + p.name
	}
	return "refs/heads/" + branch
}
