//go:build unix

package git_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestOctopusUnderWay: git has merged two branches at once and waits for the commit.
func TestOctopusUnderWay(t *testing.T) {
	each(t, []nets{{true, true}, {}}, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Other", "Third")
		for branch, id := range map[string]string{"one": "1", "two": "2"} {
			ada.git("switch", "-q", "-c", branch, "main")
			ada.pawl("note", id, "from "+branch)
			ada.save(branch)
		}
		ada.git("switch", "-q", "main")
		ada.pawl("note", "3", "from main")
		ada.save("Main")
		ada.git("merge", "-q", "--no-commit", "one", "two")
		ada.unchanged(func() {
			if out, code := ada.run("pawl", "merge"); code == 0 || !strings.Contains(out, "octopus") && !strings.Contains(out, "two branches") {
				t.Errorf("pawl merge: exit %d\n%s", code, out)
			}
		})
		ada.git("commit", "-q", "--no-edit")
		ada.unchanged(func() { ada.run("pawl", "merge") })
		ada.add("Next")
		ada.has("Base", "Other", "Third", "Next")
		for _, subject := range []string{"Base", "Other", "Third"} {
			if notes := ada.called(subject).Notes; len(notes) != 1 {
				t.Errorf("%s has the notes %v", subject, notes)
			}
		}
	})
}

// TestPickMany picks a row of commits, in which git may stop several times.
func TestPickMany(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.git("switch", "-q", "-c", "feature")
		for _, name := range []string{"Feature 1", "Feature 2", "Feature 3"} {
			ada.pawl("add", name, "--blocked-by", "1")
			ada.save(name)
		}
		ada.git("switch", "-q", "main")
		ada.pawl("add", "Main 1", "--blocked-by", "1")
		ada.pawl("add", "Main 2", "--blocked-by", "1")
		ada.save("Main")
		ada.goes("cherry-pick", "main..feature")
		ada.has("Base", "Main 1", "Main 2", "Feature 1", "Feature 2", "Feature 3")
		if base := ada.called("Base"); len(base.Blocks) != 5 {
			t.Errorf("it blocks %v", base.Blocks)
		}
	})
}

// TestPatches takes a colleague's commits over as patches.
func TestPatches(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		for _, name := range []string{"Bob's 1", "Bob's 2"} {
			bob.pawl("add", name, "--blocked-by", "1")
			bob.save(name)
		}
		ada.pawl("add", "Ada's", "--blocked-by", "1")
		ada.save("Ada's")
		ada.git("fetch", "-q", bob.root, "HEAD") // so that git knows what the patches are against
		bob.git("format-patch", "-q", "-o", filepath.Join(w.dir, "patches"), "HEAD~2")
		patches, err := filepath.Glob(filepath.Join(w.dir, "patches", "*"))
		must.Do(t, err)
		ada.goes(append([]string{"am", "-q", "-3"}, patches...)...)
		ada.has("Base", "Ada's", "Bob's 1", "Bob's 2")
	})
}

// TestAutostash: git puts changes that were not committed aside, rebases, and puts
// them back.
func TestAutostash(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		bob.pawl("add", "Bob's", "--blocked-by", "1")
		bob.save("Bob's")
		ada.pawl("add", "Ada's", "--blocked-by", "1")
		ada.git("add", "-A")
		ada.run("git", "pull", "-q", "--rebase", "--autostash", bob.root, "HEAD")
		ada.settle()
		ada.has("Base", "Bob's", "Ada's")
	})
}

// TestSwitch takes changes that were not committed to another branch.
func TestSwitch(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		ada.git("branch", "feature")
		ada.pawl("note", "1", "from main")
		ada.add("Main")
		ada.save("Main")
		ada.git("switch", "-q", "feature")
		ada.pawl("note", "1", "from the feature")
		ada.git("switch", "-q", "-m", "main")
		ada.settle()
		ada.has("Base", "Main")
		if notes := ada.called("Base").Notes; len(notes) != 2 {
			t.Errorf("the notes are %v", notes)
		}
	})
}

// TestBackAndForth: changing between branches whose merges are old merges nothing.
func TestBackAndForth(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.git("branch", "before")
		ada.pull(bob, "--no-rebase")
		ada.insist("rm", "2")
		ada.pawl("update", "3", "--subject", "Another name")
		ada.save("After")
		for _, branch := range []string{"before", "main", "before", "main"} {
			ada.git("switch", "-q", branch)
			ada.unchanged(func() { ada.pawl("merge") })
		}
		ada.add("Next")
		ada.has("Base", "Another name", "Next")
	})
}

// TestFastForwardFurther: others merged, and went on from there. A clone that gets all
// of it at once does not do over what they did to the result.
func TestFastForwardFurther(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base", "Done later")
		bob, eve := ada.clone("bob"), ada.clone("eve")
		eve.pawl("note", "1", "makes Pawl look at the board")
		eve.git("checkout", "-q", ".")
		ada.add("Ada's")
		ada.pawl("note", "2", "from ada")
		ada.save("Ada's")
		bob.add("Bob's")
		bob.pawl("note", "2", "from bob")
		bob.save("Bob's")
		ada.meet(bob, "--no-rebase")
		ada.pawl("rm", "4")
		ada.pawl("done", "2")
		ada.pawl("update", "3", "--subject", "Another name")
		ada.save("After")
		eve.git("pull", "-q", "--ff-only", ada.root, "HEAD")
		eve.unchanged(func() { eve.pawl("merge") })
		eve.add("Next")
		eve.has("Base", "Done later", "Another name", "Next")
		if eve.called("Done later").Status != pawl.Completed {
			t.Errorf("it is %v", eve.called("Done later").Status)
		}
	})
}

// TestResetAndAgain: a merge that was thrown away is merged again.
func TestResetAndAgain(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		head := strings.TrimSpace(ada.git("rev-parse", "HEAD"))
		for range 2 {
			ada.pull(bob, "--no-rebase")
			ada.has("Base", "Ada's", "Bob's")
			ada.git("reset", "-q", "--hard", head)
			ada.pawl("merge")
			ada.has("Base", "Ada's")
		}
		ada.pull(bob, "--no-rebase")
		ada.has("Base", "Ada's", "Bob's")
	})
}

// TestAmend: the commit of a merge is changed later, and so is one before it.
func TestAmend(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		ada.pull(bob, "--no-rebase")
		ada.insist("rm", "2")
		ada.git("add", "-A")
		ada.git("commit", "-q", "--amend", "--no-edit")
		ada.unchanged(func() { ada.pawl("merge") })
		ada.has("Base", "Ada's")
	})
}
