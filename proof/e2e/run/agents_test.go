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

const (
	does  = "write f.txt \"work of $PAWL_TASK\"\ncommit work\n" // what passes the check
	check = "grep -q work f.txt"
)

// A deed is what an agent does, first and then, and how its task ends.
type deed struct {
	name     string
	settings string
	first    string // at the first attempt
	then     string // at all others; empty: the same
	ends     string
	attempts int
	sees     func(s *scene)
}

// deeds are the ways of agents, with the task's end.
var deeds = []deed{
	{name: "works", first: does, ends: "completed", attempts: 1},
	{name: "leaves its work uncommitted", first: "write f.txt work\nwrite new.txt work", ends: "completed", attempts: 1, sees: func(s *scene) {
		if s.read("new.txt") == "" || !strings.Contains(s.git("log", "--format=%s", s.last(1).Ref()), "pawl: leftovers of #1") {
			s.Error("what it left is not in main")
		}
	}},
	{name: "hangs", settings: "run.timeout=idle 2s", first: "say hello\nwrite half.txt half\nhang", then: does, ends: "completed", attempts: 2, sees: func(s *scene) {
		if got := s.git("show", s.work(1).Attempts[0].Ref()+":half.txt"); got != "half" {
			s.Errorf("its half-done work is lost: %q", got)
		}
	}},
	{name: "ignores SIGTERM", settings: "run.timeout=idle 2s", first: "write half.txt half\nignore-term", then: does, ends: "completed", attempts: 2},
	{name: "floods", first: "flood 100000000\n" + does, ends: "completed", attempts: 1},
	{name: "floods over the limit", first: "write half.txt half\nflood 300000000\nhang", ends: "the agent has printed more than 256 MiB", attempts: 1},
	{name: "forks", first: "fork $TMPDIR/pid\n" + does, ends: "completed", attempts: 1},
	{name: "starts a daemon", first: "daemon $TMPDIR/pid\n" + does, ends: "completed", attempts: 1},
	{name: "deletes its work tree", first: "write half.txt half\ncommit half\nrm-tree", then: does, ends: "completed", attempts: 2},
	{name: "moves its work tree", first: "write half.txt half\ncommit half\nsh mv \"$PWD\" \"$PWD-moved\"", then: does, ends: "completed", attempts: 2},
	{name: "removes what makes it a work tree", first: "write half.txt half\ncommit half\nsh rm .git", then: does, ends: "completed", attempts: 2},
	{name: "leads its work tree to the main checkout", first: "write half.txt half\ncommit half\nsh d=\"$PWD\" m=\"$(dirname \"$(git rev-parse --path-format=absolute --git-common-dir)\")\" && mv \"$d\" \"$d-moved\" && ln -s \"$m\" \"$d\"", then: does, ends: "completed", attempts: 2},
	{name: "takes the main checkout's git folder", first: "write half.txt half\ncommit half\nsh g=\"$(git rev-parse --path-format=absolute --git-common-dir)\" && echo \"gitdir: $g\" > .git", then: does, ends: "completed", attempts: 2},
	{name: "renames its branch", first: does + "rename-branch other", ends: "completed", attempts: 1},
	{name: "detaches", first: "detach\n" + does, ends: "completed", attempts: 1},
	{name: "has two lines of work", first: "detach\n" + does + "sh git checkout -q pawl/1-a-task\nwrite side.txt x\ncommit side\nsh git checkout -q -", ends: "completed", attempts: 1},
	{name: "leaves a rebase half done", first: does + "mid-rebase", then: does, ends: "completed", attempts: 2},
	{name: "leaves a repository inside", first: does + "sh git init -q sub && echo x > sub/x", then: does, ends: "completed", attempts: 2},
	{name: "does no work", first: "say I did it\nno-work", ends: "two attempts in a row failed alike: the agent ended without having changed a file", attempts: 2},
	{name: "says falsely that it is done", first: "done\nsay all is well", ends: "two attempts in a row failed alike: the agent ended without", attempts: 2},
	{name: "says that it is done, and is", first: does + "done", ends: "completed", attempts: 1},
	{name: "works on a file system with another clock", first: does + "sh touch -t 202001010000 \"$(git rev-parse --git-dir)/commondir\" && pawl check 1 && echo yes > checked.txt\ncommit checked", ends: "completed", attempts: 1, sees: func(s *scene) {
		if s.read("checked.txt") == "" {
			s.Error("what was trusted in the clone did not run for the agent")
		}
	}},
	{name: "says that it is done with bad work", first: "append f.txt bad\ncommit bad\ndone", ends: "two attempts in a row failed alike", attempts: 2},
	{name: "completes its task by hand", first: byHand + "say done", ends: "two attempts in a row failed alike", attempts: 2},
	{name: "completes its task by hand, and has worked", first: does + byHand, ends: "completed", attempts: 1},
	{name: "holds its task", first: "hold which colour?", ends: "which colour?", attempts: 1},
	{name: "asks on a terminal", first: "tty\n" + does, ends: "completed", attempts: 1},
	{name: "ends with an error", first: "write f.txt half\nexit 3", then: does, ends: "completed", attempts: 2},
	{name: "dies of a signal", first: "write f.txt half\nsignal SEGV", then: does, ends: "completed", attempts: 2},
	{name: "is refused by its service", first: "rate-limit 2", then: does, ends: "completed", attempts: 2, sees: func(s *scene) {
		if a := s.work(1).Attempts[0]; a.Reason != runs.RateLimit {
			s.Errorf("the first attempt failed by %s", a.Reason)
		}
	}},
	{name: "commits nothing", first: "sh git -c user.name=Stand-in -c user.email=x commit -q --allow-empty -m nothing", ends: "two attempts in a row failed alike: the agent ended without having changed a file", attempts: 2},
	{name: "prunes", first: does + "sh git gc -q --prune=now; git worktree prune", ends: "completed", attempts: 1},
}

// byHand has an agent edit the file of its task.
const byHand = "sh sed -i.bak 's/\"in_progress\"/\"completed\"/' \"$PAWL_BOARD/task_1.json\" && rm \"$PAWL_BOARD/task_1.json.bak\"\nsleep 100ms\n"

// TestAgents has agents of all kinds work on a task, beside one that does well.
func TestAgents(t *testing.T) {
	for i := range 2 * len(deeds) {
		d, name := deeds[i/2], deeds[i/2].name
		if i%2 == 1 {
			name += " and speaks" // the Agent Client Protocol
		}
		if !long.Turn(name, 10) {
			continue
		}
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			var settings []string
			if d.settings != "" {
				settings = []string{d.settings}
			}
			s := stage(t, planted, settings...)
			if i%2 == 1 {
				s.speaks()
			}
			s.add(d.first, "--check", check)
			if d.then != "" {
				s.script("1-1", d.first)
				s.script("1", d.then)
			}
			s.add("write other.txt \"other work\"\ncommit other work", "--check", "grep -q other other.txt")
			said := s.run()
			s.ends(1, d.ends, d.attempts)
			s.ends(2, "completed", 1)
			if d.sees != nil {
				d.sees(s)
			}
			s.holds()
			if t.Failed() {
				t.Log(said + s.story(1))
			}
		})
	}
}

// TestMainEdited has an agent work in the main checkout: nothing is integrated until a
// person has put it right.
func TestMainEdited(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	s.add("edit-main README mine now\n"+does, "--check", check)
	r := s.start()
	r.says("integration pauses: the main checkout has changes that it did not have when the run began: README")
	if !strings.Contains(s.pawl("run", "status"), "README") {
		t.Error("pawl run status does not name the file")
	}
	if s.read("f.txt") != "" {
		t.Error("it was integrated")
	}
	s.git("checkout", "-q", "README")
	r.end()
	s.ends(1, "completed", 1)
	s.holds()
}

// TestMainCommitted has an agent commit in the main checkout. Nobody takes that for a person's commit,
// and nothing is integrated until a person has taken it back, or lets it stay. A person's
// own commit asks for nothing.
func TestMainCommitted(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		t.Run(fmt.Sprint(keeps), func(t *testing.T) {
			t.Parallel()
			s := stage(t, planted)
			s.write("mine.txt", "by a person")
			s.save("Mine")
			s.add("sh cd \"$(dirname \"$(git rev-parse --path-format=absolute --git-common-dir)\")\" && echo x > stray.txt && git add stray.txt && git -c user.name=Stand-in commit -q -m Stray\n"+does, "--check", check)
			r := s.start()
			r.says("integration pauses: git's main, which stand has moved outside of its work tree")
			s.write("more.txt", "by a person")
			s.git("add", "more.txt")
			s.git("commit", "-q", "-m", "More")
			if !strings.Contains(s.pawl("run", "status"), "Stray") {
				t.Error("pawl run status does not tell of the commit")
			}
			if s.read("f.txt") != "" {
				t.Error("it was integrated")
			}
			if keeps {
				s.pawl("run", "approve", "--shared")
			} else {
				s.git("branch", "stray", "HEAD~1")
				s.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1")
			}
			r.end()
			if (s.read("stray.txt") != "") != keeps || s.read("more.txt") == "" {
				t.Error("the target has not what the person left there")
			}
			s.ends(1, "completed", 1)
			s.holds()
		})
	}
}

// TestSharedChanged has an agent change what all work trees share.
func TestSharedChanged(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	s.config = true
	s.add("config core.hooksPath /nowhere\n"+does, "--check", check)
	r := s.start()
	r.says("then pawl run approve --shared")
	if s.read("f.txt") != "" {
		t.Error("it was integrated")
	}
	s.pawl("run", "approve", "--shared")
	r.end()
	s.ends(1, "completed", 1)
	s.holds()
}

// TestHooks has an agent install hooks and attributes that run a program at whatever git
// does: no git of Pawl's own runs them, and nothing is integrated.
func TestHooks(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	s.config = true
	mark := filepath.Join(s.dir, "ran")
	s.add(does+strings.Join([]string{
		"sh g=\"$(git rev-parse --path-format=absolute --git-common-dir)\"; mkdir -p \"$g/hooks\"",
		"for h in post-checkout post-commit reference-transaction post-merge post-rewrite pre-auto-gc post-index-change; do printf '#!/bin/sh\\necho '$h' >> " + mark + "\\n' > \"$g/hooks/$h\"; chmod +x \"$g/hooks/$h\"; done",
		"git config core.fsmonitor 'echo fsmonitor >> " + mark + "'",
		"git config filter.x.clean 'echo clean >> " + mark + "; cat'; git config filter.x.smudge 'echo smudge >> " + mark + "; cat'; mkdir -p \"$g/info\"; echo '* filter=x' > \"$g/info/attributes\"; rm -f " + mark,
	}, "; "), "--check", check)
	s.add("write other.txt \"other work\"\nwait "+mark+".go", "--check", "grep -q other other.txt")
	r := s.start()
	r.says("then pawl run approve --shared")
	s.write("../ran.go", "")
	s.phase(2, runs.Integrating, runs.Checked)
	time.Sleep(3 * time.Second)
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("git ran what an agent installed: %s", text)
	}
	s.pawl("run", "approve", "--shared")
	r.end()
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("git ran what an agent installed: %s", text)
	}
	s.ends(1, "completed", 1)
	s.ends(2, "completed", 1)
	// The look afterwards asks git without them.
	s.must(os.RemoveAll(filepath.Join(s.root, ".git/hooks")))
	s.must(os.Remove(filepath.Join(s.root, ".git/info/attributes")))
	s.git("config", "--unset", "core.fsmonitor")
	s.holds()
}

// TestCopied has agents commit a file that was copied to their work trees.
func TestCopied(t *testing.T) {
	for name, script := range map[string]string{
		"forced":        does + "sh git add -f .env\ncommit with secrets\n",
		"first":         "sh git add -f .env\ncommit with secrets\n" + does,
		"alone":         "sh git add -f .env\ncommit secrets\n",
		"staged":        does + "sh git add -f .env",
		"unignored":     does + "sh echo > .gitignore",
		"sidelong":      does + "detach\nsh git add -f .env\ncommit side\nsh git checkout -q pawl/1-a-task\nwrite more.txt x\ncommit more\nsh git checkout -q -",
		"then detached": "sh git add -f .env\ncommit with secrets\ndetach\n" + does,
		"no work":       "sh true",
	} {
		if name != "forced" && name != "sidelong" && !long.Turn(name, 10) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stage(t, planted, `run.copy=[".env"]`)
			s.secret = "hunter2"
			s.write(".gitignore", ".env\n")
			s.save("ignore")
			s.write(".env", "PASSWORD=hunter2\n")
			s.extra = []string{".env"} // where an agent has it ignored no longer
			s.add(script, "--check", check)
			said := s.run()
			if name == "alone" || name == "no work" {
				s.ends(1, "the agent ended without having changed a file", 2)
			} else {
				s.ends(1, "completed", 1)
			}
			if got := s.read(".env"); got != "PASSWORD=hunter2\n" {
				t.Errorf("the file of the main checkout is %q", got)
			}
			s.holds()
			if t.Failed() {
				t.Log(said + s.story(1))
			}
		})
	}
}
