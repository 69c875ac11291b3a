//go:build unix

package git_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestRebase rebases six commits over four, each of which git may stop at.
func TestRebase(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		want := []string{"Base"}
		for i := range 6 {
			name := fmt.Sprint("Bob's ", i)
			bob.pawl("add", name, "--blocked-by", "1")
			bob.pawl("note", "1", name)
			bob.save(name)
			want = append(want, name)
		}
		for i := range 4 {
			name := fmt.Sprint("Ada's ", i)
			ada.pawl("add", name, "--blocked-by", "1")
			ada.pawl("note", "1", name)
			ada.save(name)
			want = append(want, name)
		}
		stops := bob.pull(ada, "--rebase")
		if w.driver && stops > 0 {
			t.Errorf("git stopped %d times", stops)
		}
		bob.has(want...)
		ada.pull(bob, "--rebase")
		same(ada, bob)
		if base := ada.called("Base"); len(base.Notes) != 10 || len(base.Blocks) != 10 {
			t.Errorf("%d notes and %d dependants of 10: %v", len(base.Notes), len(base.Blocks), base.Blocks)
		}
	})
}

// TestCherryPick picks one of a branch's commits, and later merges the branch.
func TestCherryPick(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.git("switch", "-q", "-c", "feature")
		ada.add("Feature")
		ada.pawl("note", "1", "from the feature")
		ada.save("Feature")
		ada.add("Not picked")
		ada.save("More")
		ada.git("switch", "-q", "main")
		ada.add("Main")
		ada.pawl("note", "1", "from main")
		ada.save("Main")
		ada.goes("cherry-pick", "feature~1")
		ada.has("Base", "Main", "Feature")
		ada.goes("merge", "-q", "--no-edit", "feature")
		ada.has("Base", "Main", "Feature", "Not picked")
		if notes := ada.called("Base").Notes; len(notes) != 2 {
			t.Errorf("the notes are %v", notes)
		}
	})
}

// TestRevert takes a commit back that is not the last one.
func TestRevert(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Other")
		ada.pawl("done", "1")
		ada.add("A mistake")
		ada.save("To be reverted")
		ada.pawl("note", "1", "a later note")
		ada.add("Later")
		ada.save("Later")
		ada.goes("revert", "--no-edit", "HEAD~1")
		ada.has("Base", "Other", "Later")
		if base := ada.called("Base"); base.Status != pawl.Pending || len(base.Notes) != 1 {
			t.Errorf("%v, with the notes %v", base.Status, base.Notes)
		}
	})
}

// TestSquash merges a branch as one commit that has no second parent, twice.
func TestSquash(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		want := []string{"Base"}
		ada.git("branch", "feature")
		for i := range 2 {
			ada.git("switch", "-q", "feature")
			ada.pawl("add", fmt.Sprint("Feature ", i), "--blocked-by", "1")
			ada.save("Feature")
			ada.git("switch", "-q", "main")
			ada.pawl("add", fmt.Sprint("Main ", i), "--blocked-by", "1")
			ada.save("Main")
			ada.run("git", "merge", "-q", "--squash", "feature") // stops, or not
			ada.settle()
			want = append(want, fmt.Sprint("Feature ", i), fmt.Sprint("Main ", i))
			ada.has(want...)
		}
	})
}

// TestStash pulls while the own work is in a stash.
func TestStash(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		bob.pawl("add", "Bob's", "--blocked-by", "1")
		bob.pawl("note", "1", "from bob")
		bob.save("Bob's")
		ada.pawl("add", "Ada's", "--blocked-by", "1")
		ada.pawl("note", "1", "from ada")
		ada.git("add", "-A")
		ada.git("stash")
		ada.pull(bob, "--no-rebase")
		ada.run("git", "stash", "pop") // stops, or not
		ada.settle()
		ada.has("Base", "Bob's", "Ada's")
		if base := ada.called("Base"); len(base.Notes) != 2 || len(base.Blocks) != 2 {
			t.Errorf("the notes are %v, it blocks %v", base.Notes, base.Blocks)
		}
	})
}

// TestCrissCross merges two branches into each other before either knows of the
// other's merge, so that the next merge has two bases.
func TestCrissCross(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.add("Bob's")
		bob.save("Bob's")
		ada.git("branch", "before")
		ada.pull(bob, "--no-rebase")
		bob.goes("pull", "-q", "--no-edit", "--no-rebase", ada.root, "before")
		ada.pawl("note", "1", "ada, after")
		ada.add("Ada's second")
		ada.save("After")
		bob.pawl("note", "1", "bob, after")
		bob.add("Bob's second")
		bob.save("After")
		if bases := ada.bases(bob); bases != 2 {
			t.Fatalf("%d merge bases: the test did not test what it means to", bases)
		}
		ada.meet(bob, "--no-rebase")
		ada.has("Base", "Ada's", "Bob's", "Ada's second", "Bob's second")
	})
}

func (c *clone) bases(d *clone) int {
	c.git("fetch", "-q", d.root, "HEAD")
	return len(strings.Fields(c.git("merge-base", "--all", "HEAD", "FETCH_HEAD")))
}

// TestOctopus: git merges several branches at once only where it need not stop, and
// nothing is lost then.
func TestOctopus(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		for _, branch := range []string{"one", "two"} {
			ada.git("switch", "-q", "-c", branch, "main")
			ada.add("From " + branch)
			ada.save(branch)
		}
		ada.git("switch", "-q", "main")
		ada.add("From main")
		ada.save("Main")
		if out, code := ada.run("git", "merge", "-q", "--no-edit", "one", "two"); code != 0 {
			// It gave up. What it left is thrown away, and the branches merge one by one.
			t.Logf("%s", out)
			ada.git("reset", "-q", "--hard")
			ada.goes("merge", "-q", "--no-edit", "one")
			ada.goes("merge", "-q", "--no-edit", "two")
		}
		ada.settle()
		ada.has("Base", "From main", "From one", "From two")
	})
}

// TestFastForward: a third clone that goes straight to a merge which others made has
// nothing to merge, and the same board.
func TestFastForward(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob, eve := ada.clone("bob"), ada.clone("eve")
		eve.pawl("claim", "1")
		eve.pawl("release", "1")
		eve.save("Nothing to speak of")
		bob.pull(eve, "--no-rebase")
		ada.pull(eve, "--no-rebase")
		ada.add("Ada's")
		ada.save("Ada's")
		bob.add("Bob's")
		bob.save("Bob's")
		ada.meet(bob, "--no-rebase")
		eve.git("pull", "-q", "--ff-only", ada.root, "HEAD")
		eve.unchanged(func() { eve.pawl("merge") })
		eve.add("Eve's")
		eve.has("Base", "Ada's", "Bob's", "Eve's")
		if eve.called("Eve's").ID != 4 {
			t.Errorf("eve's task is %v", eve.called("Eve's").ID)
		}
	})
}

// TestThree passes a board on between three clones.
func TestThree(t *testing.T) {
	for _, way := range ways {
		t.Run(way[2:], func(t *testing.T) {
			each(t, []nets{{true, true}, {false, true}}, func(t *testing.T, w *world) {
				ada := w.first("ada", "Base")
				bob, eve := ada.clone("bob"), ada.clone("eve")
				all := []*clone{ada, bob, eve}
				want := []string{"Base"}
				for round := range 2 {
					for _, c := range all {
						name := fmt.Sprint(c.who, " ", round)
						c.pawl("add", name, "--blocked-by", "1")
						c.save(name)
						want = append(want, name)
					}
					bob.pull(ada, way)
					eve.pull(bob, way)
					ada.pull(eve, way)
					bob.pull(ada, way)
					same(all...)
					ada.has(want...)
				}
			})
		})
	}
}
