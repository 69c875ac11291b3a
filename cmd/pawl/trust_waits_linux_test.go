package main

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A person answers once for all tasks that agents have finished, and what has waited runs.
func TestTrustRunsWhatWaits(t *testing.T) {
	y := newYard(t)
	y.program("check", `test "$1" = one`)
	for id, command := range []string{"./check one", "./check two"} {
		if code, said := y.says(true, "add", "Task", "--check", command); code != 0 {
			t.Fatal(said)
		}
		if code, said := y.says(true, "done", []string{"1", "2"}[id]); code != 8 || y.ran() != "" {
			t.Fatalf("exit code %d\n%s", code, said)
		}
	}
	s := y.show(t, 100, 40, "trust", "checks")
	s.sees("command  ./check one", "command  ./check two", "trust exactly this? [y/N]")
	s.write("y\r")
	s.sees("run the checks of #1, #2 now? [y/N]")
	s.write("y\r")
	s.sees("Completed #1 Task", "#2 is ready again: check two failed with exit code 1")
	if one, two := y.task(1), y.task(2); one.Status != pawl.Completed || len(one.Evidence) != 1 || two.Status != pawl.Pending || len(two.Evidence) != 1 {
		t.Errorf("%+v\n%+v", one, two)
	}
}

// pawl run begins no agent before a person has answered, for all commands at once.
func TestRunAsksForTrust(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 0")
	if code, said := y.says(true, "add", "One", "--check", "./check one"); code != 0 {
		t.Fatal(said)
	}
	y.must("config", "set", "run.setup", "./check setup")
	y.must("config", "set", "run.agents", `{"bot": {"command": ["/bin/true"]}}`, "--user")
	y.must("config", "set", "run.permissions", "skip", "--user")
	y.git("add", "-A")
	y.git("commit", "-qm", "One")
	if code, said := y.says(false, "run", "--agent", "bot", "--yes"); code != 8 {
		t.Errorf("without a terminal: exit code %d\n%s", code, said)
	}
	s := y.show(t, 100, 40, "run", "--agent", "bot", "--once")
	s.sees("command  ./check one", "command  ./check setup", "trust exactly this? [y/N]")
	s.write("n\r")
	s.sees("nothing was trusted")
	s = y.show(t, 100, 40, "run", "--agent", "bot", "--once")
	s.sees("trust exactly this? [y/N]")
	s.write("y\r")
	s.sees("start agents here? [y/N]")
	s.write("n\r")
	s.sees("no agent was started")
	if got := y.must("trust", "--list"); !strings.Contains(got, "  check      ./check one, since ") || !strings.Contains(got, "./check setup, since ") {
		t.Errorf("trusted is %q", got)
	}
}
