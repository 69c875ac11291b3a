package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/agent/opencode"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Every line that setup writes for a shell, of every agent and in both scopes,
// does nothing without pawl, and passes payload and answer on where
// there is one.
func TestLinesWithoutPawl(t *testing.T) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "there is no sh")
	}
	for _, command := range []string{"pawl", "/gone/with spaces/pawl", "/gone/it's/pawl"} {
		t.Run(command, func(t *testing.T) {
			h := newHouse(t)
			bin := filepath.Join(h.home, "bin")
			program := filepath.Join(bin, "pawl")
			if command != "pawl" {
				command = filepath.Join(h.home, command)
				program = command
			}
			h.planner.Command = command
			lines := h.lines()
			lines = append(lines, h.planner.place(known.Find("claude"), h.of("claude", User)).Line(agent.PosixPowershell, "hook --agent claude"))
			if len(lines) < 2*len(Agents())-5 {
				t.Fatalf("only %d lines: %q", len(lines), lines)
			}
			for _, name := range []string{"dash", "bash", "zsh", "fish"} {
				shell, err := exec.LookPath(name)
				if err != nil {
					continue
				}
				for i, line := range lines {
					if name != "dash" && !long.Turn(fmt.Sprint(t.Name(), name, i), 24) {
						continue
					}
					run := func() string {
						cmd := exec.Command(shell, "-c", line)
						cmd.Env = []string{"PATH=" + bin, "HOME=" + h.home}
						cmd.Stdin = strings.NewReader("{}\n")
						var out bytes.Buffer
						cmd.Stdout, cmd.Stderr = &out, &out
						if err := cmd.Run(); err != nil {
							t.Errorf("%s: %s: %v", name, line, err)
						}
						return out.String()
					}
					os.Remove(program)
					if out := run(); out != "" {
						t.Errorf("%s: without pawl %s says %q", name, line, out)
					}
					script := "#!/bin/sh\nread -r payload\necho \"$payload $*\"\n"
					must.Do(t, os.MkdirAll(filepath.Dir(program), 0o755))
					must.Do(t, os.WriteFile(program, []byte(script), 0o755))
					if out := run(); !strings.HasPrefix(out, "{} hook --agent ") && out != "{} statusline\n" || strings.Count(out, "\n") != 1 {
						t.Errorf("%s: with pawl %s says %q", name, line, out)
					}
				}
			}
		})
	}
}

// lines are what the agents give to POSIX shells.
func (h *house) lines() (lines []string) {
	seen := map[string]bool{}
	for _, a := range Agents() {
		for _, scope := range []Scope{User, Project} {
			if scope == Project && a.Config.NoProject != "" {
				continue
			}
			for _, f := range a.Config.Files(h.planner.place(a, h.of(a.Name, scope))) {
				for _, p := range f.Pieces {
					var v any
					if p.For != "hooks" && p.For != "status line" || json.Unmarshal(p.Value, &v) != nil {
						continue
					}
					eachLine(v, nil, func(at []string, line string) {
						if key := at[len(at)-1]; (key == "command" || key == "bash") && !seen[line] {
							seen[line] = true
							lines = append(lines, line)
						}
					})
				}
			}
		}
	}
	return lines
}

// Lines for the shells of Windows can be compared only; they are what was read
// in these shells' documentation and sources.
func TestLines(t *testing.T) {
	const spaces = `C:\Program Files\pawl.exe`
	for _, c := range []struct {
		os, agent string
		scope     Scope
		command   string
		want      string
	}{
		{"linux", "claude", User, "pawl", "command -v pawl >/dev/null 2>&1 && pawl hook --agent claude || true"},
		{"linux", "codex", Project, "pawl", "command -v pawl >/dev/null 2>&1 && pawl hook --agent codex || true"},
		{"darwin", "goose", User, "/opt/it's here/pawl", `command -v '/opt/it'\''s here/pawl' >/dev/null 2>&1 && '/opt/it'\''s here/pawl' hook --agent goose || true`},
		{"windows", "crush", User, spaces, `command -v "C:/Program Files/pawl.exe" >/dev/null 2>&1 && "C:/Program Files/pawl.exe" hook --agent crush || true`},
		{"windows", "gemini", User, "pawl", "if (Get-Command pawl -ErrorAction Ignore) { & pawl hook --agent gemini }; exit 0"},
		{"windows", "llxprt", User, spaces, "if (Get-Command 'C:/Program Files/pawl.exe' -ErrorAction Ignore) { & 'C:/Program Files/pawl.exe' hook --agent llxprt }; exit 0"},
		{"windows", "qwen", User, "pawl", `echo "\"<#" >/dev/null; command -v pawl >/dev/null 2>&1 && pawl hook --agent qwen || true; exit 0 #> > $null; if (Get-Command pawl -ErrorAction Ignore) { & pawl hook --agent qwen }; exit 0`},
		{"windows", "claude", User, `C:\it's\pawl.exe`, `echo "\"<#" >/dev/null; command -v "C:/it's/pawl.exe" >/dev/null 2>&1 && "C:/it's/pawl.exe" hook --agent claude || true; exit 0 #> > $null; if (Get-Command 'C:/it''s/pawl.exe' -ErrorAction Ignore) { & 'C:/it''s/pawl.exe' hook --agent claude }; exit 0`},
		{"windows", "gemini", Project, "pawl", `echo "\"<#" >/dev/null; command -v pawl >/dev/null 2>&1 && pawl hook --agent gemini || true; exit 0 #> > $null; if (Get-Command pawl -ErrorAction Ignore) { & pawl hook --agent gemini }; exit 0`},
		{"windows", "codex", User, "pawl", "pawl hook --agent codex 2>nul || ver >nul"},
		{"windows", "codex", User, `C:\bin\pawl.exe`, `C:\bin\pawl.exe hook --agent codex 2>nul || ver >nul`},
		{"windows", "codex", User, spaces, `"C:\Program Files\pawl.exe" hook --agent codex 2>nul || ver >nul`},
		{"windows", "vscode", User, `C:\bin\pawl.exe`, `cmd /d /c "C:\bin\pawl.exe hook --agent vscode 2>nul || ver >nul"`},
		{"windows", "windsurf", User, spaces, `"C:/Program Files/pawl.exe" hook --agent windsurf`},
	} {
		p := agent.Place{Agent: known.Find(c.agent), Scope: c.scope, Command: c.command, OS: c.os}
		got := p.Line(p.Shell(), p.HookArgs(""))
		if got != c.want {
			t.Errorf("%s, %s: %s\nwant %s", c.os, c.command, got, c.want)
		}
		if program, args := agent.Called(got); args != "hook --agent "+c.agent || strings.ReplaceAll(program, `\`, "/") != strings.ReplaceAll(c.command, `\`, "/") {
			t.Errorf("%s is not known again: %q %q", got, program, args)
		}
	}
}

// The packages go to all systems, and their lines are those of setup.
func TestPackagedLines(t *testing.T) {
	for file, c := range map[string]struct {
		agent string
		want  map[string]agent.Shell
	}{
		"plugin/hooks/hooks.json":    {"claude", map[string]agent.Shell{"command": agent.PosixPowershell}},
		"plugin/hooks/codex.json":    {"codex", map[string]agent.Shell{"command": agent.Posix, "commandWindows": agent.Cmd}},
		"extension/hooks/hooks.json": {"gemini", map[string]agent.Shell{"command": agent.PosixPowershell}},
	} {
		text := must.Get(os.ReadFile(filepath.Join("../../integrations", file)))(t)
		var v any
		must.Do(t, json.Unmarshal(text, &v))
		p, n := agent.Place{Agent: known.Find(c.agent), Command: "pawl"}, 0
		eachLine(v, nil, func(at []string, line string) {
			n++
			sh, ok := c.want[at[len(at)-1]]
			if want := p.Line(sh, p.HookArgs("")); !ok || line != want {
				t.Errorf("%s: %s is %s\nwant %s", file, at, line, want)
			}
		})
		if n < 6 {
			t.Errorf("%s has %d lines", file, n)
		}
	}
}

// What earlier versions wrote is known as ours.
func TestEarlierLines(t *testing.T) {
	for _, line := range []string{
		"pawl hook --agent claude",
		"/usr/bin/pawl hook --agent claude",
		`"C:/Program Files/pawl.exe" hook --agent claude`,
		`& "C:/Program Files/pawl.exe" hook --agent claude`,
		"command -v pawl >/dev/null 2>&1 && pawl hook --agent claude || true",
		"pawl hook --agent claude || true",
		"pawl hook --agent claude; exit 0",
		`'/opt/it'\''s here/pawl' hook --agent claude`,
	} {
		if program, args := agent.Called(line); args != "hook --agent claude" || !agent.IsPawl(program) {
			t.Errorf("%s: %q %q", line, program, args)
		}
	}
	for _, line := range []string{"say done", "", "&", "' pawl", "pawlx hook --agent claude", "cmd /d /c \"dir\"", "command -v pawl"} {
		if program, args := agent.Called(line); agent.IsPawl(program) && args != "" {
			t.Errorf("%s is taken for ours: %q %q", line, program, args)
		}
	}
}

// A setup of an earlier version is brought up to date by another setup, with a
// record of it and without one, and taken out as before. The doctor tells of it.
func TestEarlierSetup(t *testing.T) {
	for _, a := range Agents() {
		if a == &opencode.Agent || a.Config.Needs != nil { // the plugin is quiet by itself; editors start no hooks
			continue
		}
		for _, lost := range []bool{false, true} {
			h := newHouse(t)
			s := h.of(a.Name, User)
			before := h.tree()
			h.setup(s)
			want := h.tree()
			h.earlier()
			if lost {
				h.env["XDG_STATE_HOME"] = filepath.Join(t.TempDir(), "another")
			}
			told := false
			for _, f := range h.planner.Check(s, "").Findings {
				told = told || strings.Contains(f.Text, "an earlier pawl") && f.Step == "pawl setup "+a.Name
			}
			if !told {
				t.Errorf("%s: the doctor says nothing of the lines of an earlier version", a.Name)
			}
			if p := h.setup(s); len(p.Notes) > 0 && !lost {
				t.Errorf("%s: %+v", a.Name, p.Notes)
			}
			h.mustBe(want, a.Name+" set up again")
			if !lost {
				h.uninstall(s)
				h.mustBe(before, a.Name+" uninstalled")
				h.setup(s)
				h.earlier()
				h.uninstall(s)
				h.mustBe(before, a.Name+" uninstalled as it was")
			}
		}
	}
}

// earlier makes of what is set up what the version before the guards had left.
func (h *house) earlier() {
	h.Helper()
	was := must.Get(h.planner.Record())(h)
	r, changed := was.clone(), false
	for _, f := range r.Files {
		text := must.Get(os.ReadFile(f.Path))(h)
		before, exact := f.before(text)
		for i, p := range f.Pieces {
			var v any
			if json.Unmarshal(p.Value, &v) != nil {
				continue
			}
			eachLine(v, nil, func(_ []string, line string) {
				program, args := agent.Called(line)
				old := agent.Raw(program + " " + args)
				text = bytes.ReplaceAll(text, agent.Raw(line), old)
				value := agent.Raw(json.RawMessage(f.Pieces[i].Value))
				value = bytes.ReplaceAll(value, []byte(`\u0026`), []byte("&"))
				value = bytes.ReplaceAll(value, []byte(`\u003e`), []byte(">"))
				f.Pieces[i].Value = bytes.ReplaceAll(value, agent.Raw(line), old)
				changed = changed || !bytes.Equal(old, agent.Raw(line))
			})
		}
		if exact {
			f.After, f.Undo = sum(text), difference(before, text)
		}
		must.Do(h, os.WriteFile(f.Path, text, 0o644))
	}
	if !changed {
		h.Fatal("nothing in it is of an earlier version")
	}
	must.Do(h, r.write(h.Context(), h.planner.Getenv, was))
}

// What a person changed in our hook stays when its line is brought up to date,
// and so does everything beside it.
func TestEarlierChanged(t *testing.T) {
	h := newHouse(t)
	const text = `{
  "hooks": {
    "Stop": [
      // mine
      {"hooks": [{"type": "command", "command": "pawl hook --agent claude", "timeout": 60}, {"type": "command", "command": "say done"}]},
      {"hooks": [{"type": "command", "command": "/opt/other/pawl hook --agent claude"}]},
    ],
  },
}
`
	h.write(".claude/settings.json", text)
	h.setup(h.of("claude", User))
	want := strings.Replace(text, `"pawl hook --agent claude"`, `"command -v pawl >/dev/null 2>&1 && pawl hook --agent claude || true"`, 1)
	got := h.read(".claude/settings.json")
	if i := strings.Index(want, "    ],"); !strings.HasPrefix(got, want[:i]) {
		t.Errorf("it is\n%s", got)
	}
}
