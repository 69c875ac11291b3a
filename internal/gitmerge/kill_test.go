package gitmerge_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/store/file"
)

// A killed store ends the process in the middle of a merge: before its commit, or
// right after it.
type killed struct {
	*file.Store
	after bool
}

var errKilled = errors.New("killed")

func (k killed) Rewrite(ctx context.Context, why file.Why, fn func(file.Files) (file.Rewriting, error)) (pawl.Revision, error) {
	_, err := k.Store.Rewrite(ctx, why, func(f file.Files) (file.Rewriting, error) {
		w, err := fn(f)
		if err == nil && !k.after {
			err = errKilled
		}
		return w, err
	})
	if err == nil {
		err = errKilled
	}
	return 0, err
}

// Whatever a merge or its undo was killed between, the next one finishes.
func TestKilled(t *testing.T) {
	t.Parallel()
	type step struct {
		name string
		kill func(*clone)
	}
	steps := []step{
		{"before the commit", func(c *clone) {
			m := gitmerge.New(c.board(), killed{c.store(), false}, unheard)
			if _, err := m.Merge(ctx(), gitmerge.Options{By: c.by()}); err == nil {
				t.Error("not killed")
			}
		}},
		{"before the index", func(c *clone) {
			m := gitmerge.New(c.board(), killed{c.store(), true}, unheard)
			if _, err := m.Merge(ctx(), gitmerge.Options{By: c.by()}); err == nil {
				t.Error("not killed")
			}
		}},
		{"before the memory", func(c *clone) {
			was := must.Get(os.ReadFile(filepath.Join(c.board(), ".pawl", "git")))(t)
			c.merge()
			must.Do(t, os.WriteFile(filepath.Join(c.board(), ".pawl", "git"), was, 0o600))
		}},
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			ann, _ := twoClones(t)
			ann.merger().Before(ctx(), ann.by())
			ann.stops("merge", "bob")
			files, index := ann.files(), ann.index()
			s.kill(ann)
			if out := ann.merger().Before(ctx(), ann.by()); out == nil && s.name != "before the memory" {
				t.Error("the next write does not finish it")
			}
			ann.has(bothOfTwo)
			if status, _ := ann.try("diff", "--name-only", "--diff-filter=U"); status != "" {
				t.Errorf("still unmerged: %s", status)
			}
			// And it can be taken back as if nothing had been, killed or not.
			m := gitmerge.New(ann.board(), killed{ann.store(), true}, unheard)
			if _, err := m.Abort(ctx(), ann.by()); err == nil {
				t.Error("the undo was not killed")
			}
			if _, err := ann.merger().Abort(ctx(), ann.by()); err != nil {
				t.Fatalf("abort: %v", err)
			}
			if !maps.Equal(files, ann.files()) || index != ann.index() {
				t.Errorf("not what git left:\n%s\n%s", ann.tasks(), ann.index())
			}
		})
	}
	t.Run("and undone at once", func(t *testing.T) {
		ann, _ := twoClones(t)
		ann.stops("merge", "bob")
		files, index := ann.files(), ann.index()
		steps[1].kill(ann)
		if _, err := ann.merger().Abort(ctx(), ann.by()); err != nil {
			t.Fatalf("abort: %v", err)
		}
		if !maps.Equal(files, ann.files()) || index != ann.index() {
			t.Errorf("not what git left:\n%s\n%s", ann.tasks(), ann.index())
		}
	})
}
