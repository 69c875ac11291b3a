package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// work is what Work says, which changes nothing in the clone.
func (c *clone) work() Work {
	c.t.Helper()
	before := c.inside()
	w := must.Get(WorkTree(c.t.Context(), c.dir, c.board()))(c.t)
	if after := c.inside(); after != before {
		c.t.Fatalf("git's folder was:\n%s\nand is:\n%s", before, after)
	}
	return w
}

// inside lists git's folder: names, sizes and times. Of objects it leaves out the times:
// any git that reads a sparse index sets them, so that they are not collected.
func (c *clone) inside() string {
	var b strings.Builder
	_ = filepath.WalkDir(c.path(".git"), func(path string, d os.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil {
				at := info.ModTime()
				if strings.HasPrefix(path, c.path(".git/objects")) && !d.IsDir() {
					at = time.Time{}
				}
				fmt.Fprintln(&b, path, info.Size(), info.Mode(), at)
			}
		}
		return nil
	})
	return b.String()
}

// asGit is the tree that git itself makes of all files, by an index and objects that
// are thrown away.
func (c *clone) asGit() string {
	c.t.Helper()
	tmp := c.t.TempDir()
	index := filepath.Join(tmp, "index")
	if text, err := os.ReadFile(c.path(".git/index")); err == nil {
		must.Do(c.t, os.WriteFile(index, text, 0o600))
		old := time.Unix(1, 0) // so that git compares what looks young
		must.Do(c.t, os.Chtimes(index, old, old))
	}
	thrown := *c
	thrown.env = []string{"GIT_INDEX_FILE=" + index, "GIT_OBJECT_DIRECTORY=" + tmp, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + c.path(".git/objects")}
	thrown.git("-c", "core.safecrlf=false", "add", "-A", ".")
	thrown.git("rm", "-rq", "--cached", "--ignore-unmatch", ".tasks")
	return thrown.git("write-tree")
}

// The tree is the one that git would commit, whatever state the files are in.
func TestWorkTree(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, c *clone) {
		seen := map[string]string{}
		step := func(what string, dirty, known bool, do func()) {
			t.Helper()
			do()
			w := c.work()
			if want := c.asGit(); w.Tree != want {
				t.Errorf("%s: the tree is %s, git says %s", what, w.Tree, want)
			}
			if w.Top != c.dir || w.Dirty != dirty || w.Commit != c.git("rev-parse", "HEAD") {
				t.Errorf("%s: %+v", what, w)
			}
			if before, ok := seen[w.Tree]; ok != known {
				t.Errorf("%s: known %v, from %q", what, ok, before)
			}
			seen[w.Tree] = what
		}
		step("at first", false, false, func() {})
		step("a task", false, true, func() { c.task(2, "Second") })
		step("a tracked task", false, true, func() { c.git("add", "-A") })
		step("a task in a commit", false, true, func() { c.commit("Second") })
		step("a file of the board in a folder", false, true, func() { c.write(".tasks/.pawl/x", "x") })
		step("a file like the board", true, false, func() { c.write(".tasks2", "x") })
		step("an edit", true, false, func() { c.write("readme", "shop!\n") })
		step("an edit of the same size", true, false, func() { c.write("readme", "shop?\n") })
		step("a commit of it", false, true, func() { c.commit("Edit") })
		step("an untracked file", true, false, func() { c.write("src/a/b.go", "package b\n") })
		step("one beside it", true, false, func() {
			c.write("src/a-b.go", "package b\n")
			c.write("src/a.go", "package b\n")
			c.write("src/a0", "")
		})
		step("an edit of an untracked file", true, false, func() { c.write("src/a/b.go", "package c\n") })
		step("staged", true, true, func() { c.git("add", "src/a/b.go") })
		step("staged, and changed since", true, false, func() { c.write("src/a/b.go", "package d\n") })
		step("an intent to add", true, true, func() { c.git("add", "-N", "src/a.go") })
		step("another name", true, false, func() { c.move("src/a.go", "src/z.go") })
		step("a commit of that", false, true, func() { c.commit("Source") })
		if len(c.git("rev-parse", "HEAD")) > 40 {
			return // the ids of what follows are like those above
		}
		step("an ignored file", true, false, func() { c.write(".gitignore", "out/\n*.o\n!.tasks\n"); c.write("out/x", "x"); c.write("y.o", "y") })
		step("an ignored file that changed", true, true, func() { c.write("out/x", "xx") })
		step("an ignored file that is tracked", true, false, func() { c.git("add", "-f", "y.o") })
		step("a file that is away", true, false, func() { c.remove("src/a-b.go") })
		step("a file in place of a folder", true, false, func() { c.remove("src/a"); c.write("src/a", "a") })
		step("a folder in place of a file", true, false, func() { c.remove("readme"); c.write("readme/x", "a") })
		step("touched", true, true, func() {
			at := time.Now().Add(time.Hour)
			must.Do(t, os.Chtimes(c.path("src/z.go"), at, at))
		})
		step("all committed", false, true, func() { c.commit("All") })
		step("another branch, which ignores nothing", true, false, func() { c.git("checkout", "-qb", "side", "HEAD~1") })
		step("and back", false, true, func() { c.git("checkout", "-q", "main") })
		step("CRLF", true, false, func() { c.write("crlf.txt", "a\r\nb\r\n") })
		step("CRLF in a commit", false, true, func() { c.commit("CRLF") })
		step("names that are odd", true, false, func() {
			if os.PathSeparator == '/' {
				c.write("a \"b\"\\\t\n\r\x01é", "odd")
				c.write("c\r", "odd")
				c.write("\"", "odd")
			}
			c.write("-x", "odd")
			c.write(":(top)", "odd")
		})
		step("in a commit", false, true, func() { c.commit("Odd") })
		step("odd and changed", true, false, func() { c.write("-x", "very"); c.write("c\r", "very"); c.write("\"", "very") })
	})
}

func (c *clone) move(from, to string) {
	c.t.Helper()
	must.Do(c.t, os.Rename(c.path(from), c.path(to)))
}

func (c *clone) remove(name string) {
	c.t.Helper()
	must.Do(c.t, os.RemoveAll(c.path(name)))
}

func (c *clone) link(target, name string) {
	c.t.Helper()
	c.remove(name)
	mustrun.Link(c.t, target, c.path(name))
}

func (c *clone) mode(name string, mode os.FileMode) {
	c.t.Helper()
	must.Do(c.t, os.Chmod(c.path(name), mode))
}

// same compares with git, and says whether the tree is another one than before.
func (c *clone) same(what string, before Work, other bool) Work {
	c.t.Helper()
	w := c.work()
	if want := c.asGit(); w.Tree != want {
		c.t.Errorf("%s: the tree is %s, git says %s", what, w.Tree, want)
	}
	if (w.Tree != before.Tree) != other {
		c.t.Errorf("%s: another tree: %v", what, !other)
	}
	return w
}

func TestWorkTreeModes(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	if c.git("config", "core.fileMode") != "true" {
		mustrun.NotHere(t, "files do not say whether they are executable")
	}
	first := c.work()
	c.mode("readme", 0o755)
	w := c.same("executable", first, true)
	c.mode("readme", 0o744)
	c.same("as executable", w, false)
	c.git("config", "core.fileMode", "false")
	c.same("nobody looks", first, false)
	c.write("new", "x")
	c.mode("new", 0o755)
	c.same("new, and nobody looks", first, true)
	c.git("add", "--chmod=+x", "readme")
	c.same("executable by the index", first, true)
	c.write("readme", "edited")
	c.same("and edited", first, true)
}

func TestWorkTreeLinks(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	first := c.work()
	c.write("folder/file", "x")
	c.link("folder/file", "link")
	w := c.same("a link", first, true)
	c.link("nowhere", "link")
	w = c.same("a link elsewhere", w, true)
	c.commit("Link")
	c.write("folder/file", "y")
	w = c.same("what is behind a link", w, true)
	c.link("folder/", "link")
	w = c.same("a link to a folder", w, true)
	c.commit("Folder")
	outside := c.t.TempDir()
	c.write(filepath.Join(outside, "file"), "y")
	c.link(outside, "folder")
	w = c.same("a folder that is now a link", w, true)
	c.write(filepath.Join(outside, "file"), "z")
	w = c.same("what is outside", w, false)
	c.git("update-index", "--assume-unchanged", "folder/file")
	if got := c.work(); got.Tree != w.Tree {
		t.Error("a file behind a link counts, because nobody was to look at it")
	}
}

// What somebody told git not to look at is looked at.
func TestWorkTreeHidden(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"assume-unchanged", "skip-worktree"} {
		t.Run(flag, func(t *testing.T) {
			c := newClone(t)
			first := c.work()
			c.git("update-index", "--"+flag, "readme")
			if w := c.work(); w != first {
				t.Errorf("%+v, before %+v", w, first)
			}
			c.write("readme", "something else")
			w := c.work()
			if w.Tree == first.Tree || !w.Dirty {
				t.Errorf("the edit is not seen: %+v", w)
			}
			c.git("update-index", "--no-"+flag, "readme")
			c.same("looked at", w, false)
			c.git("update-index", "--"+flag, "readme")
			c.remove("readme")
			if w := c.work(); (w.Tree == first.Tree) != (flag == "skip-worktree") || !w.Dirty {
				t.Errorf("a file that is away: %+v, before %+v", w, first)
			}
		})
	}
}

func TestWorkTreeSparse(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("here/a", "a")
	c.write("there/b", "b")
	c.commit("Two folders")
	first := c.work()
	for _, more := range [][]string{{"--no-sparse-index"}, {"--sparse-index"}} {
		c.git(append(append([]string{"sparse-checkout", "set", "--cone"}, more...), "here")...)
		want := first
		want.Dirty = true // a run here is none on all files of the commit
		if w := c.work(); w != want {
			t.Errorf("%v: %+v, before %+v", more, w, first)
		}
		c.write("here/a", "aa")
		if w := c.work(); w.Tree == first.Tree || !w.Dirty {
			t.Errorf("%v: an edit: %+v", more, w)
		}
		c.write("here/a", "a")
		c.write("there/b", "bb")
		if w := c.work(); w.Tree == first.Tree || !w.Dirty {
			t.Errorf("%v: an edit outside: %+v", more, w)
		}
		c.remove("there")
		c.git("sparse-checkout", "disable")
	}
}

func TestWorkTreeUnborn(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.git("checkout", "-q", "--orphan", "new")
	c.git("rm", "-rqf", "--cached", ".")
	w := c.same("nothing staged", Work{}, true)
	if w.Commit != "" || !w.Dirty {
		t.Errorf("%+v", w)
	}
	c.remove("readme")
	if w = c.same("nothing but a board", w, true); w.Commit != "" || w.Dirty || w.Tree != c.git("hash-object", "-t", "tree", os.DevNull) {
		t.Errorf("%+v", w)
	}
}

// A board anywhere in the work tree does not count, and nothing else is left out.
func TestWorkTreeBoards(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("app/web/.tasks/task_1.json", "{}")
	c.commit("Deeper")
	at := func(board string) Work {
		t.Helper()
		return must.Get(WorkTree(t.Context(), c.path("app/web"), board))(t)
	}
	deep, none := at(c.path("app/web/.tasks")), at(filepath.Join(t.TempDir(), ".tasks"))
	if deep.Dirty || none.Dirty || deep.Tree == none.Tree || deep.Top != c.dir || none.Tree != c.git("rev-parse", "HEAD^{tree}") {
		t.Errorf("%+v %+v", deep, none)
	}
	c.write("app/web/.tasks/task_1.json", "{ }")
	if w := at(c.path("app/web/.tasks")); w != deep {
		t.Errorf("%+v, before %+v", w, deep)
	}
	if w := at(c.board()); !w.Dirty {
		t.Errorf("%+v", w)
	}
}

func TestWorkTreeSubmodules(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	inner := &clone{t: t, dir: c.path("vendor/lib")}
	inner.write("lib.go", "package lib\n")
	inner.git("init", "-q")
	w := c.work()
	inner.commit("Lib")
	w = c.same("a repository inside", w, true)
	c.commit("A submodule without its file")
	w = c.same("as a submodule", w, false)
	inner.write("lib.go", "package lib // new\n")
	c.same("not committed there", w, false)
	c.write(".git/config", c.read(".git/config")+"[submodule \"vendor/lib\"]\n\tignore = all\n")
	c.write(".gitmodules", "[submodule \"vendor/lib\"]\n\tpath = vendor/lib\n\turl = .\n\tignore = all\n")
	c.commit("Nobody is to look")
	w = c.work()
	inner.commit("New")
	if next := c.work(); next.Tree == w.Tree || !next.Dirty {
		t.Errorf("a commit of the submodule is not seen: %+v", next)
	}
	c.remove("vendor/lib")
	must.Do(t, os.Mkdir(c.path("vendor/lib"), 0o755))
	if empty := c.work(); empty.Tree != w.Tree {
		t.Error("a submodule that is not checked out is not as in the index")
	}
}

func TestWorkTreeConflict(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.git("checkout", "-qb", "side")
	c.write("readme", "theirs\n")
	c.write("gone", "x")
	c.commit("Side")
	c.git("checkout", "-q", "main")
	c.write("readme", "ours\n")
	c.commit("Main")
	before := c.work()
	c.fails("merge", "side")
	w := c.same("a conflict", before, true)
	c.write("readme", "both\n")
	w = c.same("resolved on the disk", w, true)
	c.git("add", "readme")
	w = c.same("resolved", w, false)
	c.git("commit", "-qm", "Merge")
	c.same("merged", w, false)
}

// Linked work trees, and a repository elsewhere.
func TestWorkTreeElsewhere(t *testing.T) {
	c := newClone(t)
	first := c.work()
	side := filepath.Join(t.TempDir(), "side")
	c.git("worktree", "add", "-q", side)
	w, err := WorkTree(t.Context(), side, filepath.Join(side, ".tasks"))
	if err != nil || w.Tree != first.Tree || w.Commit != first.Commit || w.Dirty || filepath.Base(w.Top) != "side" {
		t.Errorf("%+v %v", w, err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	c.git("clone", "-q", "--bare", ".", bare)
	for _, dir := range []string{t.TempDir(), bare, c.path(".git")} {
		if _, err := WorkTree(t.Context(), dir, c.board()); !errors.Is(err, ErrNoRepository) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	t.Setenv("GIT_DIR", c.path(".git"))
	t.Setenv("GIT_WORK_TREE", c.dir)
	if w, err := WorkTree(t.Context(), t.TempDir(), c.board()); err != nil || w != first {
		t.Errorf("%+v %v", w, err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := WorkTree(t.Context(), c.dir, c.board()); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
}

// Ends of lines are those that git would commit, and a file that was committed before
// the rule for them is not changed by being looked at.
func TestWorkTreeConversions(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("old", "a\r\nb\r\n")
	c.commit("CRLF")
	before := c.work()
	c.git("config", "core.autocrlf", "true")
	c.git("config", "core.safecrlf", "true")
	c.write("old", "a\r\nb\r\n")
	w := c.same("rewritten", before, false)
	c.write("new", "a\r\n")
	w = c.same("converted", w, true)
	c.write("new", "a\n")
	if got := c.work(); got.Tree != w.Tree {
		t.Error("ends of lines count, which git does not commit")
	}
}

// A driver that only a filter's program undoes is not started: its file counts as it is
// in the index until it changes.
func TestWorkTreeFilters(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.git("config", "filter.up.clean", "tr a-z A-Z")
	c.git("config", "filter.up.required", "true")
	c.write(".gitattributes", "*.up filter=up\n")
	c.write("x.up", "text")
	c.commit("Filtered")
	if c.git("cat-file", "-p", "HEAD:x.up") != "TEXT" {
		mustrun.NotHere(t, "there is no tr")
	}
	old := time.Unix(1_000_000_000, 0)
	must.Do(t, os.Chtimes(c.path("x.up"), old, old))
	c.git("update-index", "--refresh")
	w := c.work()
	if w.Dirty {
		t.Errorf("%+v", w)
	}
	c.write("x.up", "texts")
	if edited := c.work(); edited.Tree == w.Tree {
		t.Error("an edit is not seen")
	}
}

func TestWorkTreeFaults(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write("secret", "x")
	c.mode("secret", 0)
	if f, err := os.Open(c.path("secret")); err == nil {
		f.Close()
	} else if _, err := WorkTree(t.Context(), c.dir, c.board()); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Errorf("a file that cannot be read: %v", err)
	}
	c.write("new", "x")
	full := &census{tree: c.tree(), links: links{c.dir, map[string]bool{}}, entries: slices.Repeat([]Entry{{}}, maxFiles)}
	if err := full.take("", nil, "new\x00"); err == nil || !strings.Contains(err.Error(), "200000 files") {
		t.Error(err)
	}
	for _, index := range []string{"H 100644 1 0\tx\x00", "H x\tx\x00", "H 1009 " + strings.Repeat("1", 40) + " 0\tx\x00"} {
		if err := (&census{tree: c.tree()}).take(index, nil, ""); err == nil {
			t.Errorf("%q was read", index)
		}
	}
}
