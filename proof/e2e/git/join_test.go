//go:build unix

package git_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pty"
)

// TestTwoCommands: from a clone that has not heard of the board to a claimed task.
func TestTwoCommands(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada"}, "Base")
	bob := team.join("bob")
	before := bob.print()
	if out := bob.pawl("share", "--yes"); !strings.Contains(out, "1 open, 1 ready; next: pawl claim") || strings.Contains(out, "no board") {
		t.Errorf("pawl share:\n%s", out)
	}
	if out := bob.pawl("claim"); strings.Contains(out, "here only") || !strings.Contains(out, "Base") {
		t.Errorf("pawl claim:\n%s", out)
	}
	if diff := cmp.Diff(before, bob.print()); diff != "" {
		t.Errorf("bob's repository has changed:\n%s", diff)
	}
	ada := team.clones[0]
	ada.sync()
	ada.refused(4, "bob", "claim", "1")
	team.settle()
}

// TestChangeOver: a board that is in the code's branches becomes a shared one, and goes
// back. Others who have it in their branches join, and nobody loses anything.
func TestChangeOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nets{})
	team := w.project("ada", "bob")
	ada, bob := team.clones[0], team.clones[1]
	ada.pawl("init", "--shared")
	ada.add("Base", "Contested")
	ada.save("Plan")
	ada.git("push", "-q")
	bob.git("pull", "-q")
	ada.add("Ada's")
	bob.add("Bob's")
	bob.save("Bob's plan")
	tasks := ada.plan()
	t.Logf("pawl share --yes:\n%s", ada.pawl("share", "--yes"))
	if diff := cmp.Diff(tasks, ada.plan()); diff != "" {
		t.Errorf("the tasks have changed:\n%s", diff)
	}
	if out := ada.git("ls-files", ".tasks"); out != "" {
		t.Errorf("git still tracks the board:\n%s", out)
	}
	ada.save("The board is shared")
	if out := ada.git("status", "--porcelain"); out != "" {
		t.Errorf("git sees the board:\n%s", out)
	}
	ada.git("push", "-q")
	// Bob pulls: git takes the files of his board away, or stops, since he has changed it.
	out, code := bob.run("git", "pull", "-q", "--no-edit", "--no-rebase")
	t.Logf("git pull: exit %d\n%s", code, out)
	if code != 0 {
		out := bob.pawl("merge")
		t.Logf("pawl merge:\n%s", out)
		bob.run("git", "commit", "-q", "--no-edit")
	}
	t.Logf("pawl share --yes:\n%s", bob.pawl("share", "--yes"))
	bob.save("The board is shared")
	ada.sync()
	for _, c := range team.clones {
		for _, s := range []string{"Base", "Contested", "Ada's"} {
			c.called(s)
		}
	}
	team.settle()
	// And back.
	tasks = ada.plan()
	stop := ada.command("pawl", "share", "--stop")
	stop.Stdin = pty.Open(t)
	if out, err := stop.CombinedOutput(); err != nil {
		t.Fatalf("pawl share --stop: %v\n%s", err, out)
	}
	if diff := cmp.Diff(tasks, ada.plan()); diff != "" {
		t.Errorf("the tasks have changed:\n%s", diff)
	}
	ada.add("After")
	ada.save("The board is in the branches again")
	if out := ada.git("ls-files", ".tasks"); !strings.Contains(out, "task_1.json") {
		t.Errorf("git does not track the board:\n%s", out)
	}
	if out, code := ada.run("pawl", "sync"); code == 0 && strings.Contains(out, "sent") {
		t.Errorf("the board is still shared:\n%s", out)
	}
	bob.sync()
	if slices.Contains(bob.subjects(), "After") {
		t.Error("what was added after the end arrives")
	}
}

// TestJoinWithABoard: somebody who has a board already joins one that is shared. Both
// have all tasks, and the numbers of the shared one stand.
func TestJoinWithABoard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nets{})
	team := w.project("ada", "bob")
	ada, bob := team.clones[0], team.clones[1]
	ada.add("One", "Two")
	ada.pawl("share", "--yes")
	bob.pawl("init", "--private")
	bob.add("Bob one", "Bob two", "Bob three")
	bob.pawl("block", "3", "--by", "1")
	bob.pawl("claim", "1")
	bob.pawl("share", "--yes")
	team.settle()
	for _, c := range team.clones {
		c.has("One", "Two", "Bob one", "Bob two", "Bob three")
		if c.called("One").ID != 1 || c.called("Two").ID != 2 {
			t.Errorf("%s: the shared tasks have moved", c.who)
		}
		one, three := c.called("Bob one"), c.called("Bob three")
		if one.Status != pawl.InProgress || !slices.Equal(three.BlockedBy, []pawl.ID{one.ID}) {
			t.Errorf("%s: %v is %v, %v waits for %v", c.who, one.ID, one.Status, three.ID, three.BlockedBy)
		}
	}
	ada.refused(4, "bob", "claim", fmt.Sprint(int64(ada.called("Bob one").ID)))
}

// TestCopied: somebody copies a clone's folder. Both go on, as two.
func TestCopied(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base", "Other")
	ada := team.clones[0]
	ada.pawl("claim", "1")
	ada.add("Ada's, not sent")
	twin := team.machine("ada") // the same person and machine
	twin.root = filepath.Join(team.dir, "ada", "copy")
	twin.board = filepath.Join(twin.root, ".tasks")
	if out, err := exec.Command("cp", "-a", ada.root, twin.root).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	team.clones = append(team.clones, twin)
	ada.add("Ada's")
	twin.add("Twin's")
	// A grant is for one folder: the copy uses no network until a person there agrees.
	claim := twin.command("pawl", "claim", "2")
	claim.Env = append(claim.Env, "PAWL_SYNC=")
	if out, _ := claim.CombinedOutput(); claim.ProcessState.ExitCode() != 4 || !strings.Contains(string(out), "nobody has allowed this user to sync this clone") {
		t.Errorf("a claim in the copy: %v\n%s", claim.ProcessState, out)
	}
	t.Logf("pawl sync: %s", twin.sync())
	twin.pawl("claim", "2")
	for range 2 {
		for _, c := range team.clones {
			out, code := c.run("pawl", "sync")
			t.Logf("%s: exit %d\n%s", c.root, code, out)
			if code != 0 {
				t.Errorf("pawl sync: exit %d\n%s", code, out)
			}
		}
	}
	team.settle()
	for _, c := range team.clones {
		for _, s := range []string{"Base", "Other", "Ada's, not sent", "Ada's", "Twin's"} {
			c.called(s)
		}
	}
	// Ada's claim is hers; the copy has to show it, or to take another one.
	ada.pawl("done", "1")
	ada.sync()
	twin.sync()
	if got := twin.called("Base").Status; got != pawl.Completed {
		t.Errorf("what ada has completed is %v in the copy", got)
	}
	team.settle()
}

// TestFilesVanish: git clean, a checkout and rm take the files of a shared board. They
// come back, and nobody else loses a task.
func TestFilesVanish(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base", "Other")
	ada, bob := team.clones[0], team.clones[1]
	team.settle()
	for name, takes := range map[string]func(){
		"git clean": func() { ada.git("clean", "-fdxq") },
		"rm":        func() { must.Do(t, os.Remove(filepath.Join(ada.board, "task_1.json"))) },
		"rm -r":     func() { must.Do(t, os.RemoveAll(ada.board)) },
		"stash":     func() { ada.git("stash", "-q", "--all") },
	} {
		takes()
		t.Logf("%s: %s", name, ada.sync())
		bob.sync()
		bob.has("Base", "Other")
		ada.has("Base", "Other")
	}
	ada.pawl("rm", "2") // this one is meant
	team.settle()
	bob.has("Base")
}
