package gitmerge_test

import (
	"context"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A sync of another process moves a number while this one merges. The merge wrote what it had
// read before, and nobody was told that the number has another task.
func TestMovesDuringAMerge(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.merger().Before(ctx(), ann.by())
	ann.stops("merge", "bob")
	m := ann.merger(func(context.Context, []merge.Moved) {
		ann.merger().Synced(pawl.Actor{}, []merge.Moved{{From: 40, Named: merge.Named{ID: 41}, Side: merge.Ours}})
	})
	if out, err := m.Merge(ctx(), gitmerge.Options{By: ann.by()}); err != nil || out.Revision == 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	if got := ann.merger().Stale(ann.by(), []pawl.ID{40}); len(got) != 1 {
		t.Errorf("ann is told of %+v", got)
	}
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Errorf("a write merges again: %+v", out)
	}
}
