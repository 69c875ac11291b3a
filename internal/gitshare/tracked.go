package gitshare

import (
	"context"

	"github.com/pawl-dev/pawl/internal/git"
)

// tracked is what git's index had of the board when somebody looked last.
type tracked struct {
	Index string `json:"index"` // the stamp of the index then
	Files int    `json:"files,omitempty"`
}

// overrun reports whether the branch that is checked out has the board's files, too: a
// checkout would put those of its commit in the place of the board's. Git is asked only
// when its index has changed.
func (p site) overrun(ctx context.Context, r *record) (bool, error) {
	if p.Tree.Root == "" {
		return false, nil
	}
	now := p.Tree.Stamp().Index
	if r.Tracked == nil || r.Tracked.Index != now {
		tree, err := git.Find(ctx, p.Tree.Root)
		if tree == nil || err != nil {
			return false, err
		}
		files, err := tree.Tracked(ctx, p.Board)
		if err != nil {
			return false, err
		}
		r.Tracked = &tracked{now, len(files)}
	}
	return r.Tracked.Files > 0, nil
}
