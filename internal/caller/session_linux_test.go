package caller

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// sessionIn starts this binary as a command and returns the session that it finds.
func sessionIn(t *testing.T, ownSession bool, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append([]string{"USER=ada"}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: ownSession}
	out := must.Get(cmd.Output())(t)
	return string(out)
}

func TestTerminalsDiffer(t *testing.T) {
	one, same := sessionIn(t, false, "CALLER_TEST=print"), sessionIn(t, false, "CALLER_TEST=print")
	if one != same || one == "" {
		t.Errorf("two commands of one terminal have sessions %q and %q", one, same)
	}
	a, b := sessionIn(t, true, "CALLER_TEST=print"), sessionIn(t, true, "CALLER_TEST=print")
	if a == b || a == one {
		t.Errorf("commands of three terminals have sessions %q, %q and %q", one, a, b)
	}
}

// A shell whose session has lost its leader, as under `setsid sh -c '… &'` and
// in containers, still has one session for all its commands.
func TestTerminalWithoutLeader(t *testing.T) {
	out := sessionIn(t, true, "CALLER_TEST=leave")
	one, two, found := strings.Cut(out, "\n")
	if one != two || !found || !strings.HasPrefix(one, "terminal-") {
		t.Errorf("two commands of one shell have sessions %q and %q", one, two)
	}
	if other := sessionIn(t, true, "CALLER_TEST=leave"); other == out {
		t.Errorf("two shells without a leader share session %q", one)
	}
}

// An agent that names no session runs each command in a POSIX session of its
// own. It is known by its process anyway.
func TestAgentWithoutSession(t *testing.T) {
	a := sessionIn(t, true, "CALLER_TEST=shell", "GEMINI_CLI=1")
	b := sessionIn(t, true, "CALLER_TEST=shell", "GEMINI_CLI=1")
	if a != b || !strings.HasPrefix(a, "agent-") {
		t.Errorf("two commands of one agent have sessions %q and %q", a, b)
	}
	if own, _ := ancestor(os.Getpid()); a != own.id {
		t.Errorf("commands have session %q, servers without one %q", a, own.id)
	}
}

func TestProcessThatIsNoMore(t *testing.T) {
	if _, ok := ancestor(1 << 30); ok {
		t.Error("a process that cannot be there was read")
	}
}
