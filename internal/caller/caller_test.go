package caller

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for _, pair := range pairs {
			if name, value, _ := strings.Cut(pair, "="); name == key {
				return value
			}
		}
		return ""
	}
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name          string
		env           []string
		as, session   string
		wantName      string
		wantSession   string // empty: whatever stands in for it
		wantPerson    bool
		wantNoSession bool
	}{
		{name: "a person", env: []string{"USER=ada"}, wantName: "ada", wantPerson: true},
		{name: "a person without USER", env: []string{"LOGNAME=bob"}, wantName: "bob", wantPerson: true},
		{name: "a person with names", env: []string{"USER=ada"}, as: "eve", session: "s1", wantName: "eve", wantSession: "s1", wantPerson: true},
		{name: "inside a check", env: []string{"USER=ada", "PAWL_CHECK=1"}, wantName: "ada", wantSession: "agent-" + Find(env("USER=ada"), "", "").Session},
		{name: "inside a check, with a person's session", env: []string{"USER=ada", "PAWL_CHECK=1"}, session: "terminal-1", wantName: "ada", wantSession: "agent-terminal-1"},
		{name: "named by the environment", env: []string{"USER=ada", "PAWL_AGENT=worker-1", "PAWL_SESSION=s2"}, wantName: "worker-1", wantSession: "s2"},
		{name: "arguments come first", env: []string{"PAWL_AGENT=worker-1", "PAWL_SESSION=s2"}, as: "eve", session: "s3", wantName: "eve", wantSession: "s3"},
		{name: "claude", env: []string{"USER=ada", "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=0f0d", "AI_AGENT=claude-code_2-1-329_harness"}, wantName: "claude", wantSession: "0f0d"},
		{name: "a person who names their terminal", env: []string{"USER=ada"}, session: "terminal-1", wantName: "ada", wantSession: "terminal-1", wantPerson: true},
		{name: "a person's terminal, told", env: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=0f0d"}, as: "ada", session: "terminal-1", wantName: "ada", wantSession: "agent-terminal-1"},
		{name: "a person's terminal, by a variable", env: []string{"PAWL_AGENT=ada", "PAWL_SESSION=terminal-1"}, wantName: "ada", wantSession: "agent-terminal-1"},
		{name: "a person's terminal, where nothing is named", env: []string{"PAWL_AGENT=ada"}, wantName: "ada", wantSession: "agent-" + Find(env("USER=ada"), "", "").Session},
		{name: "a person's page", env: []string{"CODEX_THREAD_ID=0199"}, as: "ada", session: "web", wantName: "ada", wantSession: "agent-web"},
		{name: "claude under another name", env: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=0f0d"}, as: "reviewer", wantName: "reviewer", wantSession: "0f0d"},
		{name: "codex", env: []string{"CODEX_THREAD_ID=0199", "CODEX_SANDBOX_NETWORK_DISABLED=1"}, wantName: "codex", wantSession: "0199"},
		{name: "a Codex user's own setting is no Codex", env: []string{"USER=ada", "CODEX_HOME=/home/ada/.codex"}, wantName: "ada", wantPerson: true},
		{name: "qwen", env: []string{"QWEN_CODE_SESSION_ID=53f4"}, wantName: "qwen", wantSession: "53f4"},
		{name: "copilot", env: []string{"COPILOT_AGENT_SESSION_ID=6253"}, wantName: "copilot", wantSession: "6253"},
		{name: "opencode", env: []string{"OPENCODE=1", "AGENT=1"}, wantName: "opencode"},
		{name: "gemini", env: []string{"GEMINI_CLI=1"}, wantName: "gemini"},
		{name: "one by the common variable", env: []string{"USER=ada", "AGENT=Crush"}, wantName: "crush"},
		{name: "one by the other common variable", env: []string{"AI_AGENT=pi@1.2.3", "AGENT_SESSION_ID=7"}, wantName: "pi", wantSession: "7"},
		{name: "a flag is no name", env: []string{"USER=ada", "AGENT=true"}, wantName: "ada", wantPerson: true},
		{
			name: "one agent in another", wantName: "claude+codex", wantSession: "0f0d+0199",
			env: []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=0f0d", "CODEX_THREAD_ID=0199"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Find(env(test.env...), test.as, test.session)
			if c.Name != test.wantName || c.Person != test.wantPerson {
				t.Errorf("got %q, person %v; want %q, %v", c.Name, c.Person, test.wantName, test.wantPerson)
			}
			if c.Session == "" || test.wantSession != "" && c.Session != test.wantSession {
				t.Errorf("got session %q, want %q", c.Session, test.wantSession)
			}
			if name := Name(env(test.env...), test.as); name != c.Name {
				t.Errorf("Name says %q", name)
			}
		})
	}
}

func TestUserWithoutEnvironment(t *testing.T) {
	if c := Find(env(), "", ""); c.Name == "" || !c.Person {
		t.Errorf("got %+v", c)
	}
}

// TestMain lets this binary stand for a command: it prints its session.
func TestMain(m *testing.M) {
	switch os.Getenv("CALLER_TEST") {
	case "print":
		os.Stdout.WriteString(Find(os.Getenv, "", "").Session)
		os.Exit(0)
	case "starter": // a hook or a server
		os.Stdout.WriteString(Starter().ID)
		os.Exit(0)
	case "wait": // until its input ends
		os.Stdout.WriteString(".")
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	case "shell": // an agent's shell, which runs the command in turn
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CALLER_TEST=print")
		cmd.Stdout = os.Stdout
		if cmd.Run() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "leave": // a leader that ends as soon as its shell runs
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CALLER_TEST=orphan", "CALLER_LEADER="+strconv.Itoa(os.Getpid()))
		cmd.Stdout = os.Stdout // closed when the shell ends, which is what the test waits for
		if cmd.Start() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "orphan": // a shell that runs two commands once its leader is gone
		for {
			if _, err := os.Stat("/proc/" + os.Getenv("CALLER_LEADER")); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		for i := range 2 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "CALLER_TEST=print")
			out, err := cmd.Output()
			if err != nil {
				os.Exit(1)
			}
			os.Stdout.WriteString(string(out) + strings.Repeat("\n", 1-i))
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
