package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
)

// initGit offers a person who makes a board that git merges its tasks by Pawl. It
// is an offer: the board is made without it as well.
func (a *app) initGit(ctx context.Context, board string) error {
	if !a.atTerminal() || !gitexclude.Seen(board) {
		return nil
	}
	i := a.lacksDriver(ctx, board)
	if i == nil {
		return nil
	}
	err := i.carryOut(ctx, []string{setup.Git})
	if errors.Is(err, pawl.Invalid) { // a no
		a.print("Later: pawl setup git\n")
		return nil
	}
	return err
}

// lacksDriver is the setup of git for a board that it merges without Pawl; nil: it is
// set up, or cannot be.
func (a *app) lacksDriver(ctx context.Context, board string) *installing {
	names := []string{setup.Git}
	i := &installing{app: a, args: []string{"setup", setup.Git}}
	if err := i.begin(ctx, names); err != nil || i.root != filepath.Dir(board) {
		return nil
	}
	if plan, err := i.plan(names); err != nil || plan.Empty() || plan.Failed() {
		return nil
	}
	return i
}

// missingDriver is a line of doctor about a board that git merges without Pawl.
func (a *app) missingDriver(board string, set []agentHealth) {
	for _, h := range set {
		if h.Agent == setup.Git {
			return
		}
	}
	if gitexclude.Seen(board) {
		a.print("git merges this board's tasks without Pawl (pawl setup git)\n")
	}
}

// tracked reports files of one clone that git tracks.
func (a *app) tracked(ctx context.Context, place *project.Board) []pawl.Problem {
	if !place.Exists || place.Distant() {
		return nil
	}
	found, _ := gitexclude.Machinery(ctx, place.Dir, false)
	return found
}

// overrun is the problem of a board that Pawl hides and that git has files of: a pull
// or a checkout put those over the tasks that were there.
func (a *app) overrun(ctx context.Context, board string) []pawl.Problem {
	n, err := gitexclude.Overrun(ctx, board, false)
	if err != nil || n == 0 {
		return nil
	}
	return []pawl.Problem{{
		Kind: "overrun",
		Text: fmt.Sprintf("Pawl hides this board from git, but git tracks %s of it: a pull or a checkout brought them, and overwrote tasks of the same numbers; new tasks stay hidden", text.Count(n, "file", "files")),
		Mend: "pawl init --shared, and git sees all tasks. The overwritten ones: pawl undo the edit by external that pawl log has after the next change, pawl export old.jsonl, git checkout -- " + filepath.Base(board) + ", pawl import old.jsonl",
	}}
}
