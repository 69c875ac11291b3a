package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	"github.com/pawl-dev/pawl/internal/text"
)

var _ engine.Repo = (*Local)(nil)

// Tip is the commit of the target.
func (l *Local) Tip(ctx context.Context, target string) (string, error) {
	tip, err := l.Tree.Ref(ctx, target)
	if err == nil && tip == "" {
		err = fmt.Errorf("%s is gone", runs.Branch(target))
	}
	return tip, err
}

// Begin makes the work tree of an attempt.
func (l *Local) Begin(ctx context.Context, a *runs.Attempt) error {
	// A runner that was killed may have made some of it. No agent has worked in it yet: if
	// one has, the journal that knew of it is gone.
	if _, err := os.Lstat(a.Tree); err == nil {
		if _, err := os.Lstat(filepath.Join(l.Folder.Attempt(a.Key), StreamFile)); err == nil {
			return fmt.Errorf("an agent has worked in %s, and the journal does not know of it: move the folder away", a.Tree)
		}
		if err := l.Tree.RemoveWorktree(ctx, a.Tree); err != nil {
			if _, isTree := l.open(ctx, a); isTree == nil {
				return err
			}
			if err := os.RemoveAll(a.Tree); err != nil { // a folder of the run that is no work tree yet
				return err
			}
		}
	}
	switch tip, err := l.Tree.Ref(ctx, a.Branch); {
	case err != nil:
		return err
	case tip != "" && tip != a.Base:
		return fmt.Errorf("the branch %s exists already, and has work", runs.Branch(a.Branch))
	case tip != "":
		if err := l.Tree.SetRef(ctx, a.Branch, tip, "", "pawl run: begin again"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(a.Tree), 0o700); err != nil {
		return err
	}
	if err := l.Tree.AddWorktree(ctx, a.Tree, a.Branch, a.Base); err != nil {
		return err
	}
	if err := clone.Vouch(a.Tree); err != nil {
		return err
	}
	return l.copies(a.Tree)
}

// copies gives a work tree the files that the user's settings, or trusted ones of the
// project, name. Only regular files are copied, links are not followed.
func (l *Local) copies(tree string) error {
	for _, path := range l.Copy {
		if err := copyFile(l.Tree.Root, tree, filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("run.copy: %s cannot be copied: %w", path, err)
		}
	}
	return nil
}

func copyFile(from, to, path string) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer target.Close()
	info, err := source.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // a project need not have all of them
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	in, err := source.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := target.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := target.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Verify checks that an attempt's work tree is the one that Begin made.
func (l *Local) Verify(ctx context.Context, a *runs.Attempt) error {
	t, err := l.open(ctx, a)
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrWrongFolder, err)
	}
	s, err := t.State(ctx)
	if err != nil {
		return err
	}
	if s.Branch != a.Branch {
		return fmt.Errorf("%w: it is on %q, not on %s", engine.ErrWrongFolder, runs.Branch(s.Branch), runs.Branch(a.Branch))
	}
	return nil
}

// Sum changes with each file, the index and HEAD.
func (l *Local) Sum(ctx context.Context, a *runs.Attempt) (string, error) {
	t, err := l.open(ctx, a)
	if err != nil {
		return "", err
	}
	s, err := t.Standing(ctx, l.apart(t.Root))
	return s.Head + s.Sum, err
}

// Standing is how the main checkout is.
func (l *Local) Standing(ctx context.Context, target string) (engine.Standing, error) {
	s, err := l.Tree.Standing(ctx, l.boards(l.Tree.Root))
	if err != nil {
		return engine.Standing{}, err
	}
	shared, err := l.Tree.Shared(ctx)
	if err != nil {
		return engine.Standing{}, err
	}
	tip, err := l.Tip(ctx, target)
	for _, m := range slices.Backward(l.Tree.Dir().Moves(target, maxMoves)) {
		who, is := strings.CutSuffix(m.By, agentMark)
		if !is || err != nil {
			continue
		}
		var has bool
		if has, err = l.Tree.IsAncestor(ctx, m.To, tip); has {
			shared[fmt.Sprintf("%s, which %s has moved outside of its work tree (%.12s, %s)", runs.Branch(target), who, m.To, text.Line(m.What))] = engine.Moved
			break
		}
	}
	return engine.Standing{Under: s.Under, Dirty: s.Dirty, Shared: shared}, err
}

// Clean removes the work tree and the branch of an attempt whose work is in the target.
func (l *Local) Clean(ctx context.Context, a *runs.Attempt) error {
	why, err := l.Keeps(ctx, a)
	if err == nil && why != "" {
		err = errors.New(why)
	}
	if err != nil {
		return err
	}
	if err := l.Tree.RemoveWorktree(ctx, a.Tree); err != nil {
		return err
	}
	tip, err := l.Tree.Ref(ctx, a.Branch)
	if err != nil || tip == "" {
		return err
	}
	return l.Tree.SetRef(ctx, a.Branch, tip, "", "pawl run: its work is in "+runs.Branch(a.Target))
}

// Keeps says why an attempt's work tree and branch must stay; empty: they need not.
func (l *Local) Keeps(ctx context.Context, a *runs.Attempt) (string, error) {
	t, err := l.open(ctx, a)
	if err != nil && !errors.Is(err, git.ErrWorktreeGone) {
		return "", err
	}
	if t != nil {
		s, err := t.Standing(ctx, l.apart(t.Root))
		if err != nil {
			return "", err
		}
		if s.Under != "" {
			return "a " + s.Under + " is under way in it", nil
		}
		if len(s.Dirty) > 0 {
			return "it has changes that are not committed", nil
		}
		if has, err := l.kept(ctx, a, s.Head); err != nil || !has {
			return "it has commits that neither " + runs.Branch(a.Target) + " nor the attempt's reference has", err
		}
	}
	tip, err := l.Tree.Ref(ctx, a.Branch)
	if err != nil || tip == "" {
		return "", err
	}
	if has, err := l.kept(ctx, a, tip); err != nil || !has {
		return "its branch has commits that neither " + runs.Branch(a.Target) + " nor the attempt's reference has", err
	}
	return "", nil
}

// kept reports whether a commit stays reachable: by the target, or by the attempt's ref.
func (l *Local) kept(ctx context.Context, a *runs.Attempt, commit string) (bool, error) {
	if commit == a.Base {
		return true, nil
	}
	if ref, err := l.Tree.Ref(ctx, a.Ref()); err != nil {
		return false, err
	} else if ref != "" {
		if is, err := l.Tree.IsAncestor(ctx, commit, ref); is || err != nil {
			return is, err
		}
	}
	target, err := l.Tip(ctx, a.Target)
	if err != nil {
		return false, err
	}
	return l.Tree.Contains(ctx, target, a.Base, commit)
}

// Unpushed says that the target has commits that its upstream lacks.
func (l *Local) Unpushed(ctx context.Context, target string) string {
	upstream, err := l.Tree.UpstreamRef(ctx, target)
	if err != nil || upstream == "" {
		return ""
	}
	tip, err := l.Tip(ctx, target)
	if err != nil {
		return ""
	}
	known, err := l.Tree.Ref(ctx, upstream)
	if err != nil || known == "" {
		return ""
	}
	const most = 100
	ahead, err := l.Tree.Log(ctx, known, tip, most)
	switch n := len(ahead); {
	case err != nil || n == 0:
		return ""
	case n == most:
		return fmt.Sprintf("%s has %d commits or more that are not pushed", runs.Branch(target), most)
	default:
		return fmt.Sprintf("%s has %s not pushed", runs.Branch(target), text.Count(n, "commit that is", "commits that are"))
	}
}
