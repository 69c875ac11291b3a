package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// beside is a folder that does not exist, next to the clone.
func (c *clone) beside(name string) string { return filepath.Join(filepath.Dir(c.dir), "trees", name) }

// add makes a linked work tree; branch may be empty.
func (c *clone) add(name, branch string) (*clone, *Tree) {
	c.t.Helper()
	dir := c.beside(name)
	must.Do(c.t, c.tree().AddWorktree(c.t.Context(), dir, branch, c.git("rev-parse", "HEAD")))
	return c.linked(dir)
}

func (c *clone) linked(dir string) (*clone, *Tree) {
	c.t.Helper()
	tree := must.Get(OpenWorktree(c.t.Context(), dir, c.path(".git")))(c.t)
	return &clone{t: c.t, dir: dir}, tree
}

func TestWorktrees(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx := t.Context()
		c.git("config", "branch.autoSetupMerge", "always")
		tree := c.tree()
		before := must.Get(tree.Shared(ctx))(t)
		config, head := c.read(".git/config"), c.git("rev-parse", "HEAD")
		w, linked := c.add("a b\n-c", "refs/heads/pawl/1-x")
		_, side := c.add("-side", "")
		after, err := tree.Shared(ctx)
		if err != nil || len(differ(before, after)) > 0 || c.read(".git/config") != config {
			t.Errorf("what is shared changed: %v %v", differ(before, after), err)
		}
		if got := w.git("status", "--porcelain"); got != "" || w.read("readme") != "shop\n" {
			t.Errorf("the new work tree has: %s", got)
		}
		all, err := linked.Worktrees(ctx)
		if err != nil || len(all) != 3 || all[0].Dir != c.dir || all[0].Branch != "refs/heads/main" {
			t.Fatalf("%+v %v", all, err)
		}
		i := slices.IndexFunc(all, func(w Worktree) bool { return w.Branch == "refs/heads/pawl/1-x" })
		if i < 1 || all[i].Dir != w.dir || all[i].Head != head || all[3-i].Branch != "" {
			t.Errorf("%+v", all)
		}
		for _, test := range []struct{ dir, branch, commit, want string }{
			{w.dir, "", head, "exists"},
			{c.beside("new"), "refs/heads/pawl/1-x", head, "already exists"},
			{c.beside("new"), "refs/heads/-x", head, "cannot be a new branch"},
			{c.beside("new"), "main", head, "cannot be a new branch"},
			{c.beside("new"), "", "", "no commit yet"},
			{c.beside("new"), "", "HEAD", "not the id"},
			{"new", "", head, "absolute"},
		} {
			if err := tree.AddWorktree(ctx, test.dir, test.branch, test.commit); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v: %v", test, err)
			}
		}
		w.write("left", "x")
		must.Do(t, os.RemoveAll(side.Root))
		gone, _ := c.add("gone", "")
		must.Do(t, os.RemoveAll(gone.dir))
		if all, err = tree.Worktrees(ctx); err != nil || !all[slices.IndexFunc(all, func(w Worktree) bool { return w.Dir == gone.dir })].Prunable {
			t.Errorf("%+v %v", all, err)
		}
		for _, dir := range []string{c.dir, c.beside("never"), filepath.Dir(w.dir)} {
			if err := tree.RemoveWorktree(ctx, dir); err == nil {
				t.Errorf("%s was removed", dir)
			}
		}
		for _, dir := range []string{w.dir, side.Root} {
			must.Do(t, tree.RemoveWorktree(ctx, dir))
		}
		if all, err = tree.Worktrees(ctx); err != nil || len(all) != 2 || all[1].Dir != gone.dir {
			t.Errorf("the one that nobody named is not there: %+v %v", all, err)
		}
		if _, err := os.Lstat(w.dir); !errors.Is(err, os.ErrNotExist) {
			t.Error("the folder is there", err)
		}
		if c.git("rev-parse", "refs/heads/pawl/1-x") != head {
			t.Error("the branch is gone")
		}
	})
}

// A folder is a work tree only if git thinks so, too.
func TestOpenWorktree(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	w, _ := c.add("w", "")
	other := newClone(t)
	common := c.path(".git")
	w.write("sub/x", "x")
	other2, _ := c.add("other", "")
	c.write(filepath.Join(c.beside("fake"), ".git"), other2.read(".git"))
	c.write(filepath.Join(c.dir, "inner", "x"), "x")
	c.link(w.dir, c.beside("link"))
	for dir, want := range map[string]string{
		c.beside("never"):             "is gone",
		w.path("sub"):                 "inside of the work tree",
		filepath.Join(c.dir, "inner"): "inside of the work tree",
		other.dir:                     "belongs to the repository",
		filepath.Dir(c.dir):           "not a git repository",
		w.path("readme"):              "not a folder",
		c.beside("link"):              "not a folder",
		c.beside("fake"):              "those of another one",
		"w":                           "gone",
	} {
		if tree, err := OpenWorktree(t.Context(), dir, common); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v", dir, tree, err)
		}
	}
	w.remove(".git")
	if _, err := OpenWorktree(t.Context(), w.dir, common); !errors.Is(err, ErrNotWorktree) {
		t.Error(err)
	}
	if err := c.tree().RemoveWorktree(t.Context(), w.dir); !errors.Is(err, ErrNotWorktree) || w.read("readme") == "" {
		t.Error(err)
	}
	if tree, err := OpenWorktree(t.Context(), c.dir, common); err != nil || tree.Root != c.dir {
		t.Error(tree, err)
	}
}

func TestRefs(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		ctx, tree := t.Context(), c.tree()
		first := c.git("rev-parse", "HEAD")
		c.write("readme", "two\n")
		second := c.commit("Two")
		const name = "refs/pawl/run/7-1700000000000/1"
		for _, step := range []struct {
			old, id string
			want    error
			is      string
		}{
			{first, second, ErrMoved, ""},
			{first, "", ErrMoved, ""},
			{"", first, nil, first},
			{"", second, ErrMoved, first},
			{second, first, ErrMoved, first},
			{first, second, nil, second},
			{first, "", ErrMoved, second},
			{second, "", nil, ""},
			{"", second, nil, second},
		} {
			if err := tree.SetRef(ctx, name, step.old, step.id, "test\nof it"); !errors.Is(err, step.want) {
				t.Errorf("%+v: %v", step, err)
			}
			if is, err := tree.Ref(ctx, name); is != step.is || err != nil {
				t.Errorf("%+v: it is %q, %v", step, is, err)
			}
		}
		must.Do(t, tree.SetRef(ctx, name+"0", "", first, ""))
		for _, bad := range []string{"HEAD", "refs/x", "refs/pawl/../heads/main", "--all", "refs/pawl/*", ""} {
			if _, err := tree.Ref(ctx, bad); err == nil {
				t.Errorf("%q was read", bad)
			}
			if err := tree.SetRef(ctx, bad, "", first, ""); err == nil {
				t.Errorf("%q was written", bad)
			}
		}
		if err := tree.SetRef(ctx, name, second, "HEAD", ""); err == nil {
			t.Error("HEAD was taken for an id")
		}
	})
}

// Of many that move a reference at once, one does.
func TestRefRace(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	tree, first := c.tree(), c.git("rev-parse", "HEAD")
	won := make(chan error, 8)
	for range cap(won) {
		go func() { won <- tree.SetRef(t.Context(), "refs/pawl/run/x/1", "", first, "race") }()
	}
	n := 0
	for range cap(won) {
		switch err := <-won; {
		case err == nil:
			n++
		case !errors.Is(err, ErrMoved) && !isRefusal(err):
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d have made it", n)
	}
}

// Sparse checkouts, submodules, a linked work tree as the one that is asked, and a
// repository without a commit.
func TestWorktreesOdd(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("here/a", "a")
	c.write("there/b", "b")
	inner := &clone{t: t, dir: c.path("lib")}
	inner.write("lib.go", "package lib\n")
	inner.git("init", "-q")
	inner.commit("Lib")
	c.commit("Folders")
	ctx := t.Context()
	c.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "here")
	w, tree := c.add("sparse", "refs/heads/sparse")
	if w.read("here/a") != "a" || isThere(w.path("there/b")) {
		t.Error("it is not sparse")
	}
	if id, err := tree.Snapshot(ctx, "x", nil); id != "" || err != nil {
		t.Error(id, err)
	}
	w.write("here/a", "aa")
	id, err := tree.Snapshot(ctx, "x", nil)
	if err != nil || w.files(id) != ".tasks/task_1.json here/a lib readme there/b" {
		t.Fatal(w.files(id), err)
	}
	if err := tree.Adopt(ctx, id); err != nil || w.git("status", "--porcelain") != "" {
		t.Error(w.git("status", "--porcelain"), err)
	}
	c.git("checkout", "-q", "--detach")
	c.write("there/b", "bb")
	c.git("add", "--sparse", "there/b")
	c.git("commit", "-qm", "There")
	there := c.git("rev-parse", "HEAD")
	c.git("checkout", "-q", "main")
	if err := c.tree().FastForward(ctx, "refs/heads/main", c.git("rev-parse", "HEAD"), there); err != nil || c.git("status", "--porcelain") != "" {
		t.Error(c.git("status", "--porcelain"), err)
	}
	// From the linked one.
	dir := c.beside("of a linked one")
	must.Do(t, tree.AddWorktree(ctx, dir, "", id))
	_, second := c.linked(dir)
	if tip, conflicts, err := second.Rebase(ctx, there, c.git("merge-base", there, id), id); err != nil || len(conflicts) > 0 {
		t.Error(tip, conflicts, err)
	}
	must.Do(t, tree.RemoveWorktree(ctx, dir))
	if err := second.FastForward(ctx, "refs/heads/main", there, there); err == nil {
		t.Error("a tree that is gone was moved")
	}

	c.git("checkout", "-q", "--orphan", "new")
	c.git("rm", "-rqf", "--cached", ".")
	if err := c.tree().AddWorktree(ctx, c.beside("new"), "", ""); !errors.Is(err, ErrUnborn) {
		t.Error(err)
	}
	if s, err := c.tree().Standing(ctx, nil); err != nil || s.Head != "" || s.Branch != "refs/heads/new" {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := c.tree().Snapshot(ctx, "x", nil); !errors.Is(err, ErrUnborn) {
		t.Error(err)
	}
	if all, err := c.tree().Worktrees(ctx); err != nil || all[0].Head != "" {
		t.Errorf("%+v %v", all, err)
	}
}

// What a work tree keeps read-only is removed, and what a link leads to is not.
func TestRemoveWorktreeReadOnly(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	w, _ := c.add("w", "")
	w.write("cache/mod/x", "x")
	c.link(c.dir, w.path("out"))
	w.mode("cache/mod", 0o555)
	t.Cleanup(func() { _ = os.Chmod(w.path("cache/mod"), 0o755) })
	if err := c.tree().RemoveWorktree(t.Context(), w.dir); err != nil || isThere(w.dir) || c.read("readme") == "" {
		t.Error(err)
	}
}

// Ends of lines are converted both ways, and what a filter would do is not done.
func TestWorktreeConversions(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.git("config", "filter.up.clean", "tr a-z A-Z")
	c.git("config", "filter.up.smudge", "tr A-Z a-z")
	c.git("config", "filter.up.required", "true")
	c.write(".gitattributes", "*.up filter=up\n*.dos text eol=crlf\n")
	c.write("x.up", "text\n")
	c.write("x.dos", "a\r\n")
	c.commit("Filtered")
	old := time.Unix(1_000_000_000, 0) // so that git need not read it to know that it is as it was
	must.Do(t, os.Chtimes(c.path("x.up"), old, old))
	c.git("update-index", "--refresh")
	w, tree := c.add("w", "")
	if w.read("x.up") != "TEXT\n" || w.read("x.dos") != "a\r\n" {
		t.Errorf("%q %q", w.read("x.up"), w.read("x.dos"))
	}
	if id, err := tree.Snapshot(t.Context(), "x", nil); id != "" || err != nil {
		t.Error(id, err)
	}
	w.write("x.up", "new\n")
	w.write("y.dos", "b\r\n")
	id, err := tree.Snapshot(t.Context(), "x", nil)
	if err != nil || w.git("cat-file", "-p", id+":x.up") != "new" || w.git("cat-file", "-s", id+":y.dos") != "2" {
		t.Error(id, err)
	}
	if err := c.tree().FastForward(t.Context(), "refs/heads/main", c.git("rev-parse", "HEAD"), id); err != nil || c.read("x.up") != "new\n" || c.read("y.dos") != "b\r\n" {
		t.Errorf("%q %v", c.read("x.up"), err)
	}
}
