package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pty"
)

// hostileSubject is a task's subject that a shell, git or a terminal would act on.
const hostileSubject = "--upload-pack=./evil $(./evil) `./evil` ; ./evil | ./evil\n-x \x1b[2J\u202e ../../evil"

// A runYard is a hostile repository in which a person has named an agent's program.
type runYard struct {
	*foreign
	trace string
	agent string // its path
}

// newRunYard sets the agent up: one that does what a prompt asks without looking at it.
func newRunYard(t *testing.T) *runYard {
	t.Helper()
	f := newForeign(t)
	y := &runYard{foreign: f, trace: filepath.Join(t.TempDir(), "trace"), agent: filepath.Join(f.bin, "mine")}
	script := "#!/bin/sh\nwhile read -r line; do :; done\necho made >made\n"
	must.Do(t, os.WriteFile(y.agent, []byte(script), 0o755))
	for key, value := range map[string]string{"run.agents": `{"mine": {"command": ["mine"], "prompt": "stdin"}}`, "run.agent": "mine", "run.review": "none", "run.attempts": "1"} {
		cmd := f.pawl(t, nil, "config", "set", key, value, "--user")
		cmd.Stdin = pty.Open(t)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	return y
}

// tasks leaves the first task only, whose check a person has trusted, and commits it all
// with settings of the project.
func (y *runYard) tasks(settings string) {
	t := y.t
	t.Helper()
	for id := 2; id <= 19; id++ {
		if err := os.Remove(y.path("project/.tasks/task_" + strconv.Itoa(id) + ".json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	y.put("project/.tasks/pawl.jsonc", settings, 0o644)
	subject := must.Get(json.Marshal(hostileSubject))(t)
	first := strings.Replace(y.text("project/.tasks/task_1.json"), `"Trusted"`, string(subject), 1)
	y.put("project/.tasks/task_1.json", first, 0o644)
	y.commit()
}

// commit has git take all files as they are, without what the repository names.
func (y *runYard) commit() {
	t := y.t
	t.Helper()
	config := strings.Replace(y.text("project/.git/config"), "autocrlf = true", "autocrlf = false", 1) // no shell reads such a script
	y.put("project/.git/config", "[core]\n\tbare = false\n\thooksPath = /dev/null\n", 0o644)
	y.plainGit("add", "-A")
	y.plainGit("commit", "-qm", "Two", "--no-verify")
	y.put("project/.git/config", config, 0o644)
	if ran := y.ran(); ran != "" {
		t.Fatalf("the test itself ran %s", ran)
	}
}

// starts is the command with which a person starts a run. PATH leads to the repository first.
func (y *runYard) starts(args ...string) *exec.Cmd {
	return y.command(y.trace, []string{"PATH=" + y.path("project") + ":.:" + y.bin + ":/usr/local/bin:/usr/bin:/bin", boards.NoBackground + "=1"}, append([]string{"run"}, args...)...)
}

// works has a person start a run, which ends by itself.
func (y *runYard) works(args ...string) (code int, said string) {
	y.t.Helper()
	cmd := y.starts(args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if code = exitCode(err); code < 0 || code > 10 || strings.Contains(out.String(), "panic") || strings.ContainsAny(out.String(), "\x1b\a\u202e") {
		y.t.Fatalf("pawl run %q: %v\n%q", args, err, out.Bytes())
	}
	return code, out.String()
}

// judged counts how often the agent was started, and holds all else to what may be.
func (y *runYard) judged(what string, mayTrusted bool) (agents int, trusted bool) {
	y.t.Helper()
	own := `execve("` + y.agent + `"`
	for _, call := range y.executions(y.trace) {
		if strings.HasPrefix(call, own) {
			agents++
		}
	}
	y.own = y.agent
	trusted = y.judge(what, y.trace, mayTrusted)
	return agents, trusted
}

// A run starts no program that a repository names: neither an agent, nor a set-up, nor
// what its git is told to start; and it copies nothing for agents that no person has let
// out. Until a person has trusted all that the repository asks for, it starts nothing.
func TestHostileRun(t *testing.T) {
	y := newRunYard(t)
	refused := func(says string, args ...string) {
		t.Helper()
		if code, said := y.works(args...); code == 0 || !strings.Contains(said, says) {
			t.Errorf("pawl run %q: exit code %d, want %q\n%s", args, code, says, said)
		}
		if agents, _ := y.judged("pawl run", false); agents > 0 {
			t.Errorf("pawl run %q started the agent", args)
		}
	}
	refused("these changes are not committed", "--yes")
	y.commit()
	refused("a person must trust first", "--yes")
	refused("unknown agent", "--yes", "--agent", "evil")
	refused("not installed", "--yes", "--agent", "claude")
	refused("not installed", "check", "claude")
	y.works("check")
	if agents, _ := y.judged("pawl run check", false); agents != 1 {
		t.Errorf("the user's own agent was tried %d times", agents)
	}

	// What the settings ask for besides checks waits for trust, too; each alone.
	y.put("elsewhere/secret", "secret-of-the-user\n", 0o600)
	for _, asks := range []string{`{"run.setup": ["./evil", "setup"]}`, `{"run.copy": ["linked/secret"]}`, `{"checks": ["./evil project"]}`} {
		y.tasks(asks)
		refused("a person must trust first", "--yes")
	}
	// And a copy leads out of the project for nobody, even if a person has agreed to it.
	y.tasks(`{"run.copy": ["linked/secret"]}`)
	y.types(t, "trust", "checks", "--yes")
	cmd := y.starts("--yes")
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(t, err)
	t.Cleanup(func() { cmd.Process.Kill() })
	var said strings.Builder
	for lines := bufio.NewScanner(io.TeeReader(out, &said)); lines.Scan(); {
		if strings.Contains(lines.Text(), "the next attempt at #1 begins") { // in ten seconds
			syscall.Kill(y.pid(cmd), syscall.SIGTERM)
		}
	}
	cmd.Wait()
	if agents, _ := y.judged("pawl run", false); agents > 0 || !strings.Contains(said.String(), "linked/secret cannot be copied") {
		t.Errorf("the agent was started %d times without the files\n%s", agents, said.String())
	}
	for _, dir := range []string{"state/pawl/run", "project/.git"} {
		y.lacks(dir, "secret-of-the-user")
	}
}

// In a hostile repository in which a person has trusted the one check that there is, a run
// does all of its work: a work tree, the agent, what it left, the check, the merge. Nothing
// but git, the agent and this check is executed, and nothing by git.
func TestHostileRunAtWork(t *testing.T) {
	long.Only(t)
	y := newRunYard(t)
	y.tasks(`{"run.agents": {"mine": {"command": ["./evil", "agent"]}}, "run.agent": "evil", "run.permissions": "skip"}`)
	code, said := y.works("--yes")
	agents, trusted := y.judged("pawl run", true)
	if code != 0 || agents != 1 || !trusted {
		t.Errorf("exit code %d, the agent was started %d times, the check ran: %v\n%s", code, agents, trusted, said)
	}
	if made, err := os.ReadFile(y.path("project/made")); err != nil || string(made) != "made\n" {
		t.Errorf("the work did not come to the project: %v\n%s", err, said)
	}
	for _, args := range [][]string{{"status"}, {"log", "1"}, {"diff", "1"}, {"clean"}} {
		y.works(args...)
		y.judged("pawl run "+args[0], false)
	}
}

// lacks fails if a file below a folder has a text.
func (f *foreign) lacks(dir, text string) {
	f.t.Helper()
	must.Do(f.t, filepath.WalkDir(f.path(dir), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !d.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		found, err := os.ReadFile(path)
		if bytes.Contains(found, []byte(text)) {
			f.t.Errorf("%s has %q", path, text)
		}
		return err
	}))
}
