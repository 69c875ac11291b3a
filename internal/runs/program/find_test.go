package program

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// install puts an empty program into a folder.
func install(t *testing.T, dir, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	return path
}

func finder(root string, own settings.OwnAgents, path ...string) Finder {
	return Finder{Own: own, Programs: lookup.Outside(func(name string) string {
		if name == "PATH" {
			return strings.Join(path, string(filepath.ListSeparator))
		}
		return ""
	}, root)}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	root, bin := filepath.Join(dir, "project"), filepath.Join(dir, "bin")
	install(t, filepath.Join(root, "node_modules", ".bin"), "claude") // of the repository
	codex, mine := install(t, bin, "codex"), install(t, bin, "my-agent")
	own := settings.OwnAgents{
		"mine":   {Command: settings.Argv{"my-agent", "--print"}, Prompt: settings.ByStdin, Stream: settings.Text},
		"there":  {Command: settings.Argv{mine}, Prompt: settings.ByFile, Stream: "claude", Resume: []string{"--resume", "{session}"}},
		"evil":   {Command: settings.Argv{filepath.Join(root, "node_modules", ".bin", "claude")}, Prompt: settings.ByStdin, Stream: settings.Text},
		"rel":    {Command: settings.Argv{"./my-agent"}, Prompt: settings.ByStdin, Stream: settings.Text},
		"speaks": {Command: settings.Argv{"my-agent", "acp"}, Prompt: settings.ByFile, Stream: settings.ACP},
		"odd":    {Command: settings.Argv{"my-agent"}, Prompt: settings.ByStdin, Stream: "martian"},
	}
	f := finder(root, own, filepath.Join(root, "node_modules", ".bin"), "relative", ".", bin)
	for name, want := range map[string]string{"": codex, "codex": codex, "mine": mine, "there": mine, "speaks": mine} {
		if p, err := f.Find(name); err != nil || p.Path != want {
			t.Errorf("%q: %+v, %v", name, p, err)
		}
	}
	for name, want := range map[string][2]string{
		"claude":   {"Claude Code is not installed here: no folder of PATH has claude", "npm install -g @anthropic-ai/claude-code"},
		"cladue":   {`unknown agent "cladue"`, "pawl run --agent claude"},
		"martian":  {`unknown agent "martian"`, `pawl config set run.agents '{"martian": {"command": ["PROGRAM", "ARGUMENT"]}}' --user`},
		"vscode":   {"Pawl cannot start VS Code", "run.agents"},
		"evil":     {"not in the project", "pawl config get run.agents"},
		"rel":      {"not in the project", "pawl config get run.agents"},
		"odd":      {`is "martian"`, "pawl config get run.agents"},
		"x\x1b[2J": {"unknown agent", "run.agents"},
	} {
		p, err := f.Find(name)
		e, ok := err.(*pawl.Error)
		if !ok || !strings.Contains(err.Error(), want[0]) || !strings.Contains(e.Hint.Text, want[1]) || strings.ContainsAny(err.Error()+e.Hint.Text, "\x1b") {
			t.Errorf("%q: %+v, %v (%+v)", name, p, err, e)
		}
	}
	var names []string
	for _, p := range f.All() {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"codex", "mine", "speaks", "there"}) {
		t.Errorf("%q are installed", names)
	}
	f.Client = []string{"/bin/pawl", "run-client"}
	if p, err := f.Find("speaks"); err != nil || !p.Resumes {
		t.Errorf("%+v, %v", p, err)
	} else if start := p.Command(Turn{Turn: agent.Turn{Prompt: "Do it", Session: "s1"}, File: "/x"}); start.Path != "/bin/pawl" || !start.Ends || start.File || start.Stdin != `{"program":"`+mine+`","args":["acp"],"prompt":"Do it","session":"s1"}` {
		t.Errorf("%+v", start)
	}
	if _, err := finder(root, nil, root).Find(""); err == nil || !strings.Contains(err.Error(), "no agent is installed here") {
		t.Errorf("none is installed, and %v", err)
	}
	// A user's own agent replaces one that Pawl knows.
	f.Own = settings.OwnAgents{"codex": {Command: settings.Argv{"my-agent"}, Prompt: settings.ByStdin, Stream: "codex"}}
	if p, err := f.Find("codex"); err != nil || p.Path != mine || p.Known != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestCommand(t *testing.T) {
	turn := Turn{Turn: agent.Turn{Prompt: "Do it", Session: "s1", Work: true}, File: "/x/prompt.md"}
	for _, test := range []struct {
		own  settings.OwnAgent
		skip bool
		want Start
	}{
		{settings.OwnAgent{Command: settings.Argv{"a", "-p"}, Prompt: settings.ByStdin}, false, Start{Args: []string{"-p"}, Stdin: "Do it"}},
		{settings.OwnAgent{Command: settings.Argv{"a", "-p"}, Prompt: settings.ByArgument}, false, Start{Args: []string{"-p", "Do it"}}},
		{settings.OwnAgent{Command: settings.Argv{"a", "--prompt={prompt}", "x"}, Prompt: settings.ByArgument}, false, Start{Args: []string{"--prompt=Do it", "x"}}},
		{settings.OwnAgent{Command: settings.Argv{"a", "-f", "{file}"}, Prompt: settings.ByFile}, false, Start{Args: []string{"-f", "/x/prompt.md"}, File: true}},
		{settings.OwnAgent{Command: settings.Argv{"a"}, Prompt: settings.ByStdin, Skip: []string{"--yes"}, Resume: []string{"-r", "{session}"}, Env: map[string]string{"B": "2", "A": "1"}}, true, Start{Args: []string{"--yes", "-r", "s1"}, Stdin: "Do it", Env: []string{"A=1", "B=2"}}},
	} {
		p := &Program{own: test.own, Resumes: len(test.own.Resume) > 0}
		turn.Skip = test.skip
		got := p.Command(turn)
		if !slices.Equal(got.Args, test.want.Args) || got.Stdin != test.want.Stdin || got.File != test.want.File || !slices.Equal(got.Env, test.want.Env) {
			t.Errorf("%+v: %+v", test.own, got)
		}
		if again := p.Command(turn); !slices.Equal(again.Args, got.Args) {
			t.Errorf("another time it is %q", again.Args)
		}
	}
	// A prompt that looks like a mark stays one argument.
	p := &Program{own: settings.OwnAgent{Command: settings.Argv{"a", "{prompt}"}, Prompt: settings.ByArgument}}
	if got := p.Command(Turn{Turn: agent.Turn{Prompt: "{prompt} {file} {session}"}}); !slices.Equal(got.Args, []string{"{prompt} {file} {session}"}) {
		t.Errorf("%q", got.Args)
	}
}

// Every agent that works without a screen says what Pawl needs of it.
func TestKnown(t *testing.T) {
	n := 0
	for _, a := range known.Agents {
		if a.Headless == nil {
			continue
		}
		n++
		p := testProgram(a.Name)
		start := p.Command(Turn{Turn: agent.Turn{Prompt: "-x\nDo it", Work: true}})
		if slices.Contains(start.Args, "-x\nDo it") == strings.Contains(start.Stdin, "Do it") {
			t.Errorf("%s: the prompt goes in twice, or not at all: %q", a.Name, start.Args)
		}
		for _, v := range start.Env {
			if !strings.Contains(v, "=") {
				t.Errorf("%s: %q", a.Name, v)
			}
		}
		if free := p.Command(Turn{Turn: agent.Turn{Prompt: "x", Work: true, Skip: true}}); len(free.Env) != 0 {
			t.Errorf("%s: bounds though it may do all: %q", a.Name, free.Env)
		}
	}
	if n < 8 {
		t.Errorf("%d agents work without a screen", n)
	}
}
