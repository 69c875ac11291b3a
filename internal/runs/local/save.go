package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/engine"
)

// mostFiles bounds the names that an attempt keeps of the files it changed.
const mostFiles = 100

// leftoversOf begins the message of a commit of what an agent left. The message alone
// tells such a commit, also after a crash between the commit and the record of it.
const leftoversOf = "pawl: leftovers of "

// Save commits what an agent left. Afterwards all of its commits and files are in the
// history of the attempt's reference, even of a broken work tree; or in that of the same
// reference with -2 behind it, if HEAD and the branch diverged. If the commits changed the
// board, the reference to integrate has -work behind it. Only the files that were copied
// into the tree are in neither, even if the agent has committed them: the commits are made
// again without them.
func (l *Local) Save(ctx context.Context, a *runs.Attempt) (engine.Saved, error) {
	s := engine.Saved{Tip: a.Base}
	branch, err := l.Tree.Ref(ctx, a.Branch)
	if err != nil {
		return s, err
	}
	head := ""
	t, err := l.open(ctx, a)
	switch {
	case errors.Is(err, git.ErrWorktreeGone) || errors.Is(err, git.ErrNotWorktree):
		s.Gone = true
	case err != nil:
		return s, err
	default:
		if head, err = l.leftovers(ctx, t, a, &s); err != nil {
			return s, err
		}
	}
	tip, other, err := l.newest(ctx, head, branch, a.Base)
	if err != nil {
		return s, err
	}
	clean, err := l.withoutCopies(ctx, a, tip, other, branch)
	if err != nil {
		return s, err
	}
	if clean[head] != head && s.Half == "" {
		if err := t.Adopt(ctx, clean[head]); err != nil {
			return s, err
		}
	}
	if at, err := l.Tree.Ref(ctx, a.Branch); err != nil {
		return s, err
	} else if clean[at] != "" {
		if err := l.point(ctx, a.Branch, clean[at]); err != nil {
			return s, err
		}
	}
	tip, other = clean[tip], clean[other]
	for ref, commit := range map[string]string{a.Ref(): tip, a.Ref() + "-2": other} {
		if commit != "" {
			if err := l.point(ctx, ref, commit); err != nil {
				return s, err
			}
		}
	}
	// The board is merged as a board, not by git: its files do not go to the target.
	if s.Tip, err = l.Tree.Strip(ctx, a.Base, tip, l.boards(l.Tree.Root)); err != nil {
		return s, err
	}
	if s.Board = s.Tip != tip; s.Board {
		if err := l.point(ctx, a.Ref()+"-work", s.Tip); err != nil { // else git's gc might take it before it is integrated
			return s, err
		}
	}
	if !s.Gone && branch != "" && s.Half == "" {
		if err := l.onBranch(ctx, a, tip); err != nil {
			return s, err
		}
	}
	changed, err := l.Tree.Changed(ctx, a.Base, s.Tip)
	if err != nil {
		return s, err
	}
	s.Files = changed[:min(len(changed), mostFiles)]
	_, s.Added, s.Removed, err = l.Tree.DiffStat(ctx, a.Base, s.Tip)
	return s, err
}

// leftovers commits what is not committed, and returns HEAD.
func (l *Local) leftovers(ctx context.Context, t *git.Tree, a *runs.Attempt, s *engine.Saved) (string, error) {
	state, err := t.Standing(ctx, l.apart(t.Root))
	if err != nil {
		return "", err
	}
	s.Half = state.Under
	commit, err := t.Snapshot(ctx, fmt.Sprintf("%s%v\n\nAttempt %d at %q.", leftoversOf, a.ID, a.N, a.Subject), l.apart(t.Root))
	if nested, is := errors.AsType[*git.Nested](err); is {
		s.Nested, err = nested.Error(), nil
	}
	if err != nil || commit == "" {
		return state.Head, err
	}
	if s.Half != "" {
		return commit, nil // the operation stays, for a person to look at
	}
	return commit, t.Adopt(ctx, commit)
}

// withoutCopies has for each commit of an attempt what it is without the copied files:
// mostly the commit itself.
func (l *Local) withoutCopies(ctx context.Context, a *runs.Attempt, commits ...string) (map[string]string, error) {
	clean := map[string]string{"": ""}
	for _, commit := range commits {
		if commit == "" {
			continue
		}
		var err error
		if clean[commit], err = l.Tree.Strip(ctx, a.Base, commit, l.copied(l.Tree.Root)); err != nil {
			return nil, err
		}
	}
	return clean, nil
}

// newest chooses the commit that has an attempt's work. If neither HEAD nor the branch
// has the other one in its history, other is the branch.
func (l *Local) newest(ctx context.Context, head, branch, base string) (tip, other string, err error) {
	switch {
	case head == "" && branch == "":
		return base, "", nil
	case head == "":
		return branch, "", nil
	case branch == "" || head == branch:
		return head, "", nil
	}
	if is, err := l.Tree.IsAncestor(ctx, branch, head); is || err != nil {
		return head, "", err
	}
	if is, err := l.Tree.IsAncestor(ctx, head, branch); is || err != nil {
		return branch, "", err
	}
	return head, branch, nil
}

// point makes a reference of the run name a commit.
func (l *Local) point(ctx context.Context, ref, commit string) error {
	old, err := l.Tree.Ref(ctx, ref)
	if err != nil || old == commit {
		return err
	}
	return l.Tree.SetRef(ctx, ref, old, commit, "pawl run: end of an attempt")
}

// onBranch makes the attempt's branch name its work, if the agent committed beside it.
func (l *Local) onBranch(ctx context.Context, a *runs.Attempt, tip string) error {
	at, err := l.Tree.Ref(ctx, a.Branch)
	if err != nil || at == tip {
		return err
	}
	if is, err := l.Tree.IsAncestor(ctx, at, tip); err != nil || !is {
		return err
	}
	return l.Tree.SetRef(ctx, a.Branch, at, tip, "pawl run: end of an attempt")
}

// SetBranch moves an attempt's branch.
func (l *Local) SetBranch(ctx context.Context, branch, from, to string) error {
	t, err := l.having(ctx, branch)
	if err == nil && t != nil && t != l.Tree {
		err = t.Detach(ctx)
	}
	if err != nil {
		return err
	}
	at, err := l.Tree.Ref(ctx, branch)
	if err != nil || at == to {
		return err
	}
	return l.Tree.SetRef(ctx, branch, at, to, "pawl run: put on its target")
}
