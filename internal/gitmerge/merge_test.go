package gitmerge_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/merge"
)

// twoClones are two clones that have added a task each, under one number. All but the first
// two are copies, which take a fraction of the time of some twenty processes of git.
func twoClones(t *testing.T) (ann, bob *clone) {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	if _, err := os.Stat(template); err == nil {
		ann = newFolder(t, "ann")
		bob = &clone{TB: t, dir: filepath.Join(filepath.Dir(ann.dir), "bob"), name: "bob"}
		must.Do(t, os.CopyFS(filepath.Dir(ann.dir), os.DirFS(template)))
		return ann, bob
	}
	ann = newClone(t, "ann")
	bob = ann.clone("bob")
	bob.add("Retry hooks")
	bob.add("Wait for hooks", 3)
	bob.commit("Hooks")
	ann.add("Rotate the key")
	ann.add("Tell about the key", 3)
	ann.commit("Keys")
	ann.git("fetch", "-q", bob.dir, "main:bob")
	must.Do(t, os.CopyFS(template, os.DirFS(filepath.Dir(ann.dir))))
	return ann, bob
}

// template is the folder with the clones that twoClones copies.
var (
	template string
	making   sync.Mutex
)

const bothOfTwo = `
#1 Plan
#2 Cart
#3 Retry hooks
#4 Wait for hooks after [#3]
#5 Rotate the key was [#3]
#6 Tell about the key after [#5] was [#4]
`

func TestMergeUnderWay(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.stops("merge", "bob")
	out := ann.merge()
	ann.has(bothOfTwo)
	if out.Waits != "git commit" || len(out.Left) != 0 || out.Revision == 0 || len(out.Sources) != 1 || out.Sources[0].Kind != merge.KindMerge {
		t.Errorf("outcome %+v", out)
	}
	if len(out.Report.Arrived) != 2 || len(out.Report.Moved) != 2 || out.Report.Moved[0].From != 3 || out.Report.Moved[0].ID != 5 || out.Report.Moved[0].Elder != "Retry hooks" {
		t.Errorf("report %+v", out.Report)
	}
	if status := ann.git("status", "--porcelain"); strings.Contains(status, "AA") || strings.Contains(status, "??") || strings.Contains(status, " M") {
		t.Errorf("git has left:\n%s", status)
	}
	ann.git("commit", "-q", "--no-edit")
	if again := ann.merge(); !again.Nothing() {
		t.Errorf("merged again: %+v", again)
	}
	if before := ann.merger().Before(ctx(), ann.by()); before != nil {
		t.Errorf("a write merged again: %+v", before)
	}
}

func TestMergeBeforeAWrite(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Fatalf("there was nothing to do: %+v", out)
	}
	ann.stops("merge", "bob")
	m := ann.merger()
	out := m.Before(ctx(), ann.by())
	if out == nil || out.Revision == 0 || len(out.Report.Moved) != 2 {
		t.Fatalf("a write did not merge: %+v", out)
	}
	ann.has(bothOfTwo)
	if stale := m.Stale(ann.by(), []pawl.ID{3, 1}); len(stale) != 1 || stale[0].From != 3 || stale[0].ID != 5 {
		t.Errorf("the waiting request: %+v", stale)
	}
	m.Tell(ann.by(), out.Report.Moved)
	if stale := m.Stale(ann.by(), []pawl.ID{3, 4}); len(stale) != 0 {
		t.Errorf("it is refused again: %+v", stale)
	}
	if out := m.Before(ctx(), ann.by()); out != nil {
		t.Errorf("it merged again: %+v", out)
	}
}

// A session that had only read a number, and did not merge, changed the task that has it now: no
// history says who read what. Each is told once, and a session that began since is not.
func TestStaleForOtherSessions(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	other := pawl.Actor{Name: "agent", Session: "agent-1"}
	if out := ann.merger().Before(ctx(), other); out != nil {
		t.Fatalf("there was nothing to do: %+v", out)
	}
	ann.stops("merge", "bob")
	if out, err := ann.merger().Merge(ctx(), gitmerge.Options{By: other}); err != nil || len(out.Report.Moved) == 0 {
		t.Fatal(out, err)
	}
	fresh := pawl.Actor{Name: "agent", Session: "fresh-1"}
	ann.merger().Begins(fresh)
	for _, c := range []struct {
		by   pawl.Actor
		want int
	}{
		{ann.by(), 1}, {ann.by(), 0},
		{pawl.Actor{Name: "agent", Session: "read-1"}, 1}, {pawl.Actor{Name: "agent", Session: "read-1"}, 0},
		{pawl.Actor{Name: "ada", Session: "terminal-1.2.3"}, 1}, {pawl.Actor{Name: "ada", Session: "terminal-4.5.6"}, 0},
		{other, 0}, {fresh, 0},
	} {
		stale := ann.merger().Stale(c.by, []pawl.ID{3, 1})
		ann.merger().Tell(c.by, stale)
		if len(stale) != c.want || c.want == 1 && (stale[0].From != 3 || stale[0].ID != 5) {
			t.Errorf("%v is told %+v", c.by, stale)
		}
	}
}

func TestCommittedMerge(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.merger().Before(ctx(), ann.by()) // remembers where HEAD is
	ann.stops("merge", "bob")
	ann.git("checkout", "-q", "--ours", ".") // by hand, and bob's are lost
	ann.commit("Merge bob")
	out := ann.merger().Before(ctx(), ann.by())
	if out == nil || !out.Commit || len(out.Added) != 0 {
		t.Fatalf("a write did not find it: %+v", out)
	}
	ann.has(bothOfTwo)
	ann.commit("Tasks")
	bob.git("pull", "-q", ann.dir, "main")
	if out := bob.merger().Before(ctx(), bob.by()); out != nil {
		t.Errorf("bob merged what ann had: %+v", out)
	}
	ann.same(bob)
}

func TestRebase(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.merger().Before(ctx(), ann.by())
	ann.add("Third", 3)
	ann.commit("Third")
	ann.stops("rebase", "bob")
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Fatalf("a write merged in the middle of a rebase: %+v", out)
	}
	for i := 0; ; i++ {
		out := ann.merge()
		if out.Waits != "git rebase --continue" {
			t.Fatalf("stop %d: %+v", i, out)
		}
		if said, err := ann.try("rebase", "--continue"); err == nil {
			break
		} else if i == 5 || !strings.Contains(said, "onflict") {
			t.Fatalf("git does not go on: %s", said)
		}
	}
	ann.merge()
	got := ann.tasks()
	for _, want := range []string{"#3 Retry hooks\n", "#4 Wait for hooks after [#3]\n", " Rotate the key was", " Tell about the key after", " Third after"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 7 {
		t.Errorf("%d tasks:\n%s", n, got)
	}
	ann.git("add", "-A")
	ann.try("commit", "-q", "-m", "Tasks")
	bob.git("pull", "-q", ann.dir, "main")
	bob.merger().Before(ctx(), bob.by())
	ann.same(bob)
}

func TestCherryPickAndRevert(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	bob.do(pawl.Update{ID: 3, AddLabels: []string{"net"}})
	bob.commit("Label")
	ann.git("fetch", "-q", bob.dir, "main:bob2")
	ann.stops("cherry-pick", "bob")
	if out := ann.merge(); out.Waits != "git cherry-pick --continue" || out.Sources[0].Kind != merge.KindPick {
		t.Errorf("outcome %+v", out)
	}
	ann.has(bothOfTwo)
	ann.git("cherry-pick", "--continue")
	ann.git("cherry-pick", "bob2")
	ann.has(bothOfTwo)
	if text := ann.files()["task_3.json"]; !strings.Contains(text, `"net"`) {
		t.Errorf("the label did not come: %s", text)
	}
	ann.do(pawl.Complete{IDs: []pawl.ID{3}})
	ann.commit("Done")
	if said, err := ann.try("revert", "--no-edit", "HEAD~1"); err != nil {
		out := ann.merge()
		if out.Waits != "git revert --continue" {
			t.Errorf("git said %s, outcome %+v", said, out)
		}
		ann.git("revert", "--continue")
	}
	if text := ann.files()["task_3.json"]; strings.Contains(text, `"net"`) || !strings.Contains(text, `"completed"`) {
		t.Errorf("after the revert: %s", text)
	}
}

func TestStashPop(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.git("reset", "-q", "--hard", "HEAD~1")
	os.RemoveAll(filepath.Join(ann.board(), ".pawl")) // which knows that #3 was given
	ann.add("Rotate the key")
	ann.git("add", "-A")
	ann.git("stash", "-q")
	ann.git("pull", "-q", "--ff-only", bob.dir, "main")
	ann.stops("stash", "pop")
	out := ann.merge()
	if len(out.Sources) != 1 || out.Sources[0].Kind != merge.KindStages {
		t.Errorf("outcome %+v", out)
	}
	ann.has(`
#1 Plan
#2 Cart
#3 Retry hooks
#4 Wait for hooks after [#3]
#5 Rotate the key was [#3]
`)
}

func TestModifiedAndDeleted(t *testing.T) {
	t.Parallel()
	ann := newClone(t, "ann")
	bob := ann.clone("bob")
	bob.do(pawl.Delete{IDs: []pawl.ID{1, 2}})
	bob.commit("Fewer")
	ann.do(pawl.AddNote{ID: 1, Text: "I work on it"})
	ann.commit("A note")
	ann.stops("pull", "-q", "--no-rebase", bob.dir, "main")
	out := ann.merge()
	if len(out.Report.Kept) != 1 || out.Report.Kept[0].ID != 1 || out.Report.Kept[0].Deleted != merge.Theirs {
		t.Errorf("report %+v", out.Report)
	}
	ann.has("#1 Plan\n")
	ann.git("commit", "-q", "--no-edit")
	if status := ann.git("status", "--porcelain"); status != "" {
		t.Errorf("git has left:\n%s", status)
	}
}

func TestUndo(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"abort", "undo", "twice"} {
		t.Run(how, func(t *testing.T) {
			ann, _ := twoClones(t)
			ann.stops("merge", "bob")
			files, index := ann.files(), ann.index()
			out := ann.merge()
			undo := func() (err error) {
				if how == "abort" {
					_, err = ann.merger().Abort(ctx(), ann.by())
				} else {
					var result pawl.Result
					result, err = ann.merger().Undo(ctx(), ann.by(), out.Revision)
					if err == nil && (result.Undoes != out.Revision || !result.Changed) {
						t.Errorf("result %+v", result)
					}
				}
				return err
			}
			must.Do(t, undo())
			if !maps.Equal(ann.files(), files) {
				t.Errorf("files are other than git left them:\n%v\n%v", ann.files(), files)
			}
			if now := ann.index(); now != index {
				t.Errorf("the index has\n%snot\n%s", now, index)
			}
			if out := ann.merger().Before(ctx(), ann.by()); out != nil {
				t.Errorf("a write took it again: %+v", out)
			}
			if how == "twice" {
				out = ann.merge()
				ann.has(bothOfTwo)
				if err := undo(); err != nil || !maps.Equal(ann.files(), files) || ann.index() != index {
					t.Errorf("the second undo: %v", err)
				}
			}
			if err := undo(); pawl.KindOf(err) != pawl.Conflict {
				t.Errorf("undone again: %v", err)
			}
		})
	}
}

func TestUndoIsRefused(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, c *clone, want string) {
		t.Helper()
		files := c.files()
		if _, err := c.merger().Abort(ctx(), c.by()); pawl.KindOf(err) != pawl.Conflict || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
		if !maps.Equal(files, c.files()) {
			t.Error("files were changed")
		}
	}
	t.Run("after the commit", func(t *testing.T) {
		ann, _ := twoClones(t)
		ann.stops("merge", "bob")
		ann.merge()
		ann.git("commit", "-q", "--no-edit")
		refused(t, ann, ann.git("rev-parse", "HEAD")[:10])
	})
	t.Run("after git's own abort", func(t *testing.T) {
		ann, _ := twoClones(t)
		before := ann.files()
		ann.stops("merge", "bob")
		ann.merge()
		ann.git("merge", "--abort")
		if !maps.Equal(before, ann.files()) {
			t.Errorf("git's abort leaves\n%s", ann.tasks())
		}
		refused(t, ann, "without a commit")
		ann.stops("merge", "bob")
		ann.merge()
		ann.has(bothOfTwo)
	})
	t.Run("after a change", func(t *testing.T) {
		ann, _ := twoClones(t)
		ann.stops("merge", "bob")
		ann.merge()
		ann.do(pawl.Complete{IDs: []pawl.ID{5}})
		refused(t, ann, "#5 has changed")
	})
	t.Run("nothing", func(t *testing.T) {
		refused(t, newClone(t, "ann"), "no merge")
	})
}

func TestNamedBranch(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	dry, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by(), Ref: "bob", DryRun: true})
	if err != nil || !dry.Dry || len(dry.Report.Arrived) != 2 || len(dry.Report.Moved) != 2 {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	before := ann.files()
	out, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by(), Ref: "bob"})
	if err != nil || len(out.Added) != 0 || !out.Commit {
		t.Fatalf("%+v, %v", out, err)
	}
	ann.has(bothOfTwo)
	if _, err := ann.merger().Abort(ctx(), ann.by()); err != nil || !maps.Equal(before, ann.files()) {
		t.Errorf("abort: %v\n%s", err, ann.tasks())
	}
	if _, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by(), Ref: "nobody"}); pawl.KindOf(err) != pawl.NotFound {
		t.Errorf("a branch that does not exist: %v", err)
	}
}

// Two clones imported the same thing under two numbers. It is one task, and nothing was
// removed.
func TestImportedTwice(t *testing.T) {
	t.Parallel()
	ann := newClone(t, "ann")
	bob := ann.clone("bob")
	for _, c := range []*clone{ann, bob} {
		c.merger().Before(ctx(), c.by())
	}
	imports := func(c *clone) {
		made := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		c.do(pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "Crash", Metadata: map[string]json.RawMessage{"ref": json.RawMessage(`"github:acme/shop#5"`)}}, CreatedAt: made}}})
	}
	imports(ann)
	ann.commit("Import")
	bob.add("Before")
	imports(bob)
	bob.commit("Import")
	ann.git("fetch", "-q", bob.dir, "main:bob")
	ann.stops("merge", "bob")
	out := ann.merge()
	if len(out.Report.Deleted) > 0 || len(out.Report.Moved) != 2 {
		t.Errorf("%+v", out.Report)
	}
	ann.has("#1 Plan\n#2 Cart\n#3 Crash was [#3 #4]\n#5 Before was [#3]")
}
