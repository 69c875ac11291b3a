package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// worktrees are the folders that git knows as work trees of the clone, but the main one.
func (y *yard) worktrees() []string {
	y.t.Helper()
	cmd := exec.Command("git", "worktree", "list", "--porcelain")
	cmd.Dir, cmd.Env = filepath.Join(y.dir, "project"), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + y.dir, "GIT_CONFIG_NOSYSTEM=1"}
	out := must.Get(cmd.Output())(y.t)
	var dirs []string
	for line := range strings.Lines(string(out)) {
		if dir, ok := strings.CutPrefix(line, "worktree "); ok {
			dirs = append(dirs, strings.TrimSpace(dir))
		}
	}
	return dirs[1:]
}

// fresh are the files below the folder of fresh work trees.
func (y *yard) fresh() []string {
	y.t.Helper()
	return must.Get(filepath.Glob(filepath.Join(y.dir, "state", "pawl", "checks", "*", "fresh", "*")))(y.t)
}

// What passes because of a file that git does not have fails in a fresh work tree. What
// passes there is evidence of HEAD's files, which a completion on these files accepts.
func TestCheckClean(t *testing.T) {
	y := newYard(t)
	y.program("check", `test -f made.txt`)
	y.git("add", "-A")
	y.git("commit", "-qm", "One")
	y.must("add", "Task", "--check", "unit: ./check")
	y.write("made.txt", "made\n")
	y.must("check", "1")
	code, said := y.says(true, "check", "--clean", "1")
	if code != 8 || !strings.Contains(said, "changes here that are not committed are not checked") || y.ran() != "check \ncheck \n" {
		t.Errorf("without the file that git does not have: exit code %d\n%s", code, said)
	}
	if e := y.task(1).Evidence; len(e) != 1 || e[0].Passed || e[0].Dirty {
		t.Errorf("evidence %+v", e)
	}
	y.git("add", "made.txt")
	y.git("commit", "-qm", "Two")
	y.write("other.txt", "not committed\n")
	if code, said := y.says(true, "check", "--clean", "1", "--json"); code != 0 || !strings.Contains(said, `"commit":"`) {
		t.Errorf("exit code %d\n%s", code, said)
	}
	if e := y.task(1).Evidence; len(e) != 1 || !e[0].Passed || e[0].Dirty || e[0].Commit == "" {
		t.Errorf("evidence %+v", e)
	}
	if left, trees := y.fresh(), y.worktrees(); len(left)+len(trees) > 0 {
		t.Errorf("left %q, git knows %q", left, trees)
	}
	y.ran()
	if code, said := y.says(true, "done", "1"); code != 0 || y.ran() != "check \n" { // the files here are others
		t.Errorf("in the project's own work tree: exit code %d\n%s", code, said)
	}
}

// An untrusted check runs in no work tree, and none is made. A project in a folder of its
// repository is checked there.
func TestCheckCleanRefuses(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	if code, said := y.says(true, "add", "Task", "--check", "unit: ./check"); code != 0 {
		t.Fatal(said)
	}
	if code, said := y.says(true, "check", "--clean", "1"); code != 8 || y.ran() != "" || len(y.fresh()) > 0 {
		t.Errorf("untrusted: exit code %d\n%s", code, said)
	}
	y.trust()
	if code, said := y.says(true, "check", "--clean", "1"); code != 2 || !strings.Contains(said, "no commit yet") || y.ran() != "" {
		t.Errorf("without a commit: exit code %d\n%s", code, said)
	}
	if code, said := y.says(true, "check", "--clean", "--todos"); code != 2 {
		t.Errorf("of a todo list: exit code %d\n%s", code, said)
	}
}

// A signal that stops Pawl while a check runs ends the check, too, and a fresh work tree is
// removed. One of a process that was killed is removed by the next; its check runs to its own
// end, and what that shows counts for nothing.
func TestCheckStopped(t *testing.T) {
	for _, c := range []struct {
		args   []string
		signal syscall.Signal
	}{
		{[]string{"check", "1"}, syscall.SIGINT},
		{[]string{"done", "1"}, syscall.SIGTERM},
		{[]string{"check", "--clean", "1"}, syscall.SIGINT},
		{[]string{"check", "--clean", "1"}, syscall.SIGKILL},
		{[]string{"done", "1"}, syscall.SIGKILL},
	} {
		t.Run(strings.Join(c.args, " ")+" "+c.signal.String(), func(t *testing.T) {
			y := newYard(t)
			y.program("check", `test -e "$HOME/again" || { exec 3>"$HOME/end"; read -r answer <"$HOME/go"; }; exit 0`)
			y.git("add", "-A")
			y.git("commit", "-qm", "One")
			for _, name := range []string{"end", "go"} {
				must.Do(t, syscall.Mkfifo(filepath.Join(y.dir, name), 0o600))
			}
			y.must("add", "Task", "--check", "unit: ./check")
			cmd := y.command(true, c.args...)
			cmd.Stderr = t.Output()
			must.Do(t, cmd.Start())
			end, err := os.Open(filepath.Join(y.dir, "end")) // as soon as the check runs
			must.Do(t, err)
			defer end.Close()
			work := must.Get(os.OpenFile(filepath.Join(y.dir, "go"), os.O_WRONLY, 0))(t)
			defer work.Close()
			must.Do(t, cmd.Process.Signal(c.signal))
			if c.signal == syscall.SIGKILL {
				work.Close() // nobody can end what a killed process has started
			}
			_ = end.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := io.ReadAll(end); err != nil { // until the check has ended
				t.Fatal(err)
			}
			if err := cmd.Wait(); err == nil {
				t.Error("it ended well")
			}
			if is := y.task(1); is.Status == pawl.Completed || len(is.Evidence) > 0 {
				t.Errorf("%+v", is)
			}
			if c.signal == syscall.SIGKILL {
				if trees := y.worktrees(); (len(trees) == 1) != slices.Contains(c.args, "--clean") {
					t.Errorf("git knows %q", trees)
				}
				must.Do(t, os.WriteFile(filepath.Join(y.dir, "again"), nil, 0o600))
				if code, said := y.says(true, c.args...); code != 0 || (c.args[0] == "done") != (y.task(1).Status == pawl.Completed) {
					t.Errorf("exit code %d\n%s", code, said)
				}
			}
			if left, trees := y.fresh(), y.worktrees(); len(left)+len(trees) > 0 {
				t.Errorf("left %q, git knows %q", left, trees)
			}
		})
	}
}
