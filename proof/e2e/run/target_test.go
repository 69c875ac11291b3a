//go:build unix

package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/runs"
)

// TestPersonElsewhere has a person switch the main checkout to another branch while an
// agent works: its commits go to the target all the same.
func TestPersonElsewhere(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	s.add("wait "+s.dir+"/go\n"+does, "--check", check)
	r := s.start()
	s.phase(1, runs.Running)
	s.git("switch", "-q", "-c", "side")
	s.on = "side"
	s.write("../go", "")
	r.end()
	s.ends(1, "completed", 1)
	if s.read("f.txt") != "" {
		t.Error("the files of the person's branch have changed")
	}
	s.holds()
}

// TestTargetInOtherTree has the target checked out in a work tree of a person: its files
// follow.
func TestTargetInOtherTree(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	s.add("wait "+s.dir+"/go\n"+does, "--check", check)
	r := s.start()
	s.phase(1, runs.Running)
	other := filepath.Join(s.dir, "other")
	s.git("switch", "-q", "-c", "side")
	s.git("worktree", "add", "-q", other, "main")
	s.on = "side"
	s.write("../go", "")
	r.end()
	s.ends(1, "completed", 1)
	if text, err := os.ReadFile(filepath.Join(other, "f.txt")); err != nil || string(text) != "work of 1\n" {
		t.Errorf("the files of the other work tree have not followed: %q, %v", text, err)
	}
	if out := s.git("-C", other, "status", "--porcelain", "--", ".", ":!.tasks"); out != "" {
		t.Errorf("the other work tree differs: %s", out)
	}
	s.holds()
}

// TestPersonCommits has a person commit to the target all the time while agents work.
func TestPersonCommits(t *testing.T) {
	t.Parallel()
	n := 3
	if *long.Asked {
		n = 12
	}
	s := stage(t, planted)
	s.good(n)
	r := s.start()
	commit := func() {
		// Git itself may find its index locked for a moment.
		if out, code := s.ask("git", "add", "mine"); code != 0 && !strings.Contains(out, "index.lock") {
			t.Errorf("git add: %s", out)
		}
		s.ask("git", "commit", "-q", "-m", "mine", "--", "mine")
	}
	over := func() (tasks int) {
		for id := 1; id <= n; id++ {
			if last := s.last(id); last != nil && last.Phase.Over() {
				tasks++
			}
		}
		return tasks
	}
	commits := 0
	for was := 0; was < n; commits++ {
		time.Sleep(2 * time.Second)
		s.write(fmt.Sprintf("mine/%d.txt", commits), "mine\n")
		commit()
		// An attempt whose target moves ten times gives up, and a busy machine may need longer
		// than two seconds to put it on the target.
		for commits%6 == 5 && over() == was {
			time.Sleep(time.Second)
			commit()
		}
		was = over()
	}
	s.ask("git", "add", "mine")
	s.ask("git", "commit", "-q", "-m", "mine")
	said := r.end()
	for id := 1; id <= n; id++ {
		if got := s.status(id); got != "completed" {
			t.Errorf("#%d: %s%s", id, got, s.story(id))
		}
	}
	for i := range commits {
		if s.git("show", fmt.Sprintf("main:mine/%d.txt", i)) != "mine" {
			t.Errorf("commit %d of the person is lost", i)
		}
	}
	t.Logf("%d commits of the person", commits)
	s.holds()
	if t.Failed() {
		t.Log(said)
	}
}

// TestInTheWay has a person's new file where an attempt has one: nothing is overwritten,
// and the run goes on when it is out of the way.
func TestInTheWay(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	s.write("ignored.txt", "")
	s.write(".gitignore", "secret.txt\n")
	s.save("ignore")
	s.add("sh rm .gitignore\nwrite secret.txt work\nwrite f.txt work\ncommit work", "--check", check)
	s.write("secret.txt", "mine\n") // ignored, so nobody hears of it before
	r := s.start()
	r.says("integration pauses: ")
	if got := s.read("secret.txt"); got != "mine\n" {
		t.Errorf("the person's file is %q", got)
	}
	s.must(os.Rename(filepath.Join(s.root, "secret.txt"), filepath.Join(s.dir, "mine")))
	r.end()
	s.ends(1, "completed", 1)
	s.holds()
}

// TestBoardInCommits has agents commit changes of the board, by pawl and by hand: they get
// into the board, as tasks, and keep nothing from being merged.
func TestBoardInCommits(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	for id := 1; id <= 3; id++ {
		s.add(strings.Join([]string{
			fmt.Sprintf("pawl add \"found by %d\"", id),
			fmt.Sprintf("sh pawl note $PAWL_TASK \"halfway %d\"", id),
			// What a person would do who works in one tree: the board is a folder of it.
			fmt.Sprintf("sh env -u PAWL_BOARD -u PAWL_RUN -u PAWL_TASK pawl --board .tasks add \"beside %d\"", id),
			fmt.Sprintf("write f%d.txt work", id),
			"commit work and board",
		}, "\n"), "--check", fmt.Sprintf("grep -q work f%d.txt", id))
	}
	s.script("default", "hold nothing to do")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "board")
	said := s.run()
	for id := 1; id <= 3; id++ {
		s.ends(id, "completed", 1)
	}
	list := s.pawl("list", "--all")
	for id := 1; id <= 3; id++ {
		for _, subject := range []string{"found by", "beside"} {
			if !strings.Contains(list, fmt.Sprintf("%s %d", subject, id)) {
				t.Errorf("the task %s %d is not on the board:\n%s", subject, id, list)
			}
		}
	}
	s.pawl("doctor")
	if out := s.git("log", "--format=", "--name-only", s.work(1).Attempts[0].Base+"..main"); strings.Contains(out, ".tasks/") {
		t.Errorf("files of the board went to the target by themselves: %s", out)
	}
	s.holds()
	if t.Failed() {
		t.Log(said)
	}
}
