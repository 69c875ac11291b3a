package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// ahead makes a commit on top of main that changes, adds and removes files, and leaves
// main where it was.
func (c *clone) ahead() (from, to string) {
	c.write("changed", "old\n")
	c.write("gone/deep", "x")
	c.write("stays", "s")
	c.write(".gitignore", "*.log\n")
	from = c.commit("Files")
	c.git("checkout", "-q", "--detach")
	c.write("changed", "new\n")
	c.write("added/-x \"é", "x")
	c.remove("gone")
	c.write("gone", "now a file")
	to = c.commit("Ahead")
	c.git("checkout", "-q", "main")
	return from, to
}

func (c *clone) at(branch string) string { return c.git("rev-parse", "refs/heads/"+branch) }

func TestFastForward(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		from, to := c.ahead()
		tree, ctx := c.tree(), t.Context()
		c.task(1, "Changed")
		c.write("stays", "edited")
		c.write("staged", "s")
		c.git("add", "staged")
		before := c.git("status", "--porcelain")
		must.Do(t, tree.FastForward(ctx, "refs/heads/main", from, to))
		if got := c.git("status", "--porcelain"); got != before {
			t.Errorf("before:\n%s\nnow:\n%s", before, got)
		}
		if c.at("main") != to || c.read("changed") != "new\n" || c.read("gone") != "now a file" || c.git("symbolic-ref", "HEAD") != "refs/heads/main" {
			t.Error("it did not move")
		}
		if got := c.git("reflog", "-1", "--format=%gs", "HEAD"); got != "pawl: fast-forward" {
			t.Error(got)
		}
		if err := tree.FastForward(ctx, "refs/heads/main", from, to); err != nil {
			t.Error("again:", err)
		}
		for _, test := range [][3]string{{"refs/heads/other", to, to}, {"refs/heads/main", to, from}, {"refs/heads/main", from, c.git("commit-tree", "-m", "x", to+"^{tree}")}} {
			if err := tree.FastForward(ctx, test[0], test[1], test[2]); !errors.Is(err, ErrMoved) {
				t.Errorf("%v: %v", test, err)
			}
		}
		if left, _ := filepath.Glob(c.path(".git/pawl-*")); len(left) > 0 || tree.Dir().Busy() {
			t.Errorf("left: %q", left)
		}
	})
}

// What would be lost stops it, and nothing is changed.
func TestFastForwardBlocked(t *testing.T) {
	t.Parallel()
	first := newClone(t)
	from, to := first.ahead()
	for name, test := range map[string]struct {
		do   func(c *clone)
		path string
	}{
		"an edit":             {func(c *clone) { c.write("changed", "mine\n") }, "changed"},
		"staged":              {func(c *clone) { c.write("changed", "mine\n"); c.git("add", "changed"); c.write("changed", "old\n") }, "changed"},
		"staged away":         {func(c *clone) { c.git("rm", "-q", "--cached", "changed") }, "changed"},
		"untracked":           {func(c *clone) { c.write("added/-x \"é", "mine") }, "added/-x \"é"},
		"a file for a folder": {func(c *clone) { c.write("added", "mine") }, "added"},
		"a folder for a file": {func(c *clone) { c.write("gone/other", "mine") }, "gone/other"},
		"an ignored one":      {func(c *clone) { c.write("gone/x.log", "mine") }, "gone/x.log"},
		"not looked at":       {func(c *clone) { c.git("update-index", "--assume-unchanged", "changed"); c.write("changed", "mine") }, "changed"},
		"skipped":             {func(c *clone) { c.git("update-index", "--skip-worktree", "changed"); c.write("changed", "mine") }, "changed"},
		"a folder":            {func(c *clone) { c.remove("changed"); c.write("changed/x", "mine") }, "changed/x"},
		"a link":              {func(c *clone) { c.link("readme", "changed") }, "changed"},
		"a link for a folder": {func(c *clone) { c.link(c.t.TempDir(), "added") }, "added"},
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			c := first.copied()
			c.git("update-index", "-q", "--refresh")
			test.do(c)
			before, index := c.git("status", "--porcelain", "-uall", "--ignored"), c.read(".git/index")
			err := c.tree().FastForward(t.Context(), "refs/heads/main", from, to)
			var over *Overwrite
			if !errors.As(err, &over) || !errors.Is(err, ErrWouldOverwrite) || !slices.Equal(over.Paths, []string{test.path}) && !slices.Contains(over.Paths, test.path) {
				t.Errorf("%v", err)
			}
			if got := c.read(".git/index"); got != index || c.at("main") != from {
				t.Error("something was changed")
			}
			if got := c.git("status", "--porcelain", "-uall", "--ignored"); got != before {
				t.Errorf("before:\n%s\nnow:\n%s", before, got)
			}
		})
	}
}

// What a killed call has left is completed, and what looks changed but is not is no
// hindrance.
func TestFastForwardAgain(t *testing.T) {
	t.Parallel()
	first := newClone(t)
	from, to := first.ahead()
	for name, do := range map[string]func(c *clone){
		"half of the files": func(c *clone) { c.write("changed", "new\n"); c.remove("gone/deep") },
		"all of the files": func(c *clone) {
			c.write("changed", "new\n")
			c.remove("gone")
			c.write("gone", "now a file")
			c.write("added/-x \"é", "x")
		},
		"the index, too": func(c *clone) {
			c.git("checkout", "-q", "--detach", "HEAD@{2}")
			c.git("symbolic-ref", "HEAD", "refs/heads/main")
		},
		"a file removed": func(c *clone) { c.remove("changed") },
		"a lock":         func(c *clone) { c.write(".git/index.lock", lockMark); c.write(".git/pawl-index-x", "x") },
		"touched":        func(c *clone) { c.write("changed", "old\n"); c.git("update-index", "--assume-unchanged", "changed") },
		"another end": func(c *clone) {
			c.write("changed", "old\r\n")
			c.git("config", "core.autocrlf", "true")
			c.git("config", "core.safecrlf", "false")
		},
		"a split index":      func(c *clone) { c.git("update-index", "--split-index") },
		"an untracked cache": func(c *clone) { c.git("update-index", "--untracked-cache") },
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			c := first.copied()
			c.git("update-index", "-q", "--refresh")
			do(c)
			must.Do(t, c.tree().FastForward(t.Context(), "refs/heads/main", from, to))
			if got := c.git("status", "--porcelain"); got != "" || c.at("main") != to || strings.TrimSpace(c.read("changed")) != "new" {
				t.Errorf("%s %q", got, c.read("changed"))
			}
			if left, _ := filepath.Glob(c.path(".git/pawl-*")); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

func TestFastForwardBusy(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	from, to := c.ahead()
	tree := c.tree()
	for _, text := range []string{"", "DIRC"} {
		c.write(".git/index.lock", text)
		if err := tree.FastForward(t.Context(), "refs/heads/main", from, to); !errors.Is(err, ErrBusy) {
			t.Error(err)
		}
		if err := os.Remove(c.path(".git/index.lock")); err != nil {
			t.Fatal("the lock of another git is gone", err)
		}
	}
	lock := must.Get(tree.lockIndex())(t)
	if err := tree.FastForward(t.Context(), "refs/heads/main", from, to); !errors.Is(err, ErrBusy) {
		t.Error("while another one is at it:", err)
	}
	lock.Close()
	must.Do(t, tree.FastForward(t.Context(), "refs/heads/main", from, to))
}
