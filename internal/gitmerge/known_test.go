package gitmerge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
)

// Who had a number hears that it means another task, also where a colleague's merge
// moved the task, and where several pulls came before the next write.
func TestMovedElsewhere(t *testing.T) {
	t.Parallel()
	hears := func(t *testing.T, c *clone) {
		t.Helper()
		var followed []merge.Moved
		m := c.merger(func(_ context.Context, moved []merge.Moved) { followed = append(followed, moved...) })
		out := m.Before(ctx(), c.by())
		if out == nil || len(out.Report.Moved) != 2 || out.Report.Moved[0].From != 3 || out.Report.Moved[0].ID != 5 || out.Report.Moved[0].Elder != "Retry hooks" {
			t.Errorf("outcome %+v", out)
		}
		if len(followed) != 2 {
			t.Errorf("todos follow %+v", followed)
		}
		if stale := m.Stale(c.by(), []pawl.ID{3}); len(stale) != 1 || stale[0].ID != 5 {
			t.Errorf("the request is not refused: %+v", stale)
		}
		if again := m.Before(ctx(), c.by()); again != nil {
			t.Errorf("told again: %+v", again)
		}
		c.has(bothOfTwo)
	}
	t.Run("by a colleague", func(t *testing.T) {
		ann, bob := twoClones(t)
		ann.merger().Before(ctx(), ann.by())
		bob.git("fetch", "-q", ann.dir, "main:ann")
		bob.stops("merge", "ann")
		bob.merge()
		bob.git("commit", "-q", "--no-edit")
		ann.git("pull", "-q", "--ff-only", bob.dir, "main")
		hears(t, ann)
		if status := ann.git("status", "--porcelain"); status != "" {
			t.Errorf("git status: %s", status)
		}
	})
	t.Run("by two pulls", func(t *testing.T) {
		ann, bob := twoClones(t)
		ann.drive()
		ann.merger().Before(ctx(), ann.by())
		ann.git("merge", "-q", "--no-edit", "bob")
		bob.do(pawl.AddNote{ID: 3, Text: "more"})
		bob.commit("More")
		ann.git("pull", "-q", "--no-rebase", "--no-edit", bob.dir, "main")
		hears(t, ann)
	})
}

// What another clone remembers of its merges, and how it would undo them, is not ours.
func TestOtherClonesMemory(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	bob.git("fetch", "-q", ann.dir, "main:ann")
	bob.stops("merge", "ann")
	bob.merge()
	must.Do(t, os.WriteFile(filepath.Join(bob.board(), ".pawl", "clone"), []byte("ffeeddccbbaa99887766554433221100\n"), 0o644))
	if _, err := bob.merger().Abort(ctx(), bob.by()); err == nil || !strings.Contains(err.Error(), "no merge that could be taken back") {
		t.Errorf("its merge is undone: %v", err)
	}
}
