package attribution_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// TestMain lets this binary stand for a hook, for a server, and for another
// agent that starts a server.
func TestMain(m *testing.M) {
	role := os.Getenv("WHOIS_TEST")
	if role == "" {
		os.Exit(m.Run())
	}
	notes := attribution.Notes{Dir: os.Getenv("WHOIS_STATE")}
	args := json.RawMessage(`{"todos": []}`)
	var err error
	switch role {
	case "hook":
		process := caller.Starter().ID
		if err = notes.Report(attribution.Report{Process: process, Session: "s"}); err == nil {
			err = notes.Leave(attribution.Ticket{Process: process, Tool: "pawl_todo_write", Args: args, Session: "s", Agent: "sub"})
		}
	case "server":
		r := &attribution.Resolver{Notes: notes, Process: caller.Starter(), Getenv: func(string) string { return "" }}
		var known attribution.Known
		if known, err = r.Resolve(context.Background(), attribution.Call{Tool: "todo_write", Args: args}); err == nil {
			fmt.Print(known.Agent, " by ", known.By)
		}
	case "agent":
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "WHOIS_TEST=server")
		cmd.Stdout = os.Stdout
		err = cmd.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Real processes: a hook and a server of this one, with shells between, and the
// server of another agent that shares nothing but the state folder.
func TestProcesses(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		mustrun.NotHere(t, "the shell of this test is that of Unix")
	}
	state := t.TempDir()
	run := func(role string, command ...string) string {
		t.Helper()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), "WHOIS_TEST="+role, "WHOIS_STATE="+state)
		cmd.Stderr = os.Stderr
		return string(must.Get(cmd.Output())(t))
	}
	run("hook", "/bin/sh", "-c", `"$0"; true`, os.Args[0])
	for _, step := range []struct {
		role, want string
		command    []string
	}{
		{"agent", " by own", []string{os.Args[0]}},
		{"server", "sub by ticket", []string{"/bin/sh", "-c", `sh -c '"$0"; true' "$0"; true`, os.Args[0]}},
		{"server", " by report", []string{os.Args[0]}},
		{"agent", " by own", []string{os.Args[0]}},
	} {
		if got := run(step.role, step.command...); got != step.want {
			t.Errorf("%s %q: got %q, want %q", step.role, step.command, got, step.want)
		}
	}
}
