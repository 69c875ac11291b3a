package boards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/store/file"
)

// Init makes a board, or changes whether git sees the one that is there. Git
// runs here and nowhere else for a board.
//
// A board can be kept out of git in two places: by lines in the clone's own
// .git/info/exclude, or by the .gitignore in its folder. The first is used where
// git is; the second outside of git, and where git's folder cannot be written, as
// in an agent's sandbox.
func Init(ctx context.Context, m cli.Making) (cli.Made, error) {
	_, missing := os.Lstat(m.Dir)
	isNew := errors.Is(missing, fs.ErrNotExist)
	var made cli.Made
	var err error
	switch {
	case m.Hidden == nil && isNew && m.Agent != "":
		made, err = hideNew(ctx, m)
	case m.Hidden == nil:
		made, err = Plainly(m.Dir, file.Unchanged)
	case *m.Hidden:
		made, err = hideBoard(ctx, m.Dir)
	default:
		made, err = showBoard(ctx, m.Dir)
	}
	if err == nil && (isNew || m.Hidden != nil || made.Hidden) {
		made.Git = Look(ctx, m.Dir)
	}
	return made, err
}

// hideNew makes a board for an agent, out of git unless the project shares one.
func hideNew(ctx context.Context, m cli.Making) (cli.Made, error) {
	if branch, err := gitexclude.OnBranch(ctx, m.Dir); err == nil && branch != "" {
		made, err := Plainly(m.Dir, file.Unchanged)
		made.Warnings = append(made.Warnings, fmt.Sprintf("the branch %s has this board, so it is not hidden: git would overwrite hidden tasks when you switch to that branch", text.Line(branch)))
		return made, err
	}
	done, err := gitexclude.Hide(ctx, m.Dir, m.Agent)
	if errors.Is(err, pawl.Conflict) { // git tracks tasks that are not on the disk now
		made, errMade := Plainly(m.Dir, file.Unchanged)
		made.Warnings = append(made.Warnings, err.Error())
		return made, errMade
	}
	want := file.Unchanged
	if !done {
		want = file.Private
	}
	return Plainly(m.Dir, want)
}

// hideBoard keeps a board out of git, in one of the two places.
func hideBoard(ctx context.Context, dir string) (cli.Made, error) {
	done, err := gitexclude.Hide(ctx, dir, "")
	switch {
	case errors.Is(err, pawl.Conflict):
		return cli.Made{}, err
	case done:
		return Plainly(dir, file.Unchanged)
	}
	return Plainly(dir, file.Private)
}

// showBoard lets git see a board, as far as Pawl hid it.
func showBoard(ctx context.Context, dir string) (cli.Made, error) {
	made, err := Plainly(dir, file.Shared)
	if err != nil {
		return made, err
	}
	if _, hidden := gitexclude.Made(dir); !hidden {
		return made, nil
	}
	_, err = gitexclude.Show(ctx, dir)
	_, made.Hidden = gitexclude.Made(dir)
	return made, err
}

// Plainly makes the board's folder, with a .gitignore for the wanted sharing.
func Plainly(dir string, want file.Sharing) (cli.Made, error) {
	is, err := file.Init(dir, want)
	_, hidden := gitexclude.Made(dir)
	made := cli.Made{Hidden: hidden || is == file.Private}
	if err != nil {
		return made, err
	}
	store, err := file.Open(dir)
	if err != nil {
		return made, err
	}
	made.Warnings = store.Warnings()
	return made, store.Close()
}

// Look returns what git sees of a board: nothing, if git does not answer.
func Look(ctx context.Context, dir string) cli.Sight {
	s, err := gitexclude.Look(ctx, dir)
	if err != nil {
		return cli.Sight{}
	}
	return cli.Sight{Git: s.Git, Hidden: s.Hidden, Rule: s.Rule, Tracked: s.Tracked}
}
