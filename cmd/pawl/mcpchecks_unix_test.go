//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pty"
)

// A checked home is one with a task whose check waits until the test lets it end.
//
// The check opens two pipes: what it is to end with comes through the second.
type checked struct {
	home
	began, verdict string
}

func newChecked(t *testing.T, tasks int) checked {
	t.Helper()
	h := checked{home: newHome(t)}
	h.began, h.verdict = filepath.Join(h.dir, "began"), filepath.Join(h.dir, "verdict")
	for _, pipe := range []string{h.began, h.verdict} {
		must.Do(t, syscall.Mkfifo(pipe, 0o600))
	}
	c := h.serve(t, "--session", "s1")
	for i := range tasks {
		// Each its own command, so that none counts for another.
		script := fmt.Sprintf("echo check %d; echo $$ >'%s'; read -r how <'%s'; echo it ends with $how; exit $how", i, h.began, h.verdict)
		c.call("task_create", fmt.Sprintf(`{"subject":"task","checks":[{"name":"unit","run":["/bin/sh","-c",%q]}]}`, script))
		contains(t, c.call("task_claim", fmt.Sprintf(`{"taskId":%d}`, i+1)), "unit: /bin/sh -c")
	}
	must.Do(t, c.end())
	return h
}

// types runs pawl for a person at a terminal.
func (h home) types(t *testing.T, args ...string) string {
	t.Helper()
	cmd := h.pawl(t, nil, args...)
	cmd.Stdin, cmd.Stderr = pty.Open(t), t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pawl %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// waits returns when the check runs, with its process.
func (h checked) waits(t *testing.T) (pid int) {
	t.Helper()
	pipe, err := os.OpenFile(h.began, os.O_RDWR|syscall.O_NONBLOCK, 0) // as a writer too, so that it can be opened before the check does
	must.Do(t, err)
	defer pipe.Close()
	must.Do(t, pipe.SetReadDeadline(time.Now().Add(time.Minute)))
	if _, err := fmt.Fscanln(pipe, &pid); err != nil {
		t.Fatal("no check runs:", err)
	}
	return pid
}

// ends lets the check end with a code.
func (h checked) ends(t *testing.T, code string) {
	t.Helper()
	must.Do(t, os.WriteFile(h.verdict, []byte(code+"\n"), 0o600))
}

// asks asks for a task to be completed, and does not wait for the answer.
func (c *client) asks(task int) {
	c.t.Helper()
	c.id++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"task_update","arguments":{"taskId":%d,"status":"completed"}}}`, c.id, task))
}

// answer is the answer to what was asked last.
func (c *client) answer() string {
	c.t.Helper()
	return c.next(fmt.Sprintf(`"id":%d,`, c.id))
}

// ended is the answer once the checks of a task have ended: until then it says, after a while,
// that they run.
func (c *client) ended(task int) string {
	c.t.Helper()
	for {
		if a := c.answer(); !strings.Contains(a, `"running":true`) {
			return a
		}
		c.asks(task)
	}
}

// Nothing runs before a person has trusted it, and no agent can. Then what fails stays
// open with what it printed, and what passes is completed.
func TestMCPChecks(t *testing.T) {
	h := newChecked(t, 1)
	c := h.serve(t, "--session", "s1")
	contains(t, c.call("task_update", `{"taskId":1,"status":"completed"}`), "until a person trusts the check unit", "Tell your user once: pawl trust checks", "take another one: task_claim")
	h.types(t, "trust", "checks", "--yes")

	c.asks(1)
	h.waits(t)
	h.ends(t, "3")
	contains(t, c.ended(1), `"isError":true`, "unit failed with exit code 3", `  | check 0\n  | it ends with 3`, "put it right, then task_update")
	contains(t, c.call("task_get", `{"taskId":1}`), "Status: ready", "[!] unit", "exit code 3", "unit printed at its end:\n  | check 0\n  | it ends with 3")
	c.asks(1)
	h.waits(t)
	h.ends(t, "0")
	contains(t, c.ended(1), "Completed #1 task", "Checks: unit passed")
	contains(t, c.call("task_get", `{"taskId":1}`), "Status: completed", "[x] unit", "passed")
	must.Do(t, c.end())
}

// A server that is killed while a check runs loses nothing: the task is in progress, and
// the next server runs the check again.
func TestMCPKilledWhileChecksRun(t *testing.T) {
	const rounds = 3
	h := newChecked(t, rounds)
	h.types(t, "trust", "checks", "--yes")
	for task := 1; task <= rounds; task++ {
		c := h.serve(t, "--session", "s1")
		c.asks(task)
		orphan := h.waits(t)
		c.cmd.Process.Kill()
		c.cmd.Wait()                               // with an error: it was killed
		_ = syscall.Kill(-orphan, syscall.SIGKILL) // nobody can end what a killed server has started

		c = h.serve(t, "--session", "s1")
		contains(t, c.call("task_get", fmt.Sprintf(`{"taskId":%d}`, task)), "Status: in progress", "unit: /bin/sh -c", "(has not run)")
		c.asks(task)
		h.waits(t)
		h.ends(t, "0")
		contains(t, c.ended(task), fmt.Sprintf("Completed #%d task", task))
		must.Do(t, c.end())
	}
}

// A server that is asked to end does so, though a client listens, and says that it is well. It
// ends what it has started, at once.
func TestMCPTerminatedWhileChecksRun(t *testing.T) {
	h := newChecked(t, 1)
	h.types(t, "trust", "checks", "--yes")
	c := h.serve(t, "--session", "s1")
	c.ask("resources/subscribe", `{"uri":"pawl://board"}`)
	c.asks(1)
	pid := h.waits(t)
	must.Do(t, c.cmd.Process.Signal(syscall.SIGTERM))
	for range c.lines {
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with: %v", err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("the check is still there: %v", err)
	}
	if text := h.run(t, "show", "1"); !strings.Contains(text, "in progress") {
		t.Errorf("it is\n%s", text)
	}
}
