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

// A site is where what this clone keeps of a shared board is.
type site struct{ clone.Place }

// Names of files in a place.
const (
	repoName    = "repo"
	stateName   = clone.SharedState
	joiningName = "joining" // what state will be, until the first sync has come to its end
	lockName    = "lock"    // of the sync that is under way
	waitName    = "wait"    // of the one in the background that is about to begin
	keepName    = "keep"    // of the process in the background that is about to make a commit
)

// siteOf finds the place of a board, which may be missing yet. It runs no git.
func siteOf(board string) site { return site{clone.PlaceOf(board)} }

// lost says why a place has no record.
func (p site) lost() error {
	if !p.Shared() {
		return ErrNotShared
	}
	if err := p.led(); err != nil {
		return err
	}
	return pawl.Errorf(pawl.Conflict, "this board is shared, and the record of that is missing from %s", p.Home).
		Say("work where git has it, or: pawl share --stop, then pawl share")
}

// led fails if a .git file leads nowhere: all that git's folder has of a board is elsewhere.
func (p site) led() error {
	if _, err := os.Stat(filepath.Join(p.Tree.Dir, "HEAD")); p.Tree.Root == "" || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return pawl.Errorf(pawl.Unavailable, "%s leads to %s, and git's folder is not there", filepath.Join(p.Tree.Root, ".git"), p.Tree.Dir).
		Say("work where the repository is, or let the container have it at that path")
}

// plain fails if a link leads out of the place: it may have come with an archive, and what is
// behind it is another clone's.
func (p site) plain() error {
	for _, dir := range []string{filepath.Dir(p.Home), p.Home} {
		if err := gitdir.Plain(dir); err != nil {
			return pawl.Errorf(pawl.Invalid, "this board cannot be shared: %w", err).Say("look where it leads, remove it, then: pawl share")
		}
	}
	return nil
}

// ref is the reference of the remote that the board is kept on.
func (p site) ref(branch string) string {
	switch branch {
	case "":
		return "refs/pawl/" + p.Name
	case BoardBranch: // another board of the repository has another one
		return "refs/heads/pawl-" + p.Name
	}
	return "refs/heads/" + branch
}
