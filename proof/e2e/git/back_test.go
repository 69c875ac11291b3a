//go:build unix

package git_test

import (
	"strings"
	"testing"
)

// TestUndo takes a merge back while git has not committed it, byte for byte and with
// git's own record of the conflict, and merges again.
func TestUndo(t *testing.T) {
	for _, back := range [][]string{{"undo"}, {"merge", "--abort"}} {
		t.Run(strings.Join(back, " "), func(t *testing.T) {
			each(t, allNets, func(t *testing.T, w *world) {
				ada, bob := w.apart(plain)
				bob.pawl("note", "1", "from bob")
				bob.save("Note")
				ada.pawl("note", "1", "from ada")
				ada.save("Note")
				stopped := ada.stop(bob)
				files, unmerged := ada.files(), ada.git("ls-files", "--unmerged")
				ada.pawl("merge")
				ada.pawl(back...)
				for name, text := range files {
					if got := ada.files()[name]; got != text {
						t.Errorf("%s is not as git left it:\n%s\nwas\n%s", name, got, text)
					}
				}
				if got := ada.git("ls-files", "--unmerged"); got != unmerged {
					t.Errorf("git's unmerged files are\n%swere\n%s", got, unmerged)
				}
				ada.pawl("merge")
				if stopped {
					ada.git("commit", "-q", "--no-edit")
				}
				ada.settle()
				ada.has("Base", "Ada's", "Bob's")
				bob.pull(ada, "--no-rebase")
				same(ada, bob)
			})
		})
	}
}

// TestUndoTooLate: after git has committed the merge, to undo it would delete what a
// colleague made.
func TestUndoTooLate(t *testing.T) {
	each(t, []nets{{false, true}, {}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		if !ada.stop(bob) {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		ada.pawl("merge")
		ada.git("commit", "-q", "--no-edit")
		ada.unchanged(func() {
			for _, args := range [][]string{{"undo"}, {"merge", "--abort"}} {
				if out, code := ada.run("pawl", args...); code == 0 {
					t.Errorf("pawl %s after the commit:\n%s", strings.Join(args, " "), out)
				}
			}
		})
		ada.has("Base", "Ada's", "Bob's")
	})
}

// TestGitAborts: git's own way back from a merge that Pawl has already ended.
func TestGitAborts(t *testing.T) {
	each(t, []nets{{false, true}, {}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		before := ada.files()
		if !ada.stop(bob) {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		ada.pawl("merge")
		ada.git("add", "-A")
		ada.git("merge", "--abort")
		ada.pawl("merge")
		ada.has("Base", "Ada's")
		if got := ada.files()["task_2.json"]; got != before["task_2.json"] {
			t.Errorf("task_2.json is\n%s\nwas\n%s", got, before["task_2.json"])
		}
		ada.pull(bob, "--no-rebase")
		ada.has("Base", "Ada's", "Bob's")
	})
}

// TestTwice: merging again changes nothing, in either clone.
func TestTwice(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.pull(bob, "--no-rebase")
		head := ada.git("rev-parse", "HEAD")
		ada.unchanged(func() {
			ada.pawl("merge")
			ada.pull(bob, "--no-rebase")
			ada.pawl("merge")
		})
		if got := ada.git("rev-parse", "HEAD"); got != head {
			t.Errorf("there was something to commit:\n%s", ada.git("show", "--stat"))
		}
	})
}

// TestOldBranch merges a branch that was cut before a task moved, was merged, and has
// gone on; and one that still has tasks which were deleted since.
func TestOldBranch(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		bob.git("branch", "old")
		bob.pull(ada, "--no-rebase")
		ada.pull(bob, "--no-rebase")
		ada.pawl("rm", "2")
		ada.pawl("note", "3", "after the move")
		ada.save("Deleted")
		want := ada.subjects()
		ada.git("fetch", "-q", bob.root, "old")
		ada.goes("merge", "-q", "--no-edit", "FETCH_HEAD")
		ada.has(want...)
		// The old branch goes on with the numbers of its time.
		bob.git("switch", "-q", "old")
		bob.pawl("note", "1", "from the old branch")
		bob.add("Old branch")
		bob.save("Goes on")
		ada.goes("pull", "-q", "--no-edit", "--no-rebase", bob.root, "old")
		ada.has(append(want, "Old branch")...)
	})
}

// TestDryRun changes nothing and says what would be.
func TestDryRun(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.stop(bob)
		unmerged := ada.git("ls-files", "--unmerged")
		ada.unchanged(func() {
			said := ada.pawl("merge", "--dry-run")
			if !strings.Contains(said, "Ada's") || !strings.Contains(said, "#3") {
				t.Errorf("it says\n%s", said)
			}
		})
		if got := ada.git("ls-files", "--unmerged"); got != unmerged {
			t.Errorf("git's unmerged files are\n%swere\n%s", got, unmerged)
		}
	})
}

// TestBranch merges another branch's board by hand, without git's doing, and later
// git merges the same branch.
func TestBranch(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.git("fetch", "-q", bob.root, "HEAD")
		ada.pawl("merge", "FETCH_HEAD")
		ada.has("Base", "Ada's", "Bob's")
		ada.save("By hand")
		ada.pull(bob, "--no-rebase")
		ada.has("Base", "Ada's", "Bob's")
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}
