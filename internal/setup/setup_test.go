package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/jsonc"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/internal/agent/codex"
	"github.com/pawl-dev/pawl/internal/agent/copilot"
	"github.com/pawl-dev/pawl/internal/agent/llxprt"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A second setup changes nothing, and uninstalling gives back all bytes.
func TestThereAndBack(t *testing.T) {
	eachText(t, func(h *house, s Setup, file, _ string) {
		before := h.tree()
		if p := h.setup(s); p.Failed() {
			h.mustBe(before, "refused, and yet changed")
			return
		}
		after := h.tree()
		if p := h.setup(s); !p.Empty() {
			h.Errorf("a second setup changes %d files", len(p.Changes))
		}
		h.mustBe(after, "a second setup")
		for _, f := range h.planner.Check(s, "").Findings {
			// What somebody wrote by hand may lack something, and is not mended unasked.
			if f.Path != "" && f.Text != "the server called pawl is another program" && !strings.HasSuffix(h.Name(), "by_hand") {
				h.Errorf("the doctor finds %+v", f)
			}
		}
		h.uninstall(s)
		h.mustBe(before, "after uninstalling")
		if r, err := h.planner.Record(); err != nil || len(r.Setups)+len(r.Files)+len(r.Dirs) > 0 {
			h.Errorf("it is remembered %+v, %v", r, err)
		}
	})
}

// What somebody writes after a setup stays, and all of what it put in goes.
func TestEditedSince(t *testing.T) {
	eachText(t, func(h *house, s Setup, file, text string) {
		if p := h.setup(s); p.Failed() {
			return
		}
		path := filepath.Join(h.home, file)
		now, err := os.ReadFile(path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return // nothing had to be put in
			}
			h.Fatal(err)
		}
		edit := func(text []byte) []byte {
			mark, rest := text[:0], text
			if bytes.HasPrefix(text, []byte("\ufeff")) {
				mark, rest = text[:3], text[3:]
			}
			comment := "# theirs\n"
			if filepath.Ext(file) == ".json" {
				comment = "// theirs\n"
			}
			return slices.Concat(mark, []byte(comment), rest)
		}
		h.write(file, string(edit(now)))
		h.uninstall(s)
		got := h.read(file)
		if !strings.Contains(got, "theirs") {
			h.Errorf("their edit is gone:\n%s", got)
		}
		if filepath.Ext(file) == ".json" {
			is, ok := jsonc.Get([]byte(got))
			was, _ := jsonc.Get([]byte(text))
			if text == "" {
				was = json.RawMessage("{}")
			}
			if frame, _ := jsonc.Get([]byte(got), "version"); text == "" && frame != nil {
				was = json.RawMessage(`{"version": 1}`) // it goes with the file
			}
			if !ok || !jsonc.Same(is, was) {
				h.Errorf("it was\n%s\nand is\n%s", text, got)
			}
			return
		}
		want := strings.TrimRight(string(edit([]byte(text))), "\r\n")
		if strings.Contains(text, "extensions:\nGOOSE") {
			want = strings.Replace(want, "extensions:", "extensions: {}", 1)
		}
		if strings.TrimRight(got, "\r\n") != want {
			h.Errorf("it was\n%s\nand is\n%s", text, got)
		}
	})
}

// Where texts have nothing unusual an edit elsewhere leaves even the bytes.
func TestEditedBytes(t *testing.T) {
	h := newHouse(t)
	before := "{\n  \"model\": \"opus\", // x\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  },\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}\n    ]\n  }\n}\n"
	h.write(".claude/settings.json", before)
	s := h.of("claude", User)
	h.setup(s)
	edit := func(text string) string {
		return strings.Replace(strings.Replace(text, "opus", "sonnet", 1), "\"Bash(ls)\"", "\"Bash(ls)\",\n      \"Read\"", 1)
	}
	h.write(".claude/settings.json", edit(h.read(".claude/settings.json")))
	h.uninstall(s)
	if got, want := h.read(".claude/settings.json"), edit(before); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A hook of theirs in our group stays, and ours goes also with another timeout.
func TestTuned(t *testing.T) {
	h := newHouse(t)
	s := h.of("claude", User)
	h.setup(s)
	text := h.read(".claude/settings.json")
	tuned := strings.Replace(text, "\"timeout\": 5}", "\"timeout\": 30}, {\"type\": \"command\", \"command\": \"./mine.sh\"}", 1)
	if tuned == text {
		t.Fatal("nothing was tuned")
	}
	h.write(".claude/settings.json", tuned)
	if p := h.setup(s); len(p.Changes) > 0 || p.Failed() {
		t.Errorf("a setup changes what was tuned: %+v", p.Notes)
	}
	h.uninstall(s)
	got := h.read(".claude/settings.json")
	if strings.Contains(got, "pawl") || !strings.Contains(got, "./mine.sh") {
		t.Errorf("left is\n%s", got)
	}
}

// What somebody took out is put in again, and goes with the rest.
func TestMended(t *testing.T) {
	h := newHouse(t)
	h.write(".claude/settings.json", "{\n  \"a\": 1\n}\n")
	before := h.tree()
	s := h.of("claude", User)
	h.setup(s)
	after := h.tree()
	h.write(".claude/settings.json", "{\n  \"a\": 1,\n  \"hooks\": {}\n}\n")
	must.Do(t, os.RemoveAll(filepath.Join(h.home, ".claude/skills")))
	h.setup(s)
	if bad := h.planner.Check(s, "").Findings; len(bad) > 1 { // PATH has no pawl
		t.Errorf("the doctor finds %+v", bad)
	}
	if now := h.tree(); len(now) != len(after) {
		t.Errorf("%d files and folders, %d before", len(now), len(after))
	}
	h.uninstall(s)
	if got := h.read(".claude/settings.json"); !jsonc.Same([]byte(got), []byte(`{"a": 1, "hooks": {}}`)) && !jsonc.Same([]byte(got), []byte(`{"a": 1}`)) {
		t.Errorf("left is %s", got)
	}
	h.write(".claude/settings.json", "{\n  \"a\": 1\n}\n")
	h.mustBe(before, "but for that file")
}

// The note in AGENTS.md is written as the file is, and goes as it came.
func TestAgentsMD(t *testing.T) {
	h := newHouse(t)
	h.write("project/AGENTS.md", "# Rules\r\n\r\nBe kind.\r\n")
	before := h.tree()
	s := h.of(AgentsMD, Project)
	h.setup(s)
	text := h.read("project/AGENTS.md")
	if !strings.HasPrefix(text, "# Rules\r\n\r\nBe kind.\r\n\r\n<!-- pawl: begin") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Errorf("it is %q", text)
	}
	if p := h.setup(s, h.of("codex", Project)); len(p.Changes) != 3 || p.Failed() {
		t.Errorf("a second setup makes %d changes", len(p.Changes))
	}
	h.uninstall(h.of("codex", Project))
	h.write("project/AGENTS.md", text+"Be brief.\r\n")
	h.uninstall(s)
	if got := h.read("project/AGENTS.md"); got != "# Rules\r\n\r\nBe kind.\r\nBe brief.\r\n" {
		t.Errorf("left is %q", got)
	}
	h.write("project/AGENTS.md", "# Rules\r\n\r\nBe kind.\r\n")
	h.mustBe(before, "but for that file")
}

// A part whose last mark is lost is not a part: what they wrote behind it is
// theirs.
func TestLostMark(t *testing.T) {
	h := newHouse(t)
	s := h.of(AgentsMD, Project)
	h.write("project/AGENTS.md", "# Rules\n")
	h.setup(s)
	lost := strings.Replace(h.read("project/AGENTS.md"), blockEnd+"\n", "", 1) + "\nBe kind.\n"
	h.write("project/AGENTS.md", lost)
	h.setup(s)
	h.uninstall(s)
	if got := h.read("project/AGENTS.md"); got != lost {
		t.Errorf("left is %q", got)
	}
}

// Another command takes the place of the one before, and uninstalling still
// gives back all bytes.
func TestUpgrade(t *testing.T) {
	for _, a := range Agents() {
		h := newHouse(t)
		h.write(".claude/settings.json", "{\"model\": \"opus\"}")
		h.write(".codex/config.toml", "model = 1\n")
		before := h.tree()
		s := h.of(a.Name, User)
		h.setup(s)
		s.Command = "/opt/some where/pawl"
		h.setup(s)
		for name, text := range h.tree() {
			if strings.Contains(text, "\"pawl hook") || strings.Contains(text, "\"command\": \"pawl\"") {
				t.Errorf("%s: %s still has the old command", a.Name, name)
			}
		}
		if p := h.setup(s); !p.Empty() {
			t.Errorf("%s: a third setup changes something", a.Name)
		}
		h.uninstall(s)
		h.mustBe(before, a.Name)
	}
}

// A newer text in a file that several agents read is there at once, and for all
// of them, whichever is set up again.
func TestUpgradeShared(t *testing.T) {
	const skill = ".agents/skills/pawl/SKILL.md"
	h := newHouse(t)
	before := h.tree()
	one, other := h.of("gemini", User), h.of("codex", User)
	h.setup(one, other)
	newer := h.read(skill)

	r := must.Get(h.planner.Record())(t)
	was := r.clone()
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, "SKILL.md") { // as an older pawl left it
			f.Pieces[0].Text, f.After, f.Undo = "older\n", sum([]byte("older\n")), difference(nil, []byte("older\n"))
		}
	}
	must.Do(t, r.write(t.Context(), h.planner.Getenv, was))
	h.write(skill, "older\n")

	h.setup(one)
	if got := h.read(skill); got != newer {
		t.Errorf("after the first was set up again it is %q", got)
	}
	if p := h.setup(other); len(p.Changes)+len(p.Notes) > 0 {
		t.Errorf("for the other there is something left: %+v", p.Notes)
	}
	h.uninstall(other)
	if got := h.read(skill); got != newer {
		t.Errorf("it went with the other: %q", got)
	}
	h.uninstall(one)
	h.mustBe(before, "after both")
}

// Who has several accounts with an agent has Pawl in each of their folders.
func TestProfiles(t *testing.T) {
	for _, a := range []*agent.Agent{&claude.Agent, &codex.Agent, &copilot.Agent} {
		h := newHouse(t)
		h.write("work/README", "")
		before := h.tree()
		one := h.of(a.Name, User)
		h.setup(one)
		only := h.tree()
		h.env[a.Config.Variable] = filepath.Join(h.home, "work")
		other := h.of(a.Name, User)
		if p := h.setup(other); len(p.Changes) == 0 || p.Failed() {
			t.Errorf("%s: %d changes, %+v", a.Name, len(p.Changes), p.Notes)
		}
		if p := h.setup(one); !p.Empty() {
			t.Errorf("%s: the other folder took something from the first", a.Name)
		}
		for _, s := range []Setup{one, other} {
			if bad := h.planner.Check(s, "").Findings; len(bad) > 1 { // PATH has no pawl
				t.Errorf("%+v: %+v", s, bad)
			}
		}
		h.uninstall(other)
		h.mustBe(only, a.Name+": the other is out")
		h.uninstall(one)
		h.mustBe(before, a.Name)
	}
}

// All agents at once, for the user and a project, in any order.
func TestAll(t *testing.T) {
	h := newHouse(t)
	h.write(".claude.json", "{\"projects\": {}}")
	h.write("project/AGENTS.md", "# Rules\n\nBe kind.")
	before := h.tree()
	var all []Setup
	for _, a := range Agents() {
		for _, scope := range scopes(a) {
			s := h.of(a.Name, scope)
			all = append(all, s)
		}
	}
	all = append(all, h.of(AgentsMD, Project))
	h.setup(all...)
	if n := strings.Count(h.read("project/AGENTS.md"), "pawl: begin"); n != 1 {
		t.Errorf("the note is there %d times", n)
	}
	for _, s := range all {
		if bad := h.planner.Check(s, "").Findings; len(bad) > 1 { // PATH has no pawl
			t.Errorf("%+v: %+v", s, bad)
		}
	}
	h.setup(all[3:6]...)
	h.uninstall(all[4:9]...)
	h.setup(all[5])
	slices.Reverse(all)
	h.uninstall(all[:7]...)
	h.uninstall(all...)
	h.mustBe(before, "after all")
}

// What cannot be read, or is not meant to be written, is left alone and named;
// and so is all else that the agent needs.
func TestRefused(t *testing.T) {
	link := func(h *house, name, to string) {
		path := filepath.Join(h.home, name)
		must.Do(h, os.MkdirAll(filepath.Dir(path), 0o755))
		mustrun.Link(h.T, to, path)
	}
	for name, c := range map[string]struct {
		agent string
		scope Scope
		build func(h *house)
		want  string
	}{
		"no JSON":                        {"claude", User, func(h *house) { h.write(".claude/settings.json", "{\n  \"a\": 1\n  b\n}") }, "settings.json: 3:3: it is not JSON"},
		"no UTF-8":                       {"gemini", User, func(h *house) { h.write(".gemini/settings.json", "{\"a\": \"\xff\"}") }, "1:8: it is not valid UTF-8"},
		"a list":                         {"cursor", User, func(h *house) { h.write(".cursor/mcp.json", "[]") }, "1:1: it must hold an object"},
		"another shape":                  {"qwen", User, func(h *house) { h.write(".qwen/settings.json", "{\"mcpServers\": []}") }, "something else than an object at mcpServers"},
		"no TOML":                        {"codex", User, func(h *house) { h.write(".codex/config.toml", "a = \"\"\"\nb") }, "config.toml: 2:2: it is not TOML"},
		"no YAML":                        {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "a: 1\n\tb: 2\n") }, "config.yaml: 2:1: it is not YAML"},
		"a list of servers":              {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "extensions:\n  - name: a\n") }, "2:3: extensions must hold a mapping"},
		"a list below":                   {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "extensions:\n- name: a\n") }, "2:1: it must hold a mapping"},
		"a text":                         {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "extensions:\n  none\n") }, "2:3: extensions must hold a mapping"},
		"indented less":                  {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "extensions:\n    a:\n  b:\n") }, "3:3: extensions must hold a mapping"},
		"all indented":                   {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "  a: 1\n  b: 2\n") }, "1:1: its first key is indented"},
		"two documents":                  {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "a: 1\n---\nextensions:\n") }, "2:1: it holds several documents"},
		"one line":                       {"goose", User, func(h *house) { h.write(".config/goose/config.yaml", "extensions: {a: {b: c}}\n") }, "extensions is written on one line"},
		"no list of hooks":               {"claude", User, func(h *house) { h.write(".claude/settings.json", `{"hooks": {"Stop": {}}}`) }, "hooks: hooks.Stop is not a list"},
		"no list of permissions":         {"claude", User, func(h *house) { h.write(".claude/settings.json", `{"permissions": {"allow": "all"}}`) }, "permission: permissions.allow is not a list"},
		"another server called pawl":     {"gemini", User, func(h *house) { h.write(".gemini/settings.json", `{"mcpServers": {"pawl": {"command": "docker"}}}`) }, "mcpServers.pawl calls another program"},
		"a folder":                       {"windsurf", User, func(h *house) { h.write(".codeium/windsurf/hooks.json/x", "") }, "hooks.json: it is not a regular file"},
		"too large":                      {"crush", User, func(h *house) { h.write(".config/crush/crush.json", "{}"+strings.Repeat(" ", maxConfig)) }, "it is larger than 1 MiB"},
		"a file where a folder is to be": {"claude", Project, func(h *house) { h.write("project/.claude", "") }, "not a directory"},
		"no target":                      {"gemini", User, func(h *house) { link(h, ".gemini/settings.json", "nowhere") }, "a link to something that is not there"},
		"out of the project": {"claude", Project, func(h *house) {
			h.write("secret.json", "{}")
			link(h, "project/.claude/settings.json", "../../secret.json")
		}, "a link that leads out of the project"},
		"read-only": {"claude", User, func(h *house) {
			h.write(".claude/settings.json", "{}")
			must.Do(h, os.Chmod(filepath.Join(h.home, ".claude/settings.json"), 0o444))
		}, "settings.json: it is read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			c.build(h)
			before := h.tree()
			p := h.setup(h.of(c.agent, c.scope))
			h.mustBe(before, "refused, and yet changed")
			var told []string
			for _, n := range p.Notes {
				told = append(told, n.Path+": "+n.Text)
			}
			if !p.Failed() || len(p.Steps) > 0 || !strings.Contains(strings.Join(told, "\n"), c.want) {
				t.Errorf("told is %q, want %q", told, c.want)
			}
			if r, err := h.planner.Record(); err != nil || len(r.Setups)+len(r.Files) > 0 {
				t.Errorf("it is remembered %+v, %v", r, err)
			}
		})
	}
}

// A file among versioned ones is changed there, and its link and mode stay.
func TestLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	h := newHouse(t)
	h.write("dotfiles/claude.json", "{\"model\": \"opus\"}\n")
	kept := filepath.Join(h.home, "dotfiles/claude.json")
	must.Do(t, os.Chmod(kept, 0o600))
	must.Do(t, os.MkdirAll(filepath.Join(h.home, ".claude"), 0o700))
	mustrun.Link(t, "../dotfiles/claude.json", filepath.Join(h.home, ".claude/settings.json"))
	before := h.tree()
	s := h.of("claude", User)
	h.setup(s)
	if info, err := os.Stat(kept); err != nil || info.Mode() != 0o600 || !strings.Contains(h.read("dotfiles/claude.json"), "mcp__pawl__*") {
		t.Errorf("the kept file: %v, %v", info.Mode(), err)
	}
	h.uninstall(s)
	h.mustBe(before, "after uninstalling")
}

// A new file of the user's is for nobody else to read: some agents put keys there.
// In a project it is for everybody.
func TestNewFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	h := newHouse(t)
	h.setup(h.of("claude", User), h.of("claude", Project))
	for name, want := range map[string]fs.FileMode{".claude.json": 0o600, ".claude/settings.json": 0o600, "project/.mcp.json": 0o644 &^ umask()} {
		if info, err := os.Stat(filepath.Join(h.home, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// Two that work at once do not lose one another's.
func TestMoved(t *testing.T) {
	h := newHouse(t)
	mine, err := h.planner.Setup([]Setup{h.of("claude", User)})
	must.Do(t, err)
	h.setup(h.of("codex", User))
	if err := mine.Apply(t.Context()); !errors.Is(err, pawl.Conflict) {
		t.Errorf("a plan of before: %v", err)
	}
	mine, err = h.planner.Setup([]Setup{h.of("claude", User)})
	must.Do(t, err)
	h.write(".claude/settings.json", "{\"theirs\": 1}")
	if err := mine.Apply(t.Context()); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "somebody else has just changed it") {
		t.Errorf("a file of after: %v", err)
	}
	if h.read(".claude/settings.json") != "{\"theirs\": 1}" {
		t.Error("their file was overwritten")
	}
	h.setup(h.of("claude", User)) // mends it
	h.uninstall(h.of("claude", User), h.of("codex", User))
	if got := h.read(".claude/settings.json"); got != "{\"theirs\": 1}" {
		t.Errorf("left is %q", got)
	}
}

// What an agent writes while ours is on its way to the disk is not lost.
func TestWrittenMeanwhile(t *testing.T) {
	h := newHouse(t)
	h.write(".claude.json", "{}")
	p := must.Get(h.planner.Setup([]Setup{h.of("claude", User)}))(t)
	defer func(was func(*os.File) error) { flush = was }(flush)
	flush = func(*os.File) error {
		h.write(".claude.json", "{\"theirs\": 1}")
		return nil
	}
	if err := p.Apply(t.Context()); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), ".claude.json: somebody else has just changed it") {
		t.Errorf("it says %v", err)
	}
	if got := h.read(".claude.json"); got != "{\"theirs\": 1}" {
		t.Errorf("it is %s", got)
	}
}

// After a crash between the record and the files a file as it was counts so.
func TestCrash(t *testing.T) {
	h := newHouse(t)
	h.write(".claude/settings.json", "{ }") // which no edit would write
	before := h.tree()
	s := h.of("claude", User)
	p, err := h.planner.Setup([]Setup{s})
	must.Do(t, err)
	must.Do(t, p.record.write(t.Context(), h.planner.Getenv, p.was))
	h.uninstall(s)
	h.mustBe(before, "uninstalled")
	if p, err = h.planner.Setup([]Setup{s}); err != nil {
		t.Fatal(err)
	}
	must.Do(t, p.record.write(t.Context(), h.planner.Getenv, p.was))
	h.setup(s)
	if !strings.Contains(h.read(".claude/settings.json"), "mcp__pawl__*") {
		t.Error("it was not set up")
	}
	h.uninstall(s)
	h.mustBe(before, "set up again and uninstalled")
}

// On a full disk nothing is changed, and the folders that were made already go.
func TestFullDisk(t *testing.T) {
	h := newHouse(t)
	h.write(".claude.json", "{}")
	before := h.tree()
	s := h.of("claude", User)
	p, err := h.planner.Setup([]Setup{s})
	must.Do(t, err)
	was := flush
	flush = func(*os.File) error { return errors.New("no space left") }
	err = p.Apply(t.Context())
	flush = was
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), ".claude.json: no space left") {
		t.Errorf("it says %v", err)
	}
	h.mustBe(before, "nothing could be written")
}

// When one of the files cannot be written, those before it are put back.
func TestWholeOrNot(t *testing.T) {
	h := newHouse(t)
	h.write(".claude/settings.json", "{ }")
	s := h.of("claude", User)
	p := must.Get(h.planner.Setup([]Setup{s}))(t)
	last, n := p.Changes[len(p.Changes)-1], 0
	was := flush
	defer func() { flush = was }()
	flush = func(*os.File) error {
		if n++; n == len(p.Changes) { // all are beside their files, and somebody makes the last one
			return os.WriteFile(last.real, nil, 0o644)
		}
		return nil
	}
	if err := p.Apply(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing was written: "+last.Path) {
		t.Fatalf("the error is %v", err)
	}
	flush = was
	if n != len(p.Changes)+1 || n < 4 { // and one was written back
		t.Fatalf("%d were written for %d files", n, len(p.Changes))
	}
	var left []string
	for name, text := range h.tree() {
		if strings.HasPrefix(text, "-") {
			left = append(left, name)
		}
	}
	slices.Sort(left)
	rel, _ := filepath.Rel(h.home, last.Path)
	if want := []string{filepath.ToSlash(rel), ".claude/settings.json", "project/README.md"}; !slices.Equal(left, want) || h.read(".claude/settings.json") != "{ }" {
		t.Errorf("left are %q, want %q", left, want)
	}
	if r, err := h.planner.Record(); err != nil || len(r.Setups)+len(r.Files) > 0 {
		t.Errorf("it is remembered %+v, %v", r, err)
	}
}

// What an agent writes into a file that is just being put back is not lost, and
// that it is so is told.
func TestPutBackMeanwhile(t *testing.T) {
	h := newHouse(t)
	h.write(".claude.json", "{}")
	h.write(".claude/settings.json", "{}")
	p := must.Get(h.planner.Setup([]Setup{h.of("claude", User)}))(t)
	n := 0
	defer func(was func(*os.File) error) { flush = was }(flush)
	flush = func(*os.File) error {
		switch n++; n {
		case len(p.Changes): // all are beside their files
			h.write(".claude/settings.json", "{\"theirs\": 1}")
		case len(p.Changes) + 1: // and one goes back
			h.write(".claude.json", "{\"theirs\": 2}")
		}
		return nil
	}
	if err := p.Apply(t.Context()); err == nil || !strings.Contains(err.Error(), ".claude.json: it could not be put back: somebody else has just changed it") {
		t.Errorf("it says %v", err)
	}
	if got := h.read(".claude.json") + h.read(".claude/settings.json"); got != "{\"theirs\": 2}{\"theirs\": 1}" {
		t.Errorf("left is %s", got)
	}
	if left, err := filepath.Glob(filepath.Join(h.home, ".pawl-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

// A link that takes the place of a file after the setup is not followed.
func TestBecameLink(t *testing.T) {
	h := newHouse(t)
	s := h.of("claude", Project)
	h.setup(s)
	path := filepath.Join(h.root, ".mcp.json")
	h.write("other.json", h.read("project/.mcp.json"))
	must.Do(t, os.Remove(path))
	mustrun.Link(t, "../other.json", path)
	was := h.read("other.json")
	if p := h.uninstall(s); !p.Failed() || h.read("other.json") != was {
		t.Errorf("the link was followed: %+v", p.Notes)
	}
}

// The command is one that is the same in the next version.
func TestChoose(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there links need a privilege
	}
	h := newHouse(t)
	real := filepath.Join(h.home, "cellar/1.2.3/bin/pawl")
	h.write("cellar/1.2.3/bin/pawl", "#!/bin/sh\n")
	for _, dir := range []string{"bin", "other", "go"} {
		must.Do(t, os.Mkdir(filepath.Join(h.home, dir), 0o755))
	}
	must.Do(t, os.Chmod(real, 0o755))
	mustrun.Link(t, real, filepath.Join(h.home, "bin/pawl"))
	mustrun.Link(t, real, filepath.Join(h.home, "go/tasks"))
	h.write("other/pawl", "another")
	must.Do(t, os.Chmod(filepath.Join(h.home, "other/pawl"), 0o755))
	dir := func(names ...string) string {
		for i := range names {
			names[i] = filepath.Join(h.home, names[i])
		}
		return strings.Join(names, string(filepath.ListSeparator))
	}
	for _, c := range []struct{ path, started, want string }{
		{dir("bin"), "pawl", "pawl"},
		{dir("other", "bin"), dir("bin/pawl"), dir("bin/pawl")},
		{dir("other", "go"), "tasks", dir("go/tasks")},
		{dir("other"), "./pawl", real},
		{"bin:.", "pawl", real}, // of no use from another folder
	} {
		h.env["PATH"] = c.path
		h.planner.Choose(real, c.started)
		if h.planner.Command != c.want {
			t.Errorf("started as %s with %s: %s, want %s", c.started, c.path, h.planner.Command, c.want)
		}
	}
	s := h.of("claude", User)
	for path, want := range map[string]string{dir("bin"): "", dir("other"): "another program than", dir("go"): "there is no pawl on PATH"} {
		h.env["PATH"] = path
		s.Command = "pawl"
		h.setup(s)
		got := ""
		for _, f := range h.planner.Check(s, real).Findings {
			got += f.Text
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("with %s the doctor finds %q, want %q", path, got, want)
		}
	}
}

// A permission is added to those that there are, and makes no list that would
// change what else is allowed.
func TestPermissions(t *testing.T) {
	for _, c := range []struct{ agent, file, before, want string }{
		{"opencode", ".config/opencode/opencode.json", `{"permission": {"bash": "ask"}}`, `{"bash":"ask","pawl_*":"allow"}`},
		{"opencode", ".config/opencode/opencode.json", `{"permission": "ask"}`, `"ask"`},
		{"opencode", ".config/opencode/opencode.json", `{"permission": "allow"}`, `"allow"`},
		{"opencode", ".config/opencode/opencode.json", `{}`, ``},
		{"opencode", ".config/opencode/opencode.jsonc", `{"permission": {}}`, `{"pawl_*":"allow"}`},
		{"cursor", ".cursor/permissions.json", `{"mcpAllowlist": ["a:*"]}`, `["a:*","pawl:*"]`},
		{"cursor", ".cursor/permissions.json", `{}`, ``},
		{"crush", ".config/crush/crush.json", `{"permissions": {"allowed_tools": ["ls"]}}`, `["ls","mcp_pawl_todo_write","mcp_pawl_todo_read","mcp_pawl_todo_pause",` +
			`"mcp_pawl_task_create","mcp_pawl_task_update","mcp_pawl_task_list","mcp_pawl_task_get","mcp_pawl_task_claim"]`},
	} {
		h := newHouse(t)
		h.write(c.file, c.before)
		if p := h.setup(h.of(c.agent, User)); len(p.Notes) > 0 && !strings.Contains(c.before, `"ask"`) {
			t.Errorf("%s, where %s was: %+v", c.agent, c.before, p.Notes)
		}
		path := map[string][]string{"opencode": {"permission"}, "cursor": {"mcpAllowlist"}, "crush": {"permissions", "allowed_tools"}}[c.agent]
		if got, _ := jsonc.Get([]byte(h.read(c.file)), path...); string(got) != c.want {
			t.Errorf("%s, where %s was: %s, want %s", c.agent, c.before, got, c.want)
		}
	}
}

// When the record is lost, as with a home that is kept elsewhere, what looks
// like ours goes, and nothing else.
func TestForgotten(t *testing.T) {
	for _, a := range Agents() {
		h := newHouse(t)
		h.write(".claude/settings.json", "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]\n  }\n}\n")
		want := h.read(".claude/settings.json")
		h.setup(h.of(a.Name, User))
		h.env["XDG_STATE_HOME"] = filepath.Join(h.home, "..", "lost")
		h.uninstall(h.of(a.Name, User))
		for name, text := range h.tree() {
			if strings.Contains(text, "pawl hook") || strings.Contains(text, "mcp__pawl") || strings.Contains(name, "pawl") && !strings.HasPrefix(text, "d") {
				t.Errorf("%s: left is %s: %s", a.Name, name, text)
			}
		}
		if got := h.read(".claude/settings.json"); got != want {
			t.Errorf("%s: theirs became %s", a.Name, got)
		}
	}
}

// Uninstalling where nothing was set up takes out what calls us, and nothing that
// may be somebody else's.
func TestForgottenTheirs(t *testing.T) {
	for _, c := range []struct{ agent, command, file, text string }{
		{"llxprt", "pawl", ".llxprt/settings.json", `{"hooksConfig": {"enabled": true}, "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "say"}]}]}}`},
		{"codex", "/opt/nightly", ".codex/config.toml", "[mcp_servers.pawl]\ncommand = \"docker\"\nargs = [\"run\"]\n"},
		{"goose", "/opt/nightly", ".config/goose/config.yaml", "extensions:\n  pawl:\n    cmd: docker\n"},
	} {
		h := newHouse(t)
		h.planner.Command = c.command
		h.write(c.file, c.text)
		before := h.tree()
		h.uninstall(h.of(c.agent, User))
		h.mustBe(before, c.agent)
	}
}

// A user with a package of Pawl's is told that they would have it twice.
func TestPackaged(t *testing.T) {
	for agent, file := range map[string][2]string{
		"claude": {".claude/settings.json", `{"enabledPlugins": {"x@y": true, "pawl@pawl": true}}`},
		"codex":  {".codex/config.toml", "[plugins.\"pawl@pawl\"]\nenabled = true\n"},
		"gemini": {".gemini/extensions/pawl/gemini-extension.json", "{}"},
	} {
		h := newHouse(t)
		s := h.of(agent, User)
		if p := h.setup(s); len(p.Notes) > 0 {
			t.Errorf("%s, without a package: %+v", agent, p.Notes)
		}
		h.uninstall(s)
		h.write(file[0], file[1])
		if p := h.setup(s); len(p.Notes) != 1 || p.Failed() || !strings.Contains(p.Notes[0].Text, "twice then: ") {
			t.Errorf("%s: %+v", agent, p.Notes)
		}
		told := false
		for _, f := range h.planner.Check(s, "").Findings {
			told = told || strings.Contains(f.Text, "twice") && f.Step != ""
		}
		if !told {
			t.Errorf("%s: the doctor does not say it", agent)
		}
	}
}

// The events that are registered are few and known, and none of those that come
// all the time.
func TestEvents(t *testing.T) {
	h := newHouse(t)
	for _, a := range Agents() {
		for _, f := range a.Config.Files(h.planner.place(a, h.of(a.Name, User))) {
			for _, p := range f.Pieces {
				if p.For != "hooks" || p.Kind != agent.KindElement {
					continue
				}
				if event := p.Path[1]; slices.Contains([]string{"BeforeModel", "AfterModel", "PreCompress", "PostToolBatch", "MessageDisplay"}, event) {
					t.Errorf("%s: %s comes all the time", a.Name, event)
				}
				if got := calls(p.Value); len(got) == 0 || !strings.HasPrefix(got[0], "hook --agent "+a.Name) {
					t.Errorf("%s calls %q", a.Name, got)
				}
			}
		}
	}
}

// A line of somebody's text that looks like a comment stays in that text.
func TestTextAtEnd(t *testing.T) {
	h := newHouse(t)
	text := "extensions:\n  a:\n    description: |\n      one\n      # two\n"
	h.write(".config/goose/config.yaml", text)
	h.setup(h.of("goose", User))
	if got := h.read(".config/goose/config.yaml"); !strings.HasPrefix(got, text+"  pawl:\n") {
		t.Errorf("it is\n%s", got)
	}
}

// Files that came with a clone have no record here. They are known by what they
// call, and all of it can be taken out.
func TestClone(t *testing.T) {
	for _, a := range Agents() {
		if a.Config.NoProject != "" || a == &llxprt.Agent { // whose switch for hooks may be anybody's
			continue
		}
		h := newHouse(t)
		before := h.tree()
		h.setup(h.of(a.Name, Project), h.of(AgentsMD, Project))
		there := h.tree()
		for _, again := range []bool{false, true} {
			h.env["XDG_STATE_HOME"] = filepath.Join(t.TempDir(), "another")
			found := h.planner.Found(h.root)
			if want := []Setup{h.planner.ForProject(a.Name, h.root), h.planner.ForProject(AgentsMD, h.root)}; !slices.Equal(found, want) {
				t.Fatalf("%s: found are %v, want %v", a.Name, found, want)
			}
			if again { // somebody sets it up in the clone
				h.setup(found...)
				h.mustBe(there, a.Name+" set up again")
				if found := h.planner.Found(h.root); found != nil {
					t.Errorf("%s: found are %v beside the record", a.Name, found)
				}
			}
			h.uninstall(found...)
			left := h.tree()
			for name, text := range left {
				if before[name] == "" && !strings.HasPrefix(text, "d") { // folders may be anybody's
					t.Errorf("%s: left is %s: %s", a.Name, name, text)
				}
			}
			h.env["XDG_STATE_HOME"] = filepath.Join(t.TempDir(), "first")
			h.setup(h.of(a.Name, Project), h.of(AgentsMD, Project))
		}
	}
}

// An editor gets an entry for each program that it could start, beside its own, and loses
// them with their bytes.
func TestEditors(t *testing.T) {
	for name, file := range map[string]string{"zed": ".config/zed/settings.json", "jetbrains": ".jetbrains/acp.json"} {
		h := newHouse(t)
		h.write(file, "// mine\n{\n  \"agent_servers\": {\"codex-acp\": {\"type\": \"registry\"}}, // theirs\n}\n")
		before := h.tree()
		h.setup(h.of(name, User))
		if got, want := h.read(file), `"Codex with Pawl": {`; !strings.Contains(got, want) || !strings.Contains(got, `"args": ["acp", "--", "codex-acp"]`) || !strings.Contains(got, "// theirs") || strings.Contains(got, "Claude") {
			t.Errorf("%s: %s", name, got)
		}
		h.uninstall(h.of(name, User))
		h.mustBe(before, name)
		h.env["PATH"] = ""
		if p := must.Get(h.planner.Setup([]Setup{h.of(name, User)}))(t); !p.Failed() || len(p.Changes) > 0 {
			t.Errorf("%s: without a program: %+v", name, p.Notes)
		}
	}
}
