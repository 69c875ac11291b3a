package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/pty"
)

// A yard is a clone whose checks are programs of a test. What they do, they write into
// the user's home: a file in the clone would be one of those that are checked.
type yard struct {
	home
	t *testing.T
}

func newYard(t *testing.T) *yard {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	y := &yard{newHome(t), t}
	y.git("init", "-q", "--template=")
	return y
}

func (y *yard) git(args ...string) {
	y.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
	cmd.Dir, cmd.Env = filepath.Join(y.dir, "project"), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + y.dir, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := cmd.CombinedOutput(); err != nil {
		y.t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

// program puts a shell script into the clone. It begins by saying that it runs.
func (y *yard) program(name, script string) {
	y.t.Helper()
	y.write(name, "#!/bin/sh\necho "+name+" \"$*\" >>\"$HOME/ran\"\n"+script+"\n")
	must.Do(y.t, os.Chmod(filepath.Join(y.dir, "project", name), 0o755))
}

func (y *yard) write(name, text string) {
	y.t.Helper()
	at := filepath.Join(y.dir, "project", filepath.FromSlash(name))
	must.Do(y.t, errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)))
}

// command is pawl as a person or an agent runs it.
func (y *yard) command(agent bool, args ...string) *exec.Cmd {
	env := []string{"PATH=" + y.bin + ":/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM=1", "PAWL_TOKEN=secret-of-pawl", "LD_LIBRARY_PATH=/nowhere", boards.NoBackground + "=1"}
	if agent {
		env = append(env, agentsEnv()...)
	}
	cmd := y.pawl(y.t, env, args...)
	if !agent {
		cmd.Stdin = pty.Open(y.t)
	}
	return cmd
}

// says runs pawl, and returns its exit code and all that it said.
func (y *yard) says(agent bool, args ...string) (int, string) {
	y.t.Helper()
	out, err := y.command(agent, args...).CombinedOutput()
	return exitCode(err), string(out)
}

// must runs pawl for a person.
func (y *yard) must(args ...string) string {
	y.t.Helper()
	code, said := y.says(false, args...)
	if code != 0 {
		y.t.Fatalf("pawl %q: exit code %d\n%s", args, code, said)
	}
	return said
}

// task is a task as its file has it.
func (y *yard) task(id int) (t struct {
	Status   pawl.Status
	Checks   []pawl.Check
	Evidence []pawl.Evidence
}) {
	y.t.Helper()
	text, err := os.ReadFile(y.file(id))
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	must.Do(y.t, err)
	return t
}

func (y *yard) file(id int) string {
	return filepath.Join(y.dir, "project", ".tasks", fmt.Sprintf("task_%d.json", id))
}

// alter changes a text in the file of a task.
func (y *yard) alter(id int, old, new string) {
	y.t.Helper()
	text, err := os.ReadFile(y.file(id))
	if err != nil || !strings.Contains(string(text), old) {
		y.t.Fatalf("%q is not in %s, %v", old, text, err)
	}
	must.Do(y.t, os.WriteFile(y.file(id), []byte(strings.Replace(string(text), old, new, 1)), 0o644))
}

// ran are the programs that have run, and forgets them.
func (y *yard) ran() string {
	at := filepath.Join(y.dir, "ran")
	text, _ := os.ReadFile(at)
	_ = os.Remove(at)
	return string(text)
}

// trust has a person trust all that waits.
func (y *yard) trust() { y.t.Helper(); y.must("trust", "checks", "--yes") }

// Trust is for one command in one folder, with the variables that it gets, the time that
// it has and the exit code that passes; not for its name. Where anything of it changes,
// nothing runs, and an agent cannot complete the task either.
func TestTrustIsExact(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	y.program("sub/check", "exit 0")
	y.program("evil", "exit 0")
	y.must("add", "One", "--check", "unit: ./check one")
	y.trust()
	before := must.Get(os.ReadFile(y.file(1)))(t)
	for what, change := range map[string][2]string{
		"program":    {`"./check"`, `"./evil"`},
		"argument":   {`"one"`, `"two"`},
		"further":    {`"one"`, `"one", "-exec=./evil"`},
		"fewer":      {`, "one"`, ``},
		"joined":     {`"./check", "one"`, `"./check one"`},
		"folder":     {`"run"`, `"dir": "sub", "run"`},
		"variables":  {`"run"`, `"env": ["LD_PRELOAD"], "run"`},
		"time":       {`"run"`, `"timeout": "1h0m0s", "run"`},
		"unreadable": {`"run"`, `"timeout": "100h0m0s", "run"`},
		"exit code":  {`"run"`, `"expect": 1, "run"`},
	} {
		y.alter(1, change[0], change[1])
		for verb, agent := range map[string]bool{"check": false, "done": true} {
			if code, said := y.says(agent, verb, "1"); code != 8 {
				t.Errorf("other %s: pawl %s (agent: %v): exit code %d\n%s", what, verb, agent, code, said)
			}
		}
		if ran := y.ran(); ran != "" {
			t.Errorf("other %s: ran %s", what, ran)
		}
		if got := y.task(1).Status; got != pawl.Pending {
			t.Errorf("other %s: the task is %s", what, got)
		}
		must.Do(t, os.WriteFile(y.file(1), before, 0o644))
	}
	y.alter(1, `"unit"`, `"other"`) // what it is called is nobody's business
	if code, said := y.says(true, "done", "1"); code != 0 || y.ran() != "check one\n" {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// What a person says yes to is what stood on the screen, whatever the file says by then.
func TestTrustOfWhatWasShown(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	y.program("evil", "exit 0")
	if code, said := y.says(true, "add", "One", "--check", "unit: ./check one"); code != 0 {
		t.Fatal(said)
	}
	s := y.show(t, 100, 30, "trust", "checks")
	s.sees("command  ./check one", "trust exactly this? [y/N]")
	y.alter(1, `"./check"`, `"./evil"`)
	s.write("y\r")
	s.sees("Trusted: 1 command")
	if got := y.must("trust", "--list"); !strings.Contains(got, "  check      ./check one, since ") {
		t.Errorf("trusted is %q", got)
	}
	if code, said := y.says(true, "check", "1"); code != 8 || y.ran() != "" {
		t.Errorf("exit code %d\n%s", code, said)
	}
	y.alter(1, `"./evil"`, `"./check"`)
	if code, said := y.says(true, "check", "1"); code != 0 || y.ran() != "check one\n" {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// What runs is what was trusted, though the task's file says something else while it
// runs; and what it says then is not completed by that.
func TestSwappedWhileChecksRun(t *testing.T) {
	y := newYard(t)
	y.program("swap", `sed -i 's|"./second"|"./evil"|' .tasks/task_1.json`)
	y.program("second", "exit 0")
	y.program("evil", "exit 0")
	y.must("add", "One", "--check", "first: ./swap", "--check", "second: ./second")
	y.trust()
	code, said := y.says(true, "done", "1")
	if ran := y.ran(); ran != "swap \nsecond \n" {
		t.Errorf("ran %q", ran)
	}
	if is := y.task(1); code == 0 || is.Status == pawl.Completed {
		t.Errorf("exit code %d, the task is %s\n%s", code, is.Status, said)
	}
	if code, said = y.says(true, "done", "1"); code != 8 || y.ran() != "" {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// A folder that has become a link is not entered, and a program outside does not run.
func TestFolderBecomesLink(t *testing.T) {
	y := newYard(t)
	y.program("web/app/check", "exit 0")
	y.program("evil", "exit 0")
	outside := filepath.Join(y.dir, "outside", "app")
	must.Do(t, errors.Join(os.MkdirAll(outside, 0o755), os.Rename(filepath.Join(y.dir, "project", "evil"), filepath.Join(outside, "check"))))
	if code, said := y.says(true, "add", "One", "--check", "unit: ./check"); code != 0 { // what a person types is trusted as it is typed
		t.Fatal(said)
	}
	y.alter(1, `"run"`, `"dir": "web/app", "run"`)
	y.trust()
	if code, said := y.says(true, "check", "1"); code != 0 || y.ran() != "web/app/check \n" {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	for _, link := range []string{"web", "web/app"} {
		at := filepath.Join(y.dir, "project", link)
		must.Do(t, errors.Join(os.Rename(at, at+".away"), os.Symlink(filepath.Join(y.dir, "outside", strings.TrimPrefix(link, "web")), at)))
		code, said := y.says(true, "done", "1")
		if code != 8 || y.ran() != "" || !strings.Contains(said, "is a link") || y.task(1).Status == pawl.Completed {
			t.Errorf("%s is a link: exit code %d\n%s", link, code, said)
		}
		must.Do(t, errors.Join(os.Remove(at), os.Rename(at+".away", at)))
	}
}

// Trust counts only where the user keeps it, for one clone, and while nobody else can
// have written it.
func TestTrustIsTheUsers(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	y.must("add", "One", "--check", "unit: ./check")
	y.trust()
	list := filepath.Join(y.dir, "state", "pawl", "consent.json")
	refused := func(what string) {
		t.Helper()
		for _, verb := range []string{"check", "done"} {
			code, said := y.says(true, verb, "1")
			if ran := y.ran(); ran != "" || verb == "check" && code == 0 {
				t.Errorf("%s: pawl %s: exit code %d, ran %q\n%s", what, verb, code, ran, said)
			}
		}
	}
	for _, mode := range []os.FileMode{0o666, 0o620, 0o602} {
		must.Do(t, os.Chmod(list, mode))
		refused(fmt.Sprintf("mode %o", mode))
		if y.task(1).Status == pawl.Completed {
			t.Errorf("mode %o: the task is completed", mode)
		}
	}
	must.Do(t, os.Chmod(list, 0o600))

	// A copy of the clone, with all that is in it, is another clone.
	project := filepath.Join(y.dir, "project")
	y.write(".env", "XDG_STATE_HOME="+filepath.Join(project, ".pawl")+"\n")
	for _, at := range []string{".pawl", ".tasks/.pawl", ".tasks", ".git", ".local/state"} {
		to := filepath.Join(project, at, "pawl")
		if out, err := exec.Command("sh", "-c", `mkdir -p "$1" && cp -a "$2"/. "$1"`, "sh", to, filepath.Dir(list)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	kept := project + ".kept"
	if out, err := exec.Command("cp", "-a", project, kept).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must.Do(t, errors.Join(os.Rename(project, project+".first"), os.Rename(kept, project+".copy"), os.Symlink(project+".copy", project)))
	refused("a copy of the clone")

	// And where the user has trusted nothing, nothing that the clone brings counts.
	must.Do(t, errors.Join(os.Remove(project), os.Rename(project+".first", project), os.RemoveAll(filepath.Join(y.dir, "state"))))
	refused("a state folder in the clone")
}

// Evidence counts on the files that it is of, in the clone that has seen it. What is of
// other files, or stands in a task's file only, does not complete a task.
func TestEvidenceOfOtherFiles(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	y.write("code.go", "package code\n")
	y.git("add", "-A", ".", ":!.tasks")
	y.git("commit", "-qm", "One")
	for range 2 {
		y.must("add", "Task", "--check", "unit: ./check")
	}
	y.must("check", "1")
	seen, err := os.ReadFile(y.file(1))
	if err != nil || y.ran() != "check \n" || len(y.task(1).Evidence) != 1 {
		t.Fatalf("%s, %v", seen, err)
	}
	// What the clone has not seen of a task runs, whatever its file claims.
	_, evidence, _ := strings.Cut(string(seen), `"evidence": `)
	evidence, _, _ = strings.Cut(evidence, "\n  ]")
	y.alter(2, `"checks": `, `"evidence": `+evidence+"\n  ],\n  \"checks\": ")
	if claimed := y.task(2).Evidence; len(claimed) != 1 || claimed[0] != y.task(1).Evidence[0] {
		t.Fatalf("%+v", claimed)
	}
	if code, said := y.says(true, "done", "2"); code != 0 || y.ran() != "check \n" {
		t.Errorf("by what is claimed: exit code %d\n%s", code, said)
	}
	// Other files: it runs again, and fails there.
	y.write("code.go", "package other\n")
	y.program("check", "exit 1")
	y.git("add", "-A", ".", ":!.tasks")
	y.git("commit", "-qm", "Two")
	if code, said := y.says(true, "done", "1"); code != 8 || y.ran() != "check \n" || y.task(1).Status == pawl.Completed {
		t.Errorf("on other files: exit code %d\n%s", code, said)
	}
	// And on the files as they were it has to pass again, because its last run failed.
	y.git("checkout", "-q", "HEAD~1")
	if code, said := y.says(true, "done", "1"); code != 0 || y.ran() != "check \n" {
		t.Errorf("on these files again: exit code %d\n%s", code, said)
	}
}

// A check runs with all that a program can do. None of it completes a task that is not
// shown to be done.
func TestChecksThatMisbehave(t *testing.T) {
	y := newYard(t)
	for i, c := range []struct {
		name, script string
		code         int
		says         string
		is           pawl.Status
		evidence     string // passed, failed, or nothing
	}{
		{"adds", `pawl update 1 --accept 'more to do' >/dev/null`, 8, "more to do is not ticked", pawl.InProgress, ""},
		{"nested", `pawl done 2 >>"$HOME/said" 2>&1; echo "$?" >>"$HOME/said"; cat .tasks/task_2.json >>"$HOME/said"`, 0, "Completed #2", pawl.Completed, "passed"},
		{"deletes", `rm .tasks/task_3.json`, 3, "", "", ""},
		{"daemon", `setsid sleep 300 & echo "$!" >"$HOME/daemon"; exit 0`, 0, "Completed #4", pawl.Completed, "passed"},
		{"child", `sleep 300 & echo "$!" >"$HOME/child"; exit 0`, 0, "Completed #5", pawl.Completed, "passed"},
		{"prints", `head -c 100000000 /dev/zero | tr '\0' x; echo; echo last; exit 1`, 8, "| last", pawl.InProgress, "failed"},
		{"endless", `trap '' TERM; sleep 300`, 8, "took longer than 1s", pawl.InProgress, "failed"},
		{"terminal", `if test -t 0 || test -t 1 || (echo x >/dev/tty) 2>/dev/null; then exit 0; fi; read -r answer || exit 3`, 8, "exit code 3", pawl.InProgress, "failed"},
		{"writes", `date >>written`, 8, "changed while the checks ran", pawl.InProgress, ""},
		{"asks", `env >"$HOME/env"; test -z "$PAWL_TOKEN$LD_LIBRARY_PATH$CLAUDECODE" && test "$PAWL_CHECK" = 1`, 0, "Completed #10", pawl.Completed, "passed"},
		{"kills", `kill -9 $$`, 8, "signal: killed", pawl.InProgress, "failed"},
	} {
		id := i + 1
		y.program(c.name, c.script)
		if code, said := y.says(true, "add", c.name, "--check", c.name+": ./"+c.name); code != 0 {
			t.Fatal(said)
		}
		if c.name == "endless" {
			y.alter(id, `"run"`, `"timeout": "1s", "run"`)
		}
		y.trust()
		if code, said := y.says(true, "claim", strconv.Itoa(id)); code != 0 {
			t.Fatal(said)
		}
		cmd := y.command(true, "done", strconv.Itoa(id))
		out, err := cmd.CombinedOutput()
		if code := exitCode(err); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: exit code %d, want %d and %q\n%.2000s", c.name, code, c.code, c.says, out)
		}
		if mb := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; mb > 200 {
			t.Errorf("%s: %d MB in memory", c.name, mb)
		}
		if len(out) > 10<<10 {
			t.Errorf("%s: %d bytes of answer", c.name, len(out))
		}
		if ran := y.ran(); ran != c.name+" \n" {
			t.Errorf("%s: ran %q", c.name, ran)
		}
		if c.is == "" {
			continue
		}
		is, evidence := y.task(id), ""
		if len(is.Evidence) > 0 {
			evidence = map[bool]string{true: "passed", false: "failed"}[is.Evidence[0].Passed]
		}
		if is.Status != c.is || evidence != c.evidence {
			t.Errorf("%s: the task is %s, want %s; its evidence %q, want %q", c.name, is.Status, c.is, evidence, c.evidence)
		}
		_ = os.Remove(filepath.Join(y.dir, "project", "written"))
	}
	said, err := os.ReadFile(filepath.Join(y.dir, "said"))
	if err != nil || strings.HasPrefix(string(said), "0\n") || !strings.Contains(string(said), "a check must not run checks") || strings.Contains(string(said), `"completed"`) {
		t.Errorf("a done in a check: %s, %v", said, err)
	}
	// What stays in the check's session has ended by now. What left it is its own affair:
	// nothing finds it.
	if pid := y.number("child"); running(pid) {
		t.Errorf("the child of a check runs on: %d", pid)
	}
	if pid := y.number("daemon"); running(pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (y *yard) number(name string) int {
	y.t.Helper()
	text, err := os.ReadFile(filepath.Join(y.dir, name))
	n, errN := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || errN != nil {
		y.t.Fatal(err, errN)
	}
	return n
}

// running reports whether a process has not ended. One that nobody has waited for has.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// Wherever pawl done is killed, the task is completed only with evidence that fits, no
// evidence is of a pass that did not happen, and the next pawl done ends what was begun.
func TestKilledWhileDone(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		mustrun.Skip(t, "strace is not installed")
	}
	rounds := long.Of(120)
	const calls = "write,pwrite64,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync,ftruncate,execve,wait4,waitid"
	y := newYard(t)
	y.program("check", `exit "$(cat "$HOME/code")"`)
	y.write("code.go", "package code\n")
	y.git("add", "-A")
	y.git("commit", "-qm", "One")
	for id := 1; id <= rounds; id++ {
		y.must("add", "Task", "--check", "unit: ./check")
	}
	y.trust()
	traced := func(agent bool, more string, args ...string) (said, trace string) {
		cmd, file := y.command(agent, args...), filepath.Join(y.dir, "trace")
		cmd.Args = append([]string{strace, "-f", "-qqq", "-E", "GOMAXPROCS=1", "-e", "trace=" + calls, "-o", file, "-e", more, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = strace
		out, _ := cmd.CombinedOutput()
		text := must.Get(os.ReadFile(file))(t)
		return string(out), string(text)
	}
	// The busiest thread of a run without a kill says how many calls there are.
	y.must("add", "Task", "--check", "unit: ./check")
	must.Do(t, os.WriteFile(filepath.Join(y.dir, "code"), []byte("0"), 0o644))
	_, text := traced(true, "signal=none", "done", strconv.Itoa(rounds+1))
	most, by := 0, map[string]int{}
	for line := range strings.Lines(text) {
		thread, call, _ := strings.Cut(line, " ")
		if !strings.Contains(call, "resumed>") && !strings.Contains(call, "+++") {
			by[thread]++
			most = max(most, by[thread])
		}
	}
	y.ran()
	died, completed := 0, 0
	for id := 1; id <= rounds; id++ {
		n := 1 + (id-1)*most/rounds
		exit := id % 3 % 2 // each third one fails
		must.Do(t, os.WriteFile(filepath.Join(y.dir, "code"), []byte(strconv.Itoa(exit)), 0o644))
		out, text := traced(true, fmt.Sprintf("inject=%s:signal=KILL:when=%d", calls, n), "done", strconv.Itoa(id))
		if strings.Contains(text, "killed by SIGKILL") {
			died++
		}
		ran := strings.Count(y.ran(), "check")
		is := y.task(id)
		for _, e := range is.Evidence {
			if e.Passed && (exit != 0 || ran == 0) || len(is.Checks) != 1 || e.Sum != is.Checks[0].Sum() {
				t.Errorf("killed at call %d: after %d runs with exit code %d there is %+v", n, ran, exit, e)
			}
		}
		if is.Status == pawl.Completed {
			completed++
			if len(is.Evidence) != 1 || !is.Evidence[0].Passed {
				t.Errorf("killed at call %d: completed with %+v\n%s", n, is.Evidence, out)
			}
		}
		want := map[int]int{0: 0, 1: 8}[exit]
		if code, said := y.says(true, "done", strconv.Itoa(id)); code != want {
			t.Errorf("after a kill at call %d: exit code %d, want %d\n%s", n, code, want, said)
		}
		is = y.task(id)
		if len(is.Evidence) != 1 || is.Evidence[0].Passed != (exit == 0) || (is.Status == pawl.Completed) != (exit == 0) {
			t.Errorf("after a kill at call %d: %s with %+v", n, is.Status, is.Evidence)
		}
		y.ran()
	}
	t.Logf("%d of %d were killed at one of %d calls, %d had completed by then", died, rounds, most, completed)
	if died < rounds/3 {
		t.Errorf("only %d of %d were killed: the test did not test what it means to", died, rounds)
	}
	if code, said := y.says(false, "doctor", "--ci"); code != 0 {
		t.Errorf("doctor: exit code %d\n%s", code, said)
	}
}

// What waits for trust is shown whole, and nothing in it is an order to the terminal.
func TestTrustShowsAll(t *testing.T) {
	y := newYard(t)
	y.must("add", "Template")
	template := must.Get(os.ReadFile(y.file(1)))(t)
	f := &foreign{home: y.home, t: t}
	for i, c := range nasty("/whole/evil") {
		f.task(template, 2+i, &c, nil)
	}
	f.task(template, 40, &pawl.Check{Name: "long", Run: []string{"./evil", strings.Repeat("x", 3000) + "end", "", " ", `"`, `\`, `\x1b`, "'"}}, nil)
	y.write(".tasks/pawl.jsonc", `{"checks": [{"name": "of the \u202eproject", "run": ["./evil", "\u001b[A\u001b[2K"], "dir": "a\u202eb"}]}`)
	code, said := y.says(true, "trust", "checks")
	shown, _, _ := strings.Cut(said, "pawl: only a person")
	if code != 2 {
		t.Errorf("exit code %d\n%s", code, said)
	}
	for _, r := range said {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff", r)) {
			t.Errorf("%U is shown as it is", r)
		}
	}
	compare(t, "testdata/trust_checks.txt", shown)
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v, or not as it is there:\n%s", file, err, got)
	}
}
