//go:build unix

package git_test

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestBothAddANumber: two clones that each add a task give both the same number.
// Both tasks stay, and the younger moves.
func TestBothAddANumber(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		bob.add("Retry hooks")
		ada.add("Price tests")
		bob.save("Bob's")
		ada.save("Ada's")
		ada.pull(bob, "--no-rebase")
		ada.has("Base", "Price tests", "Retry hooks")
		older, moved := ada.called("Retry hooks"), ada.called("Price tests")
		if older.ID != 2 || moved.ID != 3 || !slices.Equal(moved.Was, []pawl.ID{2}) || len(older.Was) != 0 {
			t.Errorf("bob's is %v, was %v; ada's is %v, was %v", older.ID, older.Was, moved.ID, moved.Was)
		}
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
		bob.sound()
	})
}

// TestRename: git takes a task that one side made, and one that it removed, for one
// file with another name, if their texts are much alike. It must not put what the
// other side did to the removed one into the new one.
func TestRename(t *testing.T) {
	const long = "Read the specification of the module, list what it promises to its callers,\nwrite a test for each promise, and make them pass one after another."
	for _, swapped := range []bool{false, true} {
		name := "the branch completes"
		if swapped {
			name = "the branch plans again"
		}
		t.Run(name, func(t *testing.T) {
			each(t, allNets, func(t *testing.T, w *world) {
				ada := w.first("ada", "Base")
				ada.pawl("add", "Parse the module", "--desc", long, "--label", "core")
				ada.save("Plan")
				worker, planner := ada.clone("bob"), ada
				if swapped {
					worker, planner = planner, worker
				}
				worker.pawl("done", "2")
				worker.save("Done")
				planner.pawl("rm", "2")
				planner.pawl("add", "Parse the modules", "--desc", long, "--label", "core")
				planner.save("Plan again")
				ada.meet(worker, "--no-rebase")
				ada.meet(planner, "--no-rebase")
				if got := ada.called("Parse the modules"); got.Status != pawl.Pending || got.ID != 3 {
					t.Errorf("the new task is #%v, %v", got.ID, got.Status)
				}
				// What one side completed and the other deleted is not thrown away.
				if got := ada.called("Parse the module"); got.Status != pawl.Completed || got.ID != 2 {
					t.Errorf("the old task is #%v, %v", got.ID, got.Status)
				}
			})
		})
	}
}

// TestDependants: both clones add a task that waits for the same one, a note to it,
// and a label. That is everyday work, and git does not stop where it is set up.
func TestDependants(t *testing.T) {
	for _, way := range ways {
		t.Run(way[2:], func(t *testing.T) {
			each(t, allNets, func(t *testing.T, w *world) {
				ada := w.first("ada", "Base", "Ada's", "Bob's")
				bob := ada.clone("bob")
				ada.pawl("block", "2", "--by", "1")
				ada.pawl("note", "1", "from ada")
				ada.pawl("update", "1", "--add-label", "a")
				ada.save("Ada's")
				bob.pawl("block", "3", "--by", "1")
				bob.pawl("note", "1", "from bob")
				bob.pawl("update", "1", "--add-label", "b")
				bob.save("Bob's")
				stops := ada.meet(bob, way)
				if w.driver && stops != 0 {
					t.Errorf("git stopped %d times", stops)
				}
				base := ada.called("Base")
				slices.Sort(base.Blocks)
				if !slices.Equal(base.Blocks, []pawl.ID{2, 3}) || len(base.Notes) != 2 || len(base.Labels) != 2 {
					t.Errorf("the task that both wait for: blocks %v, notes %v, labels %v", base.Blocks, base.Notes, base.Labels)
				}
			})
		})
	}
}

// TestUnion: a project whose own attributes have git merge all files as a union of
// lines would get each key of a task twice.
func TestUnion(t *testing.T) {
	each(t, []nets{{true, true}, {true, false}, {false, true}}, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.write(".gitattributes", "* merge=union\n")
		ada.save("Attributes")
		bob := ada.clone("bob")
		ada.pawl("update", "1", "--subject", "Ada's base")
		ada.save("Ada's")
		bob.pawl("update", "1", "--subject", "Bob's base")
		bob.save("Bob's")
		ada.meet(bob, "--no-rebase")
		if tasks := ada.tasks(); len(tasks) != 1 || tasks[1].Subject != "Bob's base" {
			t.Errorf("the board has %v", tasks)
		}
	})
}
