package setup

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/internal/agent/codex"
	"github.com/pawl-dev/pawl/internal/agent/goose"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func init() {
	flush = func(*os.File) error { return nil }
	umask() // which is set for a moment, while no other test makes files
}

// A house is somebody's home with a project in it.
type house struct {
	*testing.T
	home, root string
	env        map[string]string
	planner    *Planner
}

func newHouse(t *testing.T) *house {
	t.Helper()
	home := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	h := &house{T: t, home: home, root: filepath.Join(home, "project"), env: map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(t.TempDir(), "state")}}
	h.env["PATH"] = t.TempDir() // with a program that editors start
	for _, name := range []string{"codex-acp", "codex-acp.exe"} {
		must.Do(t, os.WriteFile(filepath.Join(h.env["PATH"], name), nil, 0o755))
	}
	h.planner = &Planner{Getenv: func(key string) string { return h.env[key] }, OS: "linux", Home: home, Command: "pawl"}
	h.write("project/README.md", "# A project\n")
	return h
}

func (h *house) write(name, text string) {
	h.Helper()
	path := filepath.Join(h.home, filepath.FromSlash(name))
	must.Do(h, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(h, os.WriteFile(path, []byte(text), 0o644))
}

func (h *house) read(name string) string {
	h.Helper()
	return string(must.Get(os.ReadFile(filepath.Join(h.home, filepath.FromSlash(name))))(h))
}

// tree is all that is in the home: texts, modes and links.
func (h *house) tree() map[string]string {
	h.Helper()
	all := map[string]string{}
	must.Do(h, filepath.WalkDir(h.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(h.home, path)
		line := info.Mode().String() + " "
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			line += to
		case !e.IsDir():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += string(text)
		}
		all[filepath.ToSlash(name)] = line
		return nil
	}))
	return all
}

func (h *house) mustBe(want map[string]string, when string) {
	h.Helper()
	if diff := cmp.Diff(want, h.tree()); diff != "" {
		h.Fatalf("%s (-want +got):\n%s", when, diff)
	}
}

func (h *house) of(agent string, scope Scope) Setup {
	if scope == Project {
		return h.planner.ForProject(agent, h.root)
	}
	return h.planner.ForUser(agent)
}

func (h *house) setup(setups ...Setup) *Plan {
	h.Helper()
	p := must.Get(h.planner.Setup(setups))(h)
	h.apply(p)
	return p
}

func (h *house) uninstall(setups ...Setup) *Plan {
	h.Helper()
	p := must.Get(h.planner.Uninstall(setups))(h)
	h.apply(p)
	return p
}

func (h *house) apply(p *Plan) {
	h.Helper()
	must.Do(h, p.Apply(h.Context()))
}

// scopes are those that an agent can be set up in.
func scopes(a *agent.Agent) []Scope {
	if a.Config.NoProject != "" {
		return []Scope{User}
	}
	return []Scope{User, Project}
}

// texts are what people have in such files, by the kind of what goes in.
var texts = map[agent.Kind]map[string]string{
	agent.KindMember: {
		"none":            "",
		"empty":           "",
		"object":          "{}",
		"spacious object": "{\n\n}\n",
		"one line":        `{"model": "opus", "theme": "dark"}`,
		"no last newline": "{\n  \"model\": \"opus\"\n}",
		"tabs":            "{\n\t\"model\": \"opus\",\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"}\n\t}\n}\n",
		"comments":        "// mine\n{\n  // the model\n  \"model\": \"opus\", /* large */\n  \"hooks\": {\n    // none yet\n  }\n  // the end\n}\n// really\n",
		"trailing commas": "{\n  \"model\": \"opus\",\n  \"permissions\": {\"allow\": [\"Bash(ls)\",], \"deny\": [],},\n}\n",
		"crlf":            "{\r\n    \"model\": \"opus\",\r\n    \"mcp\": {}\r\n}\r\n",
		"byte order mark": "\ufeff{\n  \"model\": \"opus\"\n}\n",
		"others' hooks": "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}],\n" +
			"    \"stop\": [{\"command\": \"./x.sh\"}],\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": []\n      }\n    ],\n    \"AfterAgent\": []\n  }\n}\n",
		"others' servers": `{"mcpServers": {"a": {"command": "b", "env": {"KEY": "v"}}}, "servers": {}, "mcp": {"x": {"type": "remote"}}, "permission": {"bash": "ask"}, "mcpAllowlist": ["a:*"]}` + "\n",
		"by hand": "{\n  \"mcpServers\": {\"pawl\": {\"command\": \"/opt/pawl\", \"args\": [\"mcp\"]}},\n  \"servers\": {\"pawl\": {\"command\": \"pawl\", \"args\": [\"mcp\"], \"type\": \"stdio\"}},\n" +
			"  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/pawl hook --agent claude\", \"timeout\": 60}]}]}\n}\n",
		"escapes": "{\"\\u006dcpServers\": {\"other\": {}}, \"a\\/b\": 1}\n",
		"twice":   "{\n  \"hooks\": {\"Stop\": []},\n  \"hooks\": {}\n}\n",
	},
	agent.KindTable: {
		"none":    "",
		"empty":   "",
		"blank":   "\n\n",
		"plain":   "model = \"o\"\n[mcp_servers.other]\ncommand = \"x\"\nargs = [\n  \"a\", # one\n]\n",
		"no end":  "model = \"o\"",
		"crlf":    "model = \"o\"\r\n\r\n[tui]\r\nnotifications = true\r\n",
		"strings": "a = \"\"\"\n[mcp_servers.pawl]\ncommand = \"no\"\n\"\"\"\nb = '''\n[x'''\nc = 'it''s' # no\n",
		"mark":    "\ufeffmodel = \"o\"\n",
		"dates":   "d = 1979-05-27T07:32:00Z\n[[profiles]]\nx.y.\"z w\" = {a = 1, b = [1, 2]}\n",
		"by hand": "[mcp_servers.pawl]\ncommand = \"/opt/pawl\"\nargs = [\"mcp\"]\n\n[other]\nx = 1\n",
		"inline":  "mcp_servers = { other = { command = \"x\" } }\n",
		"dotted":  "mcp_servers.pawl.command = \"x\"\n",
	},
	agent.KindEntry: {
		"none":       "",
		"empty file": "",
		"comment":    "# my goose\n",
		"plain":      "GOOSE_MODEL: x\nextensions:\n  developer:\n    enabled: true\n    type: builtin\nGOOSE_MODE: auto\n",
		"last":       "extensions:\n    developer:\n        type: builtin",
		"flow":       "extensions: {}\nGOOSE_MODEL: x\n",
		"empty":      "extensions:\nGOOSE_MODEL: x\n",
		"not there":  "GOOSE_MODEL: x\ninstructions: |\n  extensions:\n    pawl:\n",
		"crlf":       "GOOSE_MODEL: x\r\nextensions:\r\n  a:\r\n    type: stdio\r\n",
		"document":   "---\nextensions:\n  a:\n    type: stdio\n",
		"text":       "extensions:\n  a:\n    type: stdio\n    description: |\n      one\n      # two\n  # the end\n",
		"by hand":    "extensions:\n  pawl:\n    type: stdio\n    cmd: /opt/pawl\n    args:\n      - mcp\n    enabled: false\n",
		"somebody's": "extensions:\n  pawl:\n    type: stdio\n    cmd: npx\n    args: [pawl-mcp]\n",
	},
}

// textsFor are the texts for a file, by the kind of its pieces.
func textsFor(f File) map[string]string {
	if len(f.Pieces) == 0 {
		return nil
	}
	kind := f.Pieces[0].Kind
	if kind == agent.KindElement {
		kind = agent.KindMember
	}
	return texts[kind]
}

// eachText plays every agent in each scope with each text in each of its files.
func eachText(t *testing.T, play func(h *house, s Setup, file, text string)) {
	n, every := 0, 4
	if !*long.Asked {
		every = 12
	}
	for number, a := range Agents() {
		for _, scope := range scopes(a) {
			probe := newHouse(t)
			s := probe.of(a.Name, scope)
			for i, f := range a.Config.Files(probe.planner.place(a, s)) {
				all := textsFor(f)
				for at, name := range slices.Sorted(maps.Keys(all)) {
					// Each text with each kind of file, and each file with some texts.
					if thorough := a == &claude.Agent || a == &codex.Agent || a == &goose.Agent; (!thorough || scope == Project) && (at+number+i)%every != 0 {
						continue
					}
					text := all[name]
					n++
					t.Run(fmt.Sprintf("%s %s %s: %s", a.Name, scope, filepath.Base(f.Path), name), func(t *testing.T) {
						t.Parallel()
						h := newHouse(t)
						s := h.of(a.Name, scope)
						file := must.Get(filepath.Rel(h.home, a.Config.Files(h.planner.place(a, s))[i].Path))(t)
						if name != "none" {
							h.write(file, text)
						}
						play(h, s, file, text)
					})
				}
			}
		}
	}
	if n < 300/every {
		t.Fatalf("only %d were played", n)
	}
}
