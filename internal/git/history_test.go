package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Where the history ends, two commits have no base, and nothing is fetched.
func TestShallow(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ours, theirs := c.part()
	shallow := &clone{t: t, dir: filepath.Join(filepath.Dir(c.dir), "shallow")}
	c.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+c.dir, shallow.dir)
	tree := shallow.tree()
	if bases, err := tree.Bases(t.Context(), ours, theirs); err != nil || len(bases) > 0 {
		t.Errorf("bases: %v %v", bases, err)
	}
	if lines, err := tree.Parents(t.Context(), ours, theirs); err != nil || len(lines) != 2 || lines[0].ID != ours || len(lines[0].Parents) > 0 {
		t.Errorf("parents: %+v %v", lines, err)
	}
	if folders, err := tree.Folders(t.Context(), shallow.board(), ours, theirs); err != nil || len(folders[1].Entries) != 2 {
		t.Errorf("folders: %+v %v", folders, err)
	}
}

// A clone without the files of other commits says that they are missing.
func TestPartial(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	_, theirs := c.part()
	c.git("config", "uploadpack.allowFilter", "true")
	partial := &clone{t: t, dir: filepath.Join(filepath.Dir(c.dir), "partial")}
	c.git("clone", "-q", "--filter=blob:none", "file://"+c.dir, partial.dir)
	tree := partial.tree()
	folders := must.Get(tree.Folders(t.Context(), partial.board(), theirs))(t)
	texts, err := tree.Blobs(t.Context(), []string{folders[0].Entries[0].ID, folders[0].Entries[1].ID}, 1<<20)
	if len(texts) > 0 {
		t.Errorf("%d texts were fetched, %v", len(texts), err)
	}
}

// The history is that of every clone: without commits that were replaced here.
func TestReplaced(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	base := c.git("rev-parse", "HEAD")
	ours, theirs := c.part()
	c.git("replace", "--graft", ours)
	c.write(".git/info/grafts", theirs+"\n")
	if out, _ := c.try("merge-base", ours, theirs); strings.Contains(out, base) {
		t.Fatal("the test replaces nothing")
	}
	if bases, err := c.tree().Bases(t.Context(), ours, theirs); err != nil || !slices.Equal(bases, []string{base}) {
		t.Errorf("bases: %v %v", bases, err)
	}
}

// Criss-cross merges have two bases, in the order of their ids.
func TestSeveralBases(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	start := c.git("rev-parse", "HEAD")
	c.git("checkout", "-qb", "side")
	c.write("side", "1")
	a := c.commit("A")
	c.git("checkout", "-q", "main")
	c.write("main", "1")
	b := c.commit("B")
	c.git("merge", "-q", "--no-edit", a)
	c.git("checkout", "-q", "side")
	c.git("merge", "-q", "--no-edit", b)
	want := []string{a, b}
	slices.Sort(want)
	tree := c.tree()
	if bases, err := tree.Bases(t.Context(), c.git("rev-parse", "main"), c.git("rev-parse", "side")); err != nil || !slices.Equal(bases, want) {
		t.Errorf("bases: %v, want %v, %v", bases, want, err)
	}
	c.git("merge", "-q", "-m", "Both", "main")
	merges, err := tree.Merges(t.Context(), start, c.git("rev-parse", "HEAD"), 10)
	if err != nil || len(merges) != 3 || merges[2].ID != c.git("rev-parse", "HEAD") {
		t.Errorf("merges: %+v %v", merges, err)
	}
	if newest, err := tree.Merges(t.Context(), "", merges[2].ID, 1); err != nil || len(newest) != 1 || newest[0].ID != merges[2].ID {
		t.Errorf("the newest: %+v %v", newest, err)
	}
	c.git("checkout", "-q", "--orphan", "alone")
	c.write("alone", "1")
	if bases, err := tree.Bases(t.Context(), c.commit("Alone"), start); err != nil || len(bases) > 0 {
		t.Errorf("bases of strangers: %v %v", bases, err)
	}
}

// What git stopped at is told, in the main work tree and in a linked one, in a
// submodule, and where .git is elsewhere.
func TestUnderWay(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"main", "linked", "submodule", "separate"} {
		t.Run(place, func(t *testing.T) {
			c := newClone(t)
			ours, theirs := c.part()
			root := filepath.Dir(c.dir)
			switch place {
			case "linked":
				c.git("checkout", "-q", "--detach")
				linked := &clone{t: t, dir: filepath.Join(root, "linked")}
				c.git("worktree", "add", "-q", linked.dir, "main")
				c = linked
			case "submodule":
				super := &clone{t: t, dir: filepath.Join(root, "super")}
				super.git("init", "-q")
				super.git("submodule", "--quiet", "add", c.dir, "part")
				c = &clone{t: t, dir: filepath.Join(super.dir, "part")}
				c.git("branch", "-q", "side", "origin/side")
			case "separate":
				c.git("init", "-q", "--separate-git-dir", filepath.Join(root, "elsewhere.git"))
			}
			tree := c.tree()
			if tree.Root != c.dir {
				t.Errorf("the root is %s", tree.Root)
			}
			common := filepath.Clean(c.git("rev-parse", "--path-format=absolute", "--git-common-dir"))
			if dir := tree.Dir(); dir.Dir != c.git("rev-parse", "--absolute-git-dir") || dir.Common != common {
				t.Errorf("git's folders are %+v, %s", dir, common)
			}
			state := func() State {
				t.Helper()
				return must.Get(tree.State(t.Context()))(t)
			}
			if s := state(); !s.None() || s.Head != ours || s.Branch != "refs/heads/main" {
				t.Errorf("at rest: %+v", s)
			}
			c.fails("cherry-pick", "side")
			if s := state(); s.Pick != theirs || s.None() {
				t.Errorf("in a cherry-pick: %+v", s)
			}
			c.git("cherry-pick", "--abort")
			c.fails("rebase", "side")
			if s := state(); s.Rebase == nil || s.Rebase.Commit != ours || s.Rebase.Tip != ours || s.Head != theirs || s.Branch != "" {
				t.Errorf("in a rebase: %+v %+v", s, s.Rebase)
			}
			c.git("rebase", "--abort")
			c.write("more", "1")
			c.commit("More")
			c.fails("revert", "--no-edit", theirs)
			if s := state(); s.Revert != theirs {
				t.Errorf("in a revert: %+v", s)
			}
			c.git("revert", "--abort")
			c.git("bisect", "start")
			if s := state(); !s.Bisect {
				t.Errorf("in a bisect: %+v", s)
			}
			c.git("bisect", "reset")
			c.git("format-patch", "-q", "-1", "-o", root, "side")
			patches, _ := filepath.Glob(filepath.Join(root, "*.patch"))
			c.fails("am", patches[0])
			if s := state(); !s.Apply || s.Rebase != nil {
				t.Errorf("in an am: %+v", s)
			}
			c.git("am", "--abort")
			if s := state(); !s.None() {
				t.Errorf("at rest again: %+v", s)
			}
			moves := tree.Dir().Moves("HEAD", 3)
			if len(moves) != 3 || moves[2].At.IsZero() || moves[2].To != state().Head {
				t.Errorf("moves: %+v", moves)
			}
		})
	}
}

// A repository without a commit has a branch and no HEAD.
func TestUnborn(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.git("checkout", "-q", "--orphan", "new")
	if s, err := c.tree().State(t.Context()); err != nil || s.Head != "" || s.Branch != "refs/heads/new" {
		t.Errorf("%+v %v", s, err)
	}
}

// A stamp changes with what git does, and with nothing else.
func TestStamp(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.part()
	tree := c.tree()
	last := tree.Dir().Stamp()
	same := func(what string) {
		t.Helper()
		if now := tree.Dir().Stamp(); now != last {
			t.Errorf("%s: it was\n%+v\nand is\n%+v", what, last, now)
		}
	}
	differs := func(what string, part func() bool) {
		t.Helper()
		was := last
		last = tree.Dir().Stamp()
		if last == was || !part() {
			t.Errorf("%s: it is\n%+v\nand was\n%+v", what, last, was)
		}
	}
	any := func() bool { return true }
	same("nothing")
	c.write(".tasks/task_7.json", "{}")
	same("a task")
	c.git("log", "-1")
	same("git log")
	c.git("add", ".tasks")
	differs("git add", any)
	c.git("commit", "-qm", "Seven")
	differs("a commit", any)
	c.git("update-ref", "HEAD", "HEAD~1")
	differs("a ref that was moved", any)
	c.git("reset", "-q", "--hard")
	differs("a reset", any)
	c.fails("merge", "side")
	differs("a conflict", func() bool { return last.Under != "" })
	same("and nothing more")
	c.git("merge", "--abort")
	differs("the end of the merge", func() bool { return last.Under == "" })
	c.git("pack-refs", "--all")
	differs("packed references", any)
	c.git("branch", "-f", "side", "side~1")
	last = tree.Dir().Stamp()
	c.git("checkout", "-q", "side")
	differs("another branch", any)
	if tree.Dir().Busy() {
		t.Error("git is told to be at work")
	}
	must.Do(t, os.WriteFile(tree.Dir().Lock(), nil, 0o644))
	if !tree.Dir().Busy() {
		t.Error("a lock is not seen")
	}
}

// The folder of git that a person names by variables is used for files, too.
func TestNamedByVariables(t *testing.T) {
	c := newClone(t)
	elsewhere := filepath.Join(filepath.Dir(c.dir), "home.git")
	must.Do(t, os.Rename(c.path(".git"), elsewhere))
	t.Setenv("GIT_DIR", elsewhere)
	t.Setenv("GIT_WORK_TREE", c.dir)
	tree := c.tree()
	if d := tree.Dir(); d.Dir != elsewhere || d.Common != elsewhere {
		t.Errorf("git's folders are %+v", d)
	}
	if s, err := tree.State(t.Context()); err != nil || s.Head == "" {
		t.Errorf("%+v %v", s, err)
	}
}
