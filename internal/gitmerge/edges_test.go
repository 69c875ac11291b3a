package gitmerge_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/merge"
)

// Moves of HEAD that bring nothing together.
func TestNothingToMerge(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.merger().Before(ctx(), ann.by())
	for _, args := range [][]string{
		{"commit", "-q", "--amend", "-m", "Keys again"},
		{"checkout", "-q", "bob"},
		{"checkout", "-q", "main"},
		{"reset", "-q", "--hard", "HEAD~1"},
		{"merge", "-q", "--ff-only", "bob"},
		{"checkout", "-q", "--detach", "HEAD~1"},
		{"branch", "-q", "other"},
		{"checkout", "-q", "main"},
		{"bisect", "start"},
		{"bisect", "reset"},
	} {
		ann.git(args...)
		before := ann.files()
		if out := ann.merger().Before(ctx(), ann.by()); out != nil {
			t.Errorf("git %v: %+v", args, out)
		}
		if out := ann.merge(); !out.Nothing() {
			t.Errorf("pawl merge after git %v: %+v", args, out)
		}
		if !maps.Equal(before, ann.files()) {
			t.Errorf("git %v: files were changed", args)
		}
	}
}

// A merge that git made without a word, and a colleague pushed, is found behind a
// fast-forward.
func TestMergeOfAColleague(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	cleo := ann.clone("cleo")
	cleo.git("reset", "-q", "--hard", "HEAD~1")
	cleo.merger().Before(ctx(), cleo.by())
	bob.git("fetch", "-q", ann.dir, "main:ann")
	bob.stops("merge", "ann")
	bob.git("checkout", "-q", "--theirs", ".")
	bob.commit("Merge ann")
	bob.write("more", "more")
	bob.commit("More")
	cleo.git("pull", "-q", "--ff-only", bob.dir, "main")
	out := cleo.merger().Before(ctx(), cleo.by())
	if out == nil || len(out.Report.Arrived) != 2 {
		t.Fatalf("outcome %+v", out)
	}
	for _, subject := range []string{"Retry hooks", "Wait for hooks", "Rotate the key", "Tell about the key"} {
		if !strings.Contains(cleo.tasks(), subject) {
			t.Errorf("%s is lost:\n%s", subject, cleo.tasks())
		}
	}
}

// What somebody did to a merge before its commit, and after it, is not taken back.
func TestWorkInAMergeCommitStays(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.merger().Before(ctx(), ann.by())
	ann.stops("merge", "bob")
	ann.merge()
	ann.do(pawl.Complete{IDs: []pawl.ID{1}})
	ann.do(pawl.AddNote{ID: 5, Text: "while merging"})
	seven := ann.add("Seven")
	ann.do(pawl.Delete{IDs: []pawl.ID{2}})
	ann.commit("Merge bob")
	want := ann.files()
	ann.do(pawl.AddNote{ID: 3, Text: "afterwards"})
	os.Remove(filepath.Join(ann.board(), ".pawl", "git")) // as in a fresh clone
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Errorf("ann: %+v\n%s", out, ann.tasks())
	}
	bob.merger().Before(ctx(), bob.by())
	bob.git("pull", "-q", "--ff-only", ann.dir, "main")
	if out := bob.merger().Before(ctx(), bob.by()); out != nil {
		t.Errorf("bob: %+v", out)
	}
	if got := bob.files(); !maps.Equal(got, want) {
		t.Errorf("bob has\n%s", bob.tasks())
	}
	_ = seven
}

// Git's own words are told from what a commit is about.
func TestMessageLikeGits(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"Cut the engine (start) once", "Plan (start): begin", "Board (amend): names", "x (finish)"} {
		t.Run(message, func(t *testing.T) {
			ann, _ := twoClones(t)
			ann.merger().Before(ctx(), ann.by())
			ann.write("x", "x")
			ann.commit(message)
			ann.stops("merge", "bob")
			ann.git("checkout", "-q", "--ours", ".")
			ann.commit(message)
			ann.merger().Before(ctx(), ann.by())
			ann.has(bothOfTwo)
		})
	}
}

// The rename trap: without attributes git takes a planned-again task for the old one
// under a new name, and completes it.
func TestRenameTrap(t *testing.T) {
	t.Parallel()
	ann := newClone(t, "ann")
	task := func(id, status, more string) string {
		return "{\n  \"id\": " + id + ",\n  \"subject\": \"Task " + id + "\",\n  \"description\": \"" + strings.Repeat("The same long text of a plan. ", 20) + "\",\n  \"status\": \"" + status + "\",\n  \"blockedBy\": [],\n  \"blocks\": [],\n  \"owner\": \"\",\n  \"labels\": [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\"\n  ]" + more + "\n}\n"
	}
	ann.plainly()
	ann.write(".tasks/task_5.json", task("5", "pending", ""))
	ann.commit("Five")
	bob := ann.clone("bob")
	bob.write(".tasks/task_5.json", task("5", "completed", ""))
	bob.commit("Done")
	os.Remove(filepath.Join(ann.board(), "task_5.json"))
	ann.write(".tasks/task_7.json", task("7", "pending", ""))
	ann.commit("Planned again")
	ann.merger().Before(ctx(), ann.by())
	ann.git("pull", "-q", "--no-rebase", bob.dir, "main")
	if !strings.Contains(ann.files()["task_7.json"], "completed") {
		t.Fatalf("git has not walked into the trap:\n%s", ann.tasks())
	}
	out := ann.merger().Before(ctx(), ann.by())
	if out == nil || strings.Contains(ann.files()["task_7.json"], "completed") {
		t.Errorf("a new task is completed: %+v\n%s", out, ann.tasks())
	}
}

func TestOctopus(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.git("branch", "three", "HEAD~1")
	ann.git("checkout", "-q", "three")
	ann.add("Third")
	ann.commit("Third")
	ann.git("checkout", "-q", "main")
	ann.git("reset", "-q", "--hard", "HEAD~1")
	_ = bob
	if out, err := ann.try("merge", "--no-commit", "bob", "three"); err == nil {
		t.Logf("git merges it: %s", out)
	}
	heads, err := os.ReadFile(filepath.Join(ann.dir, ".git", "MERGE_HEAD"))
	if err != nil || strings.Count(string(heads), "\n") < 2 {
		ann.write(".git/MERGE_HEAD", ann.git("rev-parse", "bob")+ann.git("rev-parse", "three"))
	}
	before := ann.files()
	if _, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by()}); err == nil || !strings.Contains(err.Error(), "more than two") {
		t.Errorf("%v", err)
	}
	if !maps.Equal(before, ann.files()) {
		t.Error("files were changed")
	}
}

// Two clones that merge each other's first commits before they meet.
func TestCrissCross(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	bob.git("fetch", "-q", ann.dir, "main:ann")
	ann.stops("merge", "bob")
	ann.merge()
	ann.git("commit", "-q", "--no-edit")
	bob.stops("merge", "ann")
	bob.merge()
	bob.git("commit", "-q", "--no-edit")
	ann.same(bob)
	ann.do(pawl.Complete{IDs: []pawl.ID{3}})
	ann.commit("Three is done")
	bob.do(pawl.AddNote{ID: 3, Text: "from bob"})
	bob.add("By bob")
	bob.commit("A note")
	ann.add("By ann")
	ann.commit("More")
	ann.try("pull", "-q", "--no-rebase", bob.dir, "main")
	ann.merge()
	ann.git("add", "-A")
	ann.git("commit", "-q", "-m", "Met")
	bob.git("pull", "-q", "--ff-only", ann.dir, "main")
	bob.merger().Before(ctx(), bob.by())
	ann.same(bob)
	if n := strings.Count(ann.tasks(), "\n"); n != 8 {
		t.Errorf("%d tasks:\n%s", n, ann.tasks())
	}
}

// Where git is, and how much of its history there is.
func TestPlaces(t *testing.T) {
	t.Parallel()
	merged := func(t *testing.T, c *clone, from string) {
		t.Helper()
		c.stops("pull", "-q", "--no-rebase", "--allow-unrelated-histories", from, "main")
		c.merge()
		if got := c.tasks(); strings.Count(got, "\n") != 6 || !strings.Contains(got, "Rotate the key was [#3]") {
			t.Errorf("merged to\n%s", got)
		}
		c.git("commit", "-q", "--no-edit")
		if status := c.git("status", "--porcelain"); status != "" {
			t.Errorf("git has left:\n%s", status)
		}
	}
	t.Run("shallow", func(t *testing.T) {
		ann, bob := twoClones(t)
		shallow := &clone{TB: t, name: "cleo"}
		shallow.dir = ann.dir + "-shallow"
		ann.git("clone", "-q", "--depth=1", "file://"+ann.dir, shallow.dir)
		shallow.git("fetch", "-q", "--depth=1", "file://"+bob.dir, "main:bob")
		if _, err := shallow.try("merge", "--allow-unrelated-histories", "bob"); err == nil {
			t.Fatal("git did not stop")
		}
		shallow.merge()
		if got := shallow.tasks(); strings.Count(got, "\n") != 6 {
			t.Errorf("merged to\n%s", got)
		}
	})
	t.Run("git's folder elsewhere", func(t *testing.T) {
		ann, bob := twoClones(t)
		to := filepath.Join(t.TempDir(), "git")
		ann.git("init", "-q", "--separate-git-dir="+to)
		merged(t, ann, bob.dir)
	})
	t.Run("submodule", func(t *testing.T) {
		ann, bob := twoClones(t)
		outer := newClone(t, "outer")
		outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", ann.dir, "sub")
		sub := &clone{TB: t, dir: filepath.Join(outer.dir, "sub"), name: "sub"}
		merged(t, sub, bob.dir)
	})
	t.Run("below the root", func(t *testing.T) {
		ann, bob := twoClones(t)
		for _, c := range []*clone{ann, bob} {
			c.git("config", "core.quotePath", "true")
		}
		deep := "a folder/with “quotes” and *"
		ann.git("reset", "-q", "--hard", "HEAD~1")
		must.Do(t, os.MkdirAll(filepath.Join(ann.dir, deep), 0o755))
		ann.git("mv", ".tasks", deep+"/")
		ann.below = deep
		os.RemoveAll(filepath.Join(ann.board(), ".pawl"))
		ann.commit("Deeper")
		cleo := ann.clone("cleo")
		cleo.add("Retry hooks")
		cleo.add("Wait for hooks", 3)
		cleo.commit("Hooks")
		ann.add("Rotate the key")
		ann.add("Tell about the key", 3)
		ann.commit("Keys")
		merged(t, ann, cleo.dir)
	})
	t.Run("linked work tree", func(t *testing.T) {
		ann, bob := twoClones(t)
		side := &clone{TB: t, dir: filepath.Join(filepath.Dir(ann.dir), "side"), name: "side"}
		ann.git("worktree", "add", "-q", "-b", "side", side.dir)
		before := ann.files()
		merged(t, side, bob.dir)
		if !maps.Equal(before, ann.files()) {
			t.Error("the main tree's board was changed")
		}
		if out := ann.merger().Before(ctx(), ann.by()); out != nil {
			t.Errorf("the main tree merged: %+v", out)
		}
	})
	t.Run("line ends", func(t *testing.T) {
		ann, bob := twoClones(t)
		ann.git("config", "core.autocrlf", "true")
		ann.git("rm", "-q", "-r", "--cached", ".")
		ann.git("reset", "-q", "--hard")
		if !strings.Contains(ann.files()["task_3.json"], "\r\n") {
			t.Fatal("git has not written other line ends")
		}
		merged(t, ann, bob.dir)
		for name, text := range ann.files() {
			if strings.Count(text, "\n") != strings.Count(text, "\r\n") && name != ".highwatermark" {
				t.Errorf("%s has mixed line ends: %q", name, text)
			}
		}
		if blob := ann.git("show", "HEAD:.tasks/task_5.json"); strings.Contains(blob, "\r") {
			t.Error("git has the wrong line ends")
		}
	})
}

func TestIndexLocked(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.stops("merge", "bob")
	lock := filepath.Join(ann.dir, ".git", "index.lock")
	must.Do(t, os.WriteFile(lock, nil, 0o600))
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Errorf("a write: %+v", out)
	}
	if _, err := ann.merger().Merge(ctx(), gitmerge.Options{By: ann.by()}); pawl.KindOf(err) != pawl.Unavailable {
		t.Errorf("pawl merge: %v", err)
	}
	os.Remove(lock)
	if out := ann.merger().Before(ctx(), ann.by()); out == nil {
		t.Error("afterwards it does not merge")
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.stops("merge", "bob")
	var wg sync.WaitGroup
	for range 6 {
		m := ann.merger() // as in a process of its own
		wg.Go(func() { m.Before(ctx(), ann.by()) })
	}
	wg.Wait()
	ann.has(bothOfTwo)
	ann.merge()
	ann.git("commit", "-q", "--no-edit")
	if status := ann.git("status", "--porcelain"); status != "" {
		t.Errorf("git has left:\n%s", status)
	}
}

// A copy of the folder is another clone, with its own view of git.
func TestCopyOfTheFolder(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.merger().Before(ctx(), ann.by())
	ann.stops("merge", "bob")
	copied := &clone{TB: t, dir: ann.dir + "-copy", name: "copy"}
	must.Do(t, os.CopyFS(copied.dir, os.DirFS(ann.dir)))
	ann.merge()
	if out := copied.merger().Before(ctx(), copied.by()); out == nil {
		t.Error("the copy does not merge")
	}
	copied.has(bothOfTwo)
	if _, err := copied.merger().Abort(ctx(), copied.by()); err != nil {
		t.Errorf("the copy's own merge: %v", err)
	}
}

// A link in the place of .pawl came with somebody's project. Nothing is written behind it.
func TestLinkedMemory(t *testing.T) {
	t.Parallel()
	ann, elsewhere := newClone(t, "ann"), t.TempDir()
	at := filepath.Join(ann.board(), ".pawl")
	must.Do(t, errors.Join(os.RemoveAll(at), os.Symlink(elsewhere, at)))
	ann.merger().Before(ctx(), ann.by())
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("behind the link is %v (%v)", left, err)
	}
}

// A memory that is torn, or from elsewhere, costs a look at git.
func TestTornMemory(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "null", "[]", `{"version":9}`, `{"version":1,"head":"x"}`, "\n" + `{"version":1,"head":"x"}`, "x\n{", strings.Repeat("[", 1<<20)} {
		if !long.Turn(text, 3) {
			continue
		}
		ann, _ := twoClones(t)
		ann.stops("merge", "bob")
		must.Do(t, os.WriteFile(filepath.Join(ann.board(), ".pawl", "git"), []byte(text), 0o600))
		must.Do(t, os.WriteFile(filepath.Join(ann.board(), ".pawl", "git.undo"), []byte(text), 0o600))
		if _, err := ann.merger().Abort(ctx(), ann.by()); pawl.KindOf(err) != pawl.Conflict {
			t.Errorf("%.20q: abort: %v", text, err)
		}
		if out := ann.merger().Before(ctx(), ann.by()); out == nil {
			t.Errorf("%.20q: not merged", text)
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	ann, bob := twoClones(t)
	ann.write("src", "ann\n")
	ann.commit("src")
	bob.write("src", "bob\n")
	bob.commit("src")
	ann.git("fetch", "-q", bob.dir, "main:bob")
	state := func() merge.State {
		t.Helper()
		return must.Get(ann.merger().State(ctx()))(t)
	}
	if s := state(); s.Under != "" || s.Next != nil {
		t.Errorf("at rest: %+v", s)
	}
	ann.stops("merge", "bob")
	s := state()
	if s.Under != "merge" || s.Waits != "git commit" || len(s.Tasks) != 2 || s.Tasks[0] != ".tasks/task_3.json" || len(s.Left) != 1 || s.Left[0] != "src" ||
		s.Next == nil || len(s.Next.Report.Moved) != 2 || s.ByHand {
		t.Errorf("in a merge: %+v", s)
	}
	ann.merge()
	if s = state(); s.Under != "merge" || len(s.Tasks) != 0 || len(s.Left) != 1 || s.Next != nil {
		t.Errorf("after pawl merge: %+v", s)
	}
	ann.git("merge", "--abort")
	ann.stops("rebase", "bob")
	if s = state(); s.Under != "rebase" || !s.ByHand || s.Next == nil {
		t.Errorf("in a rebase: %+v", s)
	}
}

// What git cannot answer never fails a write, and is told once.
func TestGitFails(t *testing.T) {
	ann, _ := twoClones(t)
	ann.stops("merge", "bob")
	must.Do(t, os.WriteFile(filepath.Join(ann.dir, ".git", "index"), []byte("no index"), 0o644))
	if out := ann.merger().Before(ctx(), ann.by()); out == nil || out.Remark == "" || strings.Contains(out.Remark, "\n") {
		t.Errorf("the first write: %+v", out)
	}
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Errorf("the second write: %+v", out)
	}
	t.Setenv("PATH", "")
	os.Remove(filepath.Join(ann.board(), ".pawl", "git"))
	if out := ann.merger().Before(ctx(), ann.by()); out != nil {
		t.Errorf("without git: %+v", out)
	}
}

// Who keeps numbers of tasks hears of new ones, and of the old ones after an undo.
func TestMoves(t *testing.T) {
	t.Parallel()
	ann, _ := twoClones(t)
	ann.stops("merge", "bob")
	to := map[pawl.ID]pawl.ID{}
	m := ann.merger(func(_ context.Context, moved []merge.Moved) {
		clear(to)
		for _, mv := range moved {
			to[mv.From] = mv.ID
		}
	})
	m.Before(ctx(), ann.by())
	if want := map[pawl.ID]pawl.ID{3: 5, 4: 6}; !maps.Equal(to, want) {
		t.Errorf("moved: %v", to)
	}
	must.Get(m.Abort(ctx(), ann.by()))(t)
	if want := map[pawl.ID]pawl.ID{5: 3, 6: 4}; !maps.Equal(to, want) {
		t.Errorf("moved back: %v", to)
	}
}
