//go:build unix

package git_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// stop pulls from another clone with git alone, and says whether git stopped.
func (c *clone) stop(from *clone) (stopped bool) {
	c.Helper()
	_, code := c.run("git", "pull", "-q", "--no-edit", "--no-rebase", from.root, "HEAD")
	return code != 0
}

// TestMergingByHand: what the driver left in one file was committed, pushed, and is
// first seen by a clone that has never merged anything.
func TestMergingByHand(t *testing.T) {
	each(t, []nets{{true, true}, {true, false}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		if ada.stop(bob) {
			t.Fatal("git stopped: the test did not test what it means to")
		}
		if text := ada.read(".tasks/task_2.json"); !strings.Contains(text, `"merging"`) {
			t.Fatalf("the file holds one task: the test did not test what it means to\n%s", text)
		}
		both := ada.pawl("list")
		if !strings.Contains(both, "Ada's") || !strings.Contains(both, "Bob's") {
			t.Errorf("a read in between does not show both:\n%s", both)
		}
		eve := w.at("eve", filepath.Join(w.dir, "eve")) // no set-up, and a history without parents
		ada.git("clone", "-q", "--depth=1", "file://"+ada.root, eve.root)
		if out, code := eve.run("pawl", "doctor", "--ci"); code == 0 {
			t.Errorf("pawl doctor --ci finds nothing:\n%s", out)
		}
		eve.pawl("add", "Eve's")
		eve.save("Eve's")
		eve.has("Base", "Ada's", "Bob's", "Eve's")
		ada.settle()
		ada.has("Base", "Ada's", "Bob's")
		eve.git("fetch", "-q", "--unshallow")
		eve.pull(ada, "--no-rebase")
		eve.has("Base", "Ada's", "Bob's", "Eve's")
	})
}

// TestMarkersByHand: conflict lines were committed by somebody without Pawl.
func TestMarkersByHand(t *testing.T) {
	each(t, []nets{{}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(func(c *clone) *clone {
			// Other rules than the board's, which each write restores.
			c.write(".tasks/.gitattributes", "task_*.json merge\n.highwatermark merge\n")
			c.save("Merge as text")
			return plain(c)
		})
		ada.write(".tasks/.highwatermark", "7\n")
		ada.save("Mark")
		bob.write(".tasks/.highwatermark", "9\n")
		bob.save("Mark")
		if !ada.stop(bob) {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		if text := ada.read(".tasks/task_2.json"); !strings.Contains(text, "<<<<<<<") {
			t.Fatalf("there are no conflict lines: the test did not test what it means to\n%s", text)
		}
		both := ada.pawl("list")
		if !strings.Contains(both, "Ada's") || !strings.Contains(both, "Bob's") {
			t.Errorf("a read in between does not show both:\n%s", both)
		}
		ada.save("Conflict lines and all")
		ada.settle()
		ada.has("Base", "Ada's", "Bob's")
		ada.add("Next")
		if id := ada.called("Next").ID; id < 10 {
			t.Errorf("the next task got %v, which was given before", id)
		}
	})
}

// TestEditInBetween: a person edits files between git's stop and `pawl merge`.
func TestEditInBetween(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Other")
		bob := ada.clone("bob")
		ada.pawl("note", "1", "from ada")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.pawl("note", "1", "from bob")
		bob.add("Bob's")
		bob.save("Bob's")
		ada.stop(bob)
		edited := ada.read(".tasks/task_2.json")
		ada.write(".tasks/task_2.json", strings.Replace(edited, "Other", "Other, as edited", 1))
		ada.pawl("merge")
		if ada.next() != nil {
			ada.git("commit", "-q", "--no-edit")
		}
		ada.settle()
		ada.has("Base", "Other, as edited", "Ada's", "Bob's")
		if notes := ada.called("Base").Notes; len(notes) != 2 {
			t.Errorf("the notes are %v", notes)
		}
	})
}

// TestResolvedByHand: a person took one side of a conflict, and committed that. Their
// word stands for the task, but a task is not lost for having had the same number.
func TestResolvedByHand(t *testing.T) {
	each(t, []nets{{false, true}, {}}, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		if !ada.stop(bob) {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		ada.git("checkout", "--theirs", ".tasks")
		ada.git("add", "-A")
		ada.git("commit", "-q", "--no-edit")
		ada.settle()
		ada.has("Base", "Ada's", "Bob's")
	})
}

// TestFirstWrite: nobody runs `pawl merge`. The next write does what is left.
func TestFirstWrite(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		stopped := ada.stop(bob)
		said := ada.pawl("add", "Write the docs")
		if !strings.Contains(said, "#3") || !strings.Contains(said, "#4 Write the docs") {
			t.Errorf("the next write says\n%s", said)
		}
		if stopped {
			ada.git("commit", "-q", "--no-edit")
		}
		ada.save("Merge tasks")
		ada.has("Base", "Ada's", "Bob's", "Write the docs")
		if ada.called("Ada's").ID != 3 || ada.called("Write the docs").ID != 4 {
			t.Errorf("the numbers are %v and %v", ada.called("Ada's").ID, ada.called("Write the docs").ID)
		}
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}

// TestMovedIsRefusedOnce: who asks for #2 just when it has become another task is
// told so, and nothing is done to the wrong one.
func TestMovedIsRefusedOnce(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.pull2(bob)
		ada.refused(4, "#3", "done", "2")
		if ada.called("Bob's").Status != pawl.Pending || ada.called("Ada's").Status != pawl.Pending {
			t.Errorf("bob's is %v, ada's is %v", ada.called("Bob's").Status, ada.called("Ada's").Status)
		}
		ada.pawl("done", "3")
		if ada.called("Ada's").Status != pawl.Completed {
			t.Errorf("ada's is %v", ada.called("Ada's").Status)
		}
	})
}

// pull2 pulls with git alone, stop or not.
func (c *clone) pull2(from *clone) {
	c.Helper()
	c.run("git", "pull", "-q", "--no-edit", "--no-rebase", from.root, "HEAD")
}
