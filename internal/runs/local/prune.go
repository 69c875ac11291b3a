package local

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/runs"
)

// keepOutputs is how long the prompt and the outputs of an attempt are kept.
const keepOutputs = 30 * 24 * time.Hour

// Prune removes the outputs of attempts that ended long ago and whose work trees are gone.
// Their references stay.
func (l *Local) Prune(s *runs.State, now time.Time) {
	for _, w := range s.Tasks {
		for i := range w.Attempts {
			a := &w.Attempts[i]
			if !a.Phase.Over() || !w.Last().Phase.Over() || now.Sub(a.Changed) < keepOutputs {
				continue
			}
			if _, err := os.Lstat(a.Tree); a.Tree == "" || errors.Is(err, os.ErrNotExist) {
				_ = os.RemoveAll(l.Folder.Attempt(a.Key)) // the next run tries it again
			}
		}
	}
}

// CleanPrivate removes the work tree in which attempts are integrated. The next run makes
// it again.
func (l *Local) CleanPrivate(ctx context.Context) error {
	_, err := git.OpenWorktree(ctx, l.Private(), l.Tree.Dir().Common)
	if errors.Is(err, git.ErrWorktreeGone) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.Tree.RemoveWorktree(ctx, l.Private())
}
