package caller

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Chains of programs, the youngest first, as they were seen or are documented.
// The one with a * is found.
func TestStarter(t *testing.T) {
	for _, test := range []struct{ name, chain string }{
		{"a server of Claude Code", "claude* bash tmux:server systemd"},
		{"a hook of Claude Code, without a shell", "claude* bash tmux:server systemd"},
		{"a hook in a shell", "sh claude* bash tmux:server systemd"},
		{"a hook of Codex", "bash codex* node bash sshd init"},
		{"a server from npm", "sh npm_exec_pawl node* zsh Terminal launchd"},
		{"a server from uv", "uv codex* zsh Terminal launchd"},
		{"Windows", "cmd.exe Code.exe* explorer.exe"},
		{"Windows, PowerShell", "pwsh.exe powershell.exe claude.exe* explorer.exe"},
		{"a login shell", "-bash codex*"},
		{"an agent that is a script", "sh bash bash wezterm* systemd"},
		{"an agent in a container", "sh opencode*"},
		{"the agent has ended", "sh systemd init"},
		{"the agent has ended, in a container", "sh tini"},
		{"shells as far as one can see", "sh sh sh"},
		{"nobody", ""},
	} {
		chain := strings.Fields(test.chain)
		want := ""
		look := func(pid int) (parent, bool) {
			if pid > len(chain) {
				return parent{}, false
			}
			name := strings.ReplaceAll(strings.TrimSuffix(chain[pid-1], "*"), "_", " ")
			return parent{id: "agent-" + strconv.Itoa(pid), name: name, up: pid + 1}, true
		}
		for i, name := range chain {
			if strings.HasSuffix(name, "*") {
				want = "agent-" + strconv.Itoa(i+1)
			}
		}
		if got := starter(1, look); got.ID != want {
			t.Errorf("%s: got %q, want %q", test.name, got.ID, want)
		}
	}
	circle := func(pid int) (parent, bool) { return parent{"agent-1.1", "sh", pid}, true }
	if got := starter(1, circle); got.ID != "" {
		t.Errorf("a circle of shells: got %q", got.ID)
	}
}

// A hook that a shell runs and a server find this process, their agent.
func TestHookAndServerMeet(t *testing.T) {
	if !canLook {
		mustrun.NotHere(t, "processes do not show here who started them")
	}
	own, ok := ancestor(os.Getpid())
	if !ok {
		t.Fatal("this process cannot be found")
	}
	commands := [][]string{{os.Args[0]}}
	if runtime.GOOS != "windows" {
		commands = append(commands,
			[]string{"/bin/sh", "-c", `"$0"`, os.Args[0]},
			[]string{"/bin/sh", "-c", `"$0"; true`, os.Args[0]}, // the shell stays
			[]string{"/bin/sh", "-c", `sh -c '"$0"; true' "$0"; true`, os.Args[0]},
		)
	}
	for _, command := range commands {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), "CALLER_TEST=starter")
		out := must.Get(cmd.Output())(t)
		if string(out) != own.id {
			t.Errorf("%q finds %q, want %q", command, out, own.id)
		}
	}
	if runs, known := Runs(own.id); !runs || !known {
		t.Errorf("this process: runs %v, known %v", runs, known)
	}
	for _, gone := range []string{own.id + "0", "agent-" + strconv.Itoa(1<<22+1) + ".1"} {
		if runs, known := Runs(gone); runs || !known {
			t.Errorf("%s: runs %v, known %v", gone, runs, known)
		}
	}
	for _, no := range []string{"", "agent", "agent-x.1", "server-abc", "agent--1.2"} {
		if _, known := Runs(no); known {
			t.Errorf("%q is a process", no)
		}
	}
}

// What the agent was itself started with says nothing about the agent.
func TestStarted(t *testing.T) {
	if runtime.GOOS != "linux" {
		mustrun.NotHere(t, "only Linux shows the environment of other processes")
	}
	outer := []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=outer"}
	cmd := exec.Command(os.Args[0]) // an agent that Pawl has never heard of, in the shell of Claude Code
	cmd.Env = append(outer, "CALLER_TEST=wait")
	stdin := must.Get(cmd.StdinPipe())(t)
	stdout := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	defer func() {
		stdin.Close()
		cmd.Wait()
	}()
	if _, err := stdout.Read(make([]byte, 1)); err != nil { // it runs
		t.Fatal(err)
	}
	agent := Process{ID: "agent-1.2", pid: cmd.Process.Pid}
	for _, test := range []struct {
		process     Process
		client      string
		env         []string
		agent, sess string
	}{
		{agent, "my-agent", outer, "", ""},
		{agent, "", outer, "", ""},
		{agent, "", append(outer, "QWEN_CODE_SESSION_ID=inner"), "qwen", "inner"},
		{agent, "claude", []string{"CLAUDE_CODE_SESSION_ID=s"}, "claude", "s"}, // Claude Code in Claude Code sets its own
		{Process{}, "my-agent", outer, "claude", "outer"},
		{Process{}, "codex", outer, "", ""},
		{Process{}, "", append(outer, "QWEN_CODE_SESSION_ID=inner"), "", ""},
		{agent, "opencode", []string{"OPENCODE=1"}, "opencode", ""},
	} {
		name, session := test.process.Started(env(test.env...), test.client)
		if name != test.agent || session != test.sess {
			t.Errorf("%q with %q: got %q, %q", test.client, test.env, name, session)
		}
	}
}
