//go:build unix

package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// apart makes two clones that both have added #2, and have committed it. Bob's is the
// older one.
func (w *world) apart(clone func(c *clone) *clone) (ada, bob *clone) {
	w.Helper()
	ada = w.first("ada", "Base")
	bob = clone(ada)
	bob.add("Bob's")
	bob.save("Bob's")
	ada.add("Ada's")
	ada.save("Ada's")
	return ada, bob
}

func plain(c *clone) *clone { return c.clone("bob") }

// TestWorktree: in a linked worktree, tasks are read and written on the board of the
// main work tree. The worktree's own files merge there, and the main board is not
// touched by that.
func TestWorktree(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.git("branch", "feature")
		ada.add("Main")
		ada.save("Main")
		bob := ada.clone("bob")
		bob.git("switch", "-q", "-c", "feature", "origin/feature")
		bob.add("Feature")
		bob.save("Feature")
		ada.git("worktree", "add", "-q", filepath.Join(w.dir, "linked"), "feature")
		linked := w.at("ada", filepath.Join(w.dir, "linked"))
		ada.unchanged(func() {
			linked.goes("pull", "-q", "--no-edit", "--no-rebase", bob.root, "feature")
			linked.goes("merge", "-q", "--no-edit", "main")
		})
		if got := strings.Join(linked.subjects(), ", "); got != "Base, Feature, Main" {
			t.Errorf("the worktree has %s", got)
		}
		linked.pawl("add", "From the worktree")
		if got := strings.Join(ada.subjects(), ", "); got != "Base, From the worktree, Main" {
			t.Errorf("the main work tree has %s", got)
		}
		ada.save("From the worktree")
		ada.goes("merge", "-q", "--no-edit", "feature")
		ada.has("Base", "Feature", "From the worktree", "Main")
	})
}

// TestShallow: a shallow clone may not know where the two sides met last.
func TestShallow(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Removed later")
		ada.add("Old")
		ada.save("Old")
		bob := ada.clone("bob", "--depth=1")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.add("Bob's")
		bob.save("Bob's")
		bob.pull(ada, "--no-rebase")
		bob.has("Base", "Removed later", "Old", "Ada's", "Bob's")
		ada.pull(bob, "--no-rebase")
		same(ada, bob)

		// Without any common commit, nothing is taken for deleted.
		eve := ada.clone("eve", "--depth=1")
		eve.add("Eve's")
		eve.save("Eve's")
		ada.add("Ada's second")
		ada.save("Ada's second")
		ada.add("Ada's third")
		ada.save("Ada's third")
		eve.git("fetch", "-q", "--depth=1", "origin", "main")
		eve.goes("merge", "-q", "--no-edit", "--allow-unrelated-histories", "FETCH_HEAD")
		eve.has("Base", "Removed later", "Old", "Ada's", "Bob's", "Ada's second", "Ada's third", "Eve's")
	})
}

// TestSubfolder: the board belongs to a part of the repository, with a name that
// attributes and shells take for something else.
func TestSubfolder(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		const part = "parts/the [new] one's"
		ada := w.at("ada", filepath.Join(w.dir, "ada"))
		must.Do(t, os.MkdirAll(filepath.Join(ada.root, part), 0o755))
		ada.git("init", "-q")
		ada.root = filepath.Join(ada.root, part)
		ada.board = filepath.Join(ada.root, ".tasks")
		ada.pawl("init", ada.root)
		if !w.attributes {
			os.Remove(filepath.Join(ada.board, ".gitattributes"))
		}
		ada.add("Base")
		ada.git("add", "-A", ":/")
		ada.git("commit", "-q", "-m", "Begin")
		ada.setUp()
		bob := w.at("bob", filepath.Join(w.dir, "bob"))
		must.Do(t, os.MkdirAll(bob.root, 0o755))
		bob.git("clone", "-q", filepath.Join(w.dir, "ada"), ".")
		bob.root = filepath.Join(bob.root, part)
		bob.board = filepath.Join(bob.root, ".tasks")
		bob.setUp()
		ada.pawl("add", "Ada's", "--blocked-by", "1")
		ada.save("Ada's")
		bob.pawl("add", "Bob's", "--blocked-by", "1")
		bob.save("Bob's")
		stops := ada.goes("pull", "-q", "--no-edit", "--no-rebase", filepath.Join(w.dir, "bob"), "HEAD")
		if w.driver && stops > 0 {
			t.Errorf("git stopped %d times: the driver was not found", stops)
		}
		ada.has("Base", "Ada's", "Bob's")
		bob.goes("pull", "-q", "--no-edit", "--no-rebase", filepath.Join(w.dir, "ada"), "HEAD")
		same(ada, bob)
	})
}

// TestSubmodule: the project is a submodule, whose .git is a file.
func TestSubmodule(t *testing.T) {
	each(t, []nets{{true, true}, {false, true}, {}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		whole := w.at("ada", filepath.Join(w.dir, "whole"))
		must.Do(t, os.MkdirAll(whole.root, 0o755))
		whole.git("init", "-q")
		whole.git("submodule", "--quiet", "add", "file://"+ada.root, "part")
		part := w.at("ada", filepath.Join(whole.root, "part"))
		if info, err := os.Lstat(filepath.Join(part.root, ".git")); err != nil || info.IsDir() {
			t.Fatalf("%v, %v: the test did not test what it means to", info, err)
		}
		part.setUp()
		part.pull(bob, "--no-rebase")
		part.has("Base", "Ada's", "Bob's")
	})
}

// TestLineEnds: git changes line ends on the way into the work tree.
func TestLineEnds(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob", "-c", "core.autocrlf=true")
		if !strings.Contains(bob.read(".tasks/task_1.json"), "\r\n") {
			t.Fatal("git changed no line end: the test did not test what it means to")
		}
		ada.pawl("note", "1", "from ada")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.pawl("note", "1", "from bob")
		bob.add("Bob's")
		bob.save("Bob's")
		bob.pull(ada, "--no-rebase")
		ada.pull(bob, "--no-rebase")
		bob.has("Base", "Ada's", "Bob's")
		ada.has("Base", "Ada's", "Bob's")
		if dirty := bob.git("status", "--porcelain"); dirty != "" {
			t.Errorf("after the merge git sees changes:\n%s", dirty)
		}
		if a, b := ada.git("rev-parse", "HEAD:.tasks"), bob.git("rev-parse", "HEAD:.tasks"); a != b {
			t.Errorf("git has two boards, %s and %s", a, b)
		}
	})
}

// TestPrivate: a board that git does not see is nobody's business.
func TestPrivate(t *testing.T) {
	each(t, []nets{{}}, func(t *testing.T, w *world) {
		ada := w.at("ada", filepath.Join(w.dir, "ada"))
		must.Do(t, os.MkdirAll(ada.root, 0o755))
		ada.git("init", "-q")
		ada.write("src.txt", "one\n")
		ada.save("Begin")
		ada.pawl("init", "--private")
		ada.add("Mine")
		bob := ada.clone("bob")
		bob.write("src.txt", "two\n")
		bob.save("Bob's")
		ada.write("src.txt", "three\n")
		ada.save("Ada's")
		if _, code := ada.run("git", "pull", "-q", "--no-edit", "--no-rebase", bob.root, "HEAD"); code == 0 {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		ada.unchanged(func() { ada.run("pawl", "merge") })
		ada.add("Mine, too")
		ada.has2("Mine", "Mine, too")
		if out := ada.git("ls-files", ".tasks"); out != "" {
			t.Errorf("git tracks %s", out)
		}
	})
}

// has2 is has, while git is in the middle of something.
func (c *clone) has2(subjects ...string) {
	c.Helper()
	if got, want := strings.Join(c.subjects(), "|"), strings.Join(subjects, "|"); got != want {
		c.Errorf("%s has %s, want %s", c.who, got, want)
	}
}

// TestNoGit: without git on PATH everything but a merge works, and pawl merge says
// what is missing.
func TestNoGit(t *testing.T) {
	each(t, []nets{{false, true}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		if _, code := ada.run("git", "pull", "-q", "--no-edit", "--no-rebase", bob.root, "HEAD"); code == 0 {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		bare := *ada
		world := *w
		bare.world = &world
		world.with("PATH=" + program)
		out, code := bare.run("pawl", "merge")
		if code == 0 || !strings.Contains(out, "git") {
			t.Errorf("pawl merge without git: exit %d\n%s", code, out)
		}
		bare.pawl("list")
		bare.pawl("note", "1", "without git")
		ada.end("", 1)
		ada.settle()
		ada.has("Base", "Ada's", "Bob's")
		if notes := ada.called("Base").Notes; len(notes) != 1 {
			t.Errorf("the notes are %v", notes)
		}
	})
}

// TestDriverGone: the program that git was told of is gone. Git stops,
// and nothing is lost.
func TestDriverGone(t *testing.T) {
	each(t, []nets{{true, true}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		said := ada.git("config", "merge.pawl.driver")
		where, err := exec.LookPath(filepath.Join(program, "pawl"))
		must.Do(t, err)
		gone := strings.ReplaceAll(strings.TrimSpace(said), where, where+"-gone")
		if !strings.Contains(gone, "pawl-gone") {
			gone = filepath.Join(w.dir, "pawl-gone") + " merge-file %O %A %B %P"
		}
		ada.git("config", "merge.pawl.driver", gone)
		if stops := ada.pull(bob, "--no-rebase"); stops == 0 {
			t.Error("git did not stop: the test did not test what it means to")
		}
		ada.has("Base", "Ada's", "Bob's")
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}
