package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/runs/engine"
)

// Contains reports whether the target has the work.
func (l *Local) Contains(ctx context.Context, target, base, tip string) (bool, error) {
	at, err := l.Tip(ctx, target)
	if err != nil || base == tip {
		return false, err
	}
	return l.Tree.Contains(ctx, at, base, tip)
}

// Private is the work tree in which commits are put on the target and checked there.
func (l *Local) Private() string { return filepath.Join(l.Folder.Path, "integrate", "tree") }

// private opens it, and makes it if need be.
func (l *Local) private(ctx context.Context, commit string) (*git.Tree, error) {
	dir := l.Private()
	t, err := l.linked(ctx, dir)
	if err == nil {
		return t, nil
	}
	if !errors.Is(err, git.ErrWorktreeGone) && !errors.Is(err, git.ErrNotWorktree) {
		return nil, err
	}
	// It was removed, or never finished: nobody but the run works in it.
	if err := l.Tree.RemoveWorktree(ctx, dir); err != nil {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, err
	}
	if err := l.Tree.AddWorktree(ctx, dir, "", commit); err != nil {
		return nil, err
	}
	return l.linked(ctx, dir)
}

// maxKept bounds the agent's own commits that may be kept: each of them is checked.
const maxKept = 50

// Steps returns the agent's own commits from base to tip.
func (l *Local) Steps(ctx context.Context, base, tip string) ([]string, error) {
	all, err := l.Tree.Authored(ctx, base, tip, maxKept+1)
	if err != nil || len(all) > maxKept {
		return nil, err
	}
	var steps []string
	at := base
	for _, c := range all {
		if len(c.Parents) != 1 || c.Parents[0] != at || strings.HasPrefix(c.Subject, leftoversOf) {
			return nil, nil
		}
		at = c.ID
		steps = append(steps, at)
	}
	return steps, nil
}

// Rebase puts commits on onto in the private work tree, and sets it up for checks.
func (l *Local) Rebase(ctx context.Context, base, tip, onto, message string) (string, []string, error) {
	t, err := l.private(ctx, onto)
	if err != nil {
		return "", nil, err
	}
	commit := onto
	if base != tip {
		var conflicts []string
		if message == "" {
			commit, conflicts, err = t.Rebase(ctx, onto, base, tip)
		} else {
			commit, conflicts, err = t.Squash(ctx, onto, base, tip, message)
		}
		if err != nil || len(conflicts) > 0 {
			return "", conflicts, err
		}
	}
	if err := t.Checkout(ctx, commit); err != nil {
		return "", nil, err
	}
	if err := l.copies(t.Root); err != nil {
		return "", nil, err
	}
	why, tail, err := l.setUp(ctx, t.Root)
	if err == nil && why != "" {
		err = &engine.SetupError{Why: why, Tail: tail}
	}
	return commit, nil, err
}

// Merge moves the target, with the files of the work tree that has it checked out.
func (l *Local) Merge(ctx context.Context, target, onto, commit string) error {
	if t, err := l.having(ctx, target); t != nil || err != nil {
		if err != nil {
			return err
		}
		return moved(t.FastForward(ctx, target, onto, commit))
	}
	if at, err := l.Tree.Ref(ctx, target); err != nil || at == commit {
		return err
	}
	return moved(l.Tree.SetRef(ctx, target, onto, commit, "pawl run: integrate"))
}

// having is the work tree that has a branch checked out; nil: none has.
func (l *Local) having(ctx context.Context, branch string) (*git.Tree, error) {
	all, err := l.Tree.Worktrees(ctx)
	i := slices.IndexFunc(all, func(w git.Worktree) bool { return w.Branch == branch && !w.Prunable && !w.Bare })
	switch {
	case err != nil || i < 0:
		return nil, err
	case all[i].Dir == l.Tree.Root:
		return l.Tree, nil
	}
	return git.OpenWorktree(ctx, all[i].Dir, l.Tree.Dir().Common)
}

// moved gives errors of git the engine's names.
func moved(err error) error {
	switch {
	case errors.Is(err, git.ErrMoved):
		return fmt.Errorf("%w: %w", engine.ErrMoved, err)
	case errors.Is(err, git.ErrWouldOverwrite), errors.Is(err, git.ErrUnderWay), errors.Is(err, git.ErrBusy):
		return fmt.Errorf("%w: %w", engine.ErrInTheWay, err)
	}
	return err
}

// MergeBoard merges the board that an attempt's commits have changed into this one.
func (l *Local) MergeBoard(ctx context.Context, ref string) error {
	commit, err := l.Tree.Ref(ctx, ref)
	if err != nil || commit == "" || l.Boards == nil {
		return err
	}
	return l.Boards(ctx, commit)
}
