//go:build unix

package git_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestModifyDelete: one side deletes a task that the other one changes. Git stops,
// with a driver too, and the task stays.
func TestModifyDelete(t *testing.T) {
	for _, way := range ways {
		t.Run(way[2:], func(t *testing.T) {
			each(t, allNets, func(t *testing.T, w *world) {
				ada := w.first("ada", "Base", "Contested", "Waits")
				ada.pawl("block", "3", "--by", "2")
				ada.save("Edge")
				bob := ada.clone("bob")
				ada.pawl("rm", "2")
				ada.save("Deleted")
				bob.pawl("note", "2", "still needed")
				bob.save("Changed")
				if stops := bob.meet(ada, way); stops == 0 {
					t.Errorf("git did not stop: the test did not test what it means to")
				}
				bob.has("Base", "Contested", "Waits")
				if task := bob.called("Contested"); task.ID != 2 || len(task.Notes) != 1 {
					t.Errorf("#%v, notes %v", task.ID, task.Notes)
				}
			})
		})
	}
}

// TestDeleted: what one side deletes and the other one leaves alone is gone, although
// a dependant of it was completed.
func TestDeleted(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Deleted", "Waits")
		ada.pawl("block", "3", "--by", "2")
		ada.save("Edge")
		bob := ada.clone("bob")
		ada.pawl("rm", "2")
		ada.save("Deleted")
		bob.pawl("note", "3", "unrelated")
		bob.save("Changed")
		bob.meet(ada, "--no-rebase")
		bob.has("Base", "Waits")
		if task := bob.called("Waits"); len(task.BlockedBy) != 0 || len(task.Notes) != 1 {
			t.Errorf("blocked by %v, notes %v", task.BlockedBy, task.Notes)
		}
	})
}

// TestRenameDelete: one side deletes a task for which git finds a new one that is
// alike on the other side.
func TestRenameDelete(t *testing.T) {
	const long = "Read the specification of the module, list what it promises to its callers,\nwrite a test for each promise, and make them pass one after another."
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.pawl("add", "Parse the module", "--desc", long, "--label", "core")
		ada.save("Plan")
		bob := ada.clone("bob")
		bob.pawl("rm", "2")
		bob.pawl("add", "Parse the modules", "--desc", long, "--label", "core")
		bob.save("Plan again")
		ada.pawl("rm", "2")
		ada.add("Another")
		ada.save("Plan again")
		ada.meet(bob, "--no-rebase")
		ada.has("Base", "Parse the modules", "Another")
	})
}

// TestMark: both sides deleted their highest task, so that both wrote the high-water
// mark, and no number is given again.
func TestMark(t *testing.T) {
	for _, way := range ways {
		t.Run(way[2:], func(t *testing.T) {
			each(t, allNets, func(t *testing.T, w *world) {
				ada := w.first("ada", "Base")
				bob := ada.clone("bob")
				ada.add("two")
				ada.pawl("rm", "2")
				ada.save("Ada's")
				bob.add("two", "three", "four")
				bob.pawl("rm", "2", "3", "4")
				bob.save("Bob's")
				if ada.read(".tasks/.highwatermark") == bob.read(".tasks/.highwatermark") {
					t.Fatal("the marks are equal: the test did not test what it means to")
				}
				stops := ada.meet(bob, way)
				if w.driver && stops > 0 {
					t.Errorf("git stopped %d times", stops)
				}
				ada.add("Next")
				if id := ada.called("Next").ID; id != 5 {
					t.Errorf("the next task got %v", id)
				}
			})
		})
	}
}

// TestCodeToo: a conflict in code is left to the person, and pawl merge says so.
func TestCodeToo(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		ada.write("src.txt", "one\nADA\nthree\n")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.write("src.txt", "one\nBOB\nthree\n")
		bob.add("Bob's")
		bob.save("Bob's")
		if _, code := ada.run("git", "pull", "-q", "--no-edit", "--no-rebase", bob.root, "HEAD"); code == 0 {
			t.Fatal("git did not stop: the test did not test what it means to")
		}
		said := ada.pawl("merge")
		if !strings.Contains(said, "src.txt") {
			t.Errorf("pawl merge does not name what is left:\n%s", said)
		}
		if left := ada.git("diff", "--name-only", "--diff-filter=U"); left != "src.txt\n" {
			t.Errorf("unmerged: %q", left)
		}
		if text := ada.read("src.txt"); !strings.Contains(text, "<<<<<<<") {
			t.Errorf("src.txt is not as git left it:\n%s", text)
		}
		ada.write("src.txt", "one\nBOTH\nthree\n")
		ada.git("add", "src.txt")
		ada.git("commit", "-q", "--no-edit")
		ada.settle()
		ada.has("Base", "Ada's", "Bob's")
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}

// TestBothWork: the further state wins, and who worked on a task in both clones is told.
func TestBothWork(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		ada.pawl("claim", "1")
		ada.save("Ada's")
		bob.pawl("claim", "1")
		bob.pawl("done", "1")
		bob.save("Bob's")
		out, code := ada.run("git", "pull", "-q", "--no-edit", "--no-rebase", bob.root, "HEAD")
		said := ada.pawl("merge", "--dry-run")
		ada.end(out, code)
		ada.settle()
		if !strings.Contains(said, "#1 Base: you and bob") {
			t.Errorf("pawl merge does not say that both worked on it:\n%s", said)
		}
		if task := ada.called("Base"); task.Status != pawl.Completed || task.Owner != "bob" {
			t.Errorf("%v by %q", task.Status, task.Owner)
		}
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}

// TestMarkOfMoved: a task gets another number in the first step of a rebase and is
// deleted in the second one, so that the high-water mark is higher than on either side.
// Git goes on only if its index has that, too.
func TestMarkOfMoved(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.add("Bob's")
		bob.save("Added")
		bob.pawl("rm", "2")
		bob.save("Deleted")
		bob.pull(ada, "--rebase")
		bob.has("Base", "Ada's")
		bob.add("Next")
		if id := bob.called("Next").ID; id != 4 {
			t.Errorf("the next task got %v", id)
		}
	})
}
