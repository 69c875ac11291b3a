package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// formats are the two kinds of ids that a repository can have.
func formats(t *testing.T, f func(t *testing.T, c *clone)) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			if format == "sha256" {
				long.Seldom(t, 8)
			}
			f(t, newClone(t, "--object-format="+format))
		})
	}
}

func TestMergeUnderWay(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		base := c.git("rev-parse", "HEAD")
		ours, theirs := c.part()
		tree := c.tree()
		before := tree.Dir().Stamp()
		c.fails("merge", "side")
		if after := tree.Dir().Stamp(); after == before || after.Under == "" || before.Under != "" {
			t.Errorf("stamp before: %+v, in a merge: %+v", before, after)
		}
		ctx := t.Context()
		state, err := tree.State(ctx)
		if err != nil || state.Head != ours || state.Branch != "refs/heads/main" || !slices.Equal(state.Merge, []string{theirs}) {
			t.Errorf("state: %+v %v", state, err)
		}
		if bases, err := tree.Bases(ctx, ours, theirs); err != nil || !slices.Equal(bases, []string{base}) {
			t.Errorf("bases: %v %v", bases, err)
		}
		folders, err := tree.Folders(ctx, c.board(), base, ours, theirs, base)
		if err != nil || len(folders) != 4 || folders[0].ID != folders[3].ID || folders[0].ID == folders[1].ID {
			t.Fatalf("folders: %+v %v", folders, err)
		}
		var ids []string
		for _, f := range folders {
			for _, e := range f.Entries {
				if !e.Mode.Regular() || e.Mode != Regular {
					t.Errorf("%+v", e)
				}
				ids = append(ids, e.ID)
			}
		}
		texts, err := tree.Blobs(ctx, ids, 1<<20)
		if err != nil || len(texts) != 5 {
			t.Fatalf("%d texts, %v", len(texts), err)
		}
		if got := string(texts[folders[2].Entries[0].ID]); folders[2].Entries[0].Name != "task_1.json" || got != "{\"subject\": \"Theirs\"}\n" {
			t.Errorf("task 1 of theirs: %+v %q", folders[2].Entries[0], got)
		}

		unmerged, err := tree.Unmerged(ctx, c.board())
		if err != nil || stages(unmerged) != "task_1.json 1, task_1.json 2, task_1.json 3, task_2.json 2, task_2.json 3" {
			t.Fatalf("unmerged: %s %v", stages(unmerged), err)
		}
		put, err := tree.Put(ctx, [][]byte{[]byte("{}\r\n"), []byte("third")})
		if err != nil || len(put) != 2 {
			t.Fatal(put, err)
		}
		must.Do(t, tree.Update(ctx, c.board(), []string{"task_2.json"}, Entry{"task_1.json", Regular, put[0], 0}, Entry{"task_3.json", Regular, put[1], 0}))
		if left, err := tree.Unmerged(ctx, c.board()); err != nil || len(left) > 0 {
			t.Errorf("left: %s %v", stages(left), err)
		}
		entries, err := tree.Entries(ctx, c.board())
		if err != nil || stages(entries) != "task_1.json 0, task_3.json 0" {
			t.Errorf("entries: %s %v", stages(entries), err)
		}
		if got := c.git("show", ":.tasks/task_3.json"); got != "third" {
			t.Errorf("the index has %q", got)
		}

		// An undo puts the conflict back as it was.
		must.Do(t, tree.Update(ctx, c.board(), []string{"task_3.json"}, unmerged...))
		if again, err := tree.Unmerged(ctx, c.board()); err != nil || !slices.Equal(again, unmerged) {
			t.Errorf("again: %s %v", stages(again), err)
		}
		if out := c.fails("commit", "-m", "Merge"); !strings.Contains(out, "unmerged") {
			t.Error(out)
		}
		if err := tree.Update(ctx, c.board(), []string{"task_1.json", "task_2.json"}); err != nil { // no entry says how long an id is
			t.Fatal(err)
		}
		c.git("commit", "-qm", "Merge")
		merge := c.git("rev-parse", "HEAD")
		merges, err := tree.Merges(ctx, ours, merge, 10)
		if err != nil || len(merges) != 1 || merges[0].ID != merge || !slices.Equal(merges[0].Parents, []string{ours, theirs}) {
			t.Errorf("merges: %+v %v", merges, err)
		}
		if is, err := tree.IsAncestor(ctx, theirs, merge); err != nil || !is {
			t.Error(is, err)
		}
		if is, err := tree.IsAncestor(ctx, merge, theirs); err != nil || is {
			t.Error(is, err)
		}
	})
}

func stages(entries []Entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %d", e.Name, e.Stage)
	}
	return b.String()
}

func TestIndexIsLocked(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	tree := c.tree()
	must.Do(t, os.WriteFile(filepath.Join(c.dir, ".git", "index.lock"), nil, 0o644))
	before := c.read(".git/index")
	if err := tree.Update(t.Context(), c.board(), []string{"task_1.json"}); !errors.Is(err, ErrBusy) {
		t.Errorf("with a lock that is seen: %v", err)
	}
	_, err := tree.ask(t.Context(), nil, "update-index", "--force-remove", ".tasks/task_1.json")
	if !errors.Is(err, ErrBusy) {
		t.Errorf("with a lock that git finds: %v", err)
	}
	if c.read(".git/index") != before {
		t.Error("the index was changed")
	}
}
