package integrations

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// hooks is a file of hooks, in the form that all three programs use.
type hooks struct {
	Hooks map[string][]struct {
		Matcher string
		Hooks   []struct {
			Type, Command string
			Timeout       int
		}
	}
}

func readJSON[T any](t *testing.T, path string) T {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// TestHooks holds what is registered to what the hook understands: an event
// more is a process for nothing, an event less is a promise that is not kept.
func TestHooks(t *testing.T) {
	for _, test := range []struct {
		file, agent string
		timeout     int // 5 s, in the unit of the program
		short       int // what it allows at most at the end, and when the user breaks in
	}{
		{"plugin/hooks/hooks.json", "claude", 5, 5},
		{"plugin/hooks/codex.json", "codex", 5, 3},
		{"extension/hooks/hooks.json", "gemini", 5000, 5000},
	} {
		file := readJSON[hooks](t, test.file)
		var registered []string
		for event, groups := range file.Hooks {
			registered = append(registered, event)
			if len(groups) != 1 || groups[0].Matcher != "" || len(groups[0].Hooks) != 1 {
				t.Fatalf("%s: %s is more than one hook for all of it", test.file, event)
			}
			h := groups[0].Hooks[0]
			timeout := test.timeout
			if event == "SessionEnd" || event == "Interrupt" {
				timeout = test.short
			}
			// The rest of the line is held to what setup writes: setup.TestPackagedLines.
			if h.Type != "command" || !strings.Contains(h.Command, "pawl hook --agent "+test.agent+" ") || h.Timeout != timeout {
				t.Errorf("%s: %s runs %q for %d", test.file, event, h.Command, h.Timeout)
			}
		}
		slices.Sort(registered)
		if diff := cmp.Diff(understood(t, test.agent), registered); diff != "" {
			t.Errorf("%s: events that mean something to pawl hook (-), and those that are registered (+):\n%s", test.file, diff)
		}
	}
}

// understood are the events that the golden files of the hook have as
// something that Pawl acts on.
func understood(t *testing.T, agent string) []string {
	t.Helper()
	files, err := filepath.Glob("../internal/agent/" + agent + "/testdata/recorded/*.golden")
	files = append(files, "../internal/agent/"+agent+"/testdata/made.golden")
	if err != nil || len(files) < 2 {
		t.Fatalf("no golden files of %s: %v", agent, err)
	}
	acts := regexp.MustCompile(`(?m)^\d+ (\w+) .*\b(?:Kind|Tasks|Todos)=`)
	var events []string
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		for _, m := range acts.FindAllSubmatch(text, -1) {
			events = append(events, string(m[1]))
		}
	}
	slices.Sort(events)
	return slices.DeleteFunc(slices.Compact(events), func(event string) bool {
		// Claude Code tells the person and the model of each hook that ran then, and
		// both programs say at the next start that there was a compaction.
		return event == "PreCompact"
	})
}

// TestManifests holds the manifests to one another.
func TestManifests(t *testing.T) {
	type manifest struct {
		Schema      string `json:"$schema"`
		Name        string
		Version     string
		Description string
		License     string
		Repository  string
	}
	want := readJSON[manifest](t, "plugin/.claude-plugin/plugin.json")
	if want.Name != "pawl" || want.Version == "" || want.License != "MIT" {
		t.Errorf("the plugin for Claude Code is %+v", want)
	}
	for _, path := range []string{"plugin/.codex-plugin/plugin.json", "extension/plugin.json", "extension/gemini-extension.json"} {
		got := readJSON[manifest](t, path)
		got.Schema = ""
		if strings.HasSuffix(path, "gemini-extension.json") { // has no such fields
			got.License, got.Repository = want.License, want.Repository
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}

	market := readJSON[struct {
		Plugins []struct{ Name, Source, Description string }
	}](t, "../.claude-plugin/marketplace.json")
	if len(market.Plugins) != 1 || market.Plugins[0].Name != want.Name || market.Plugins[0].Description != want.Description {
		t.Fatalf("the marketplace offers %+v", market.Plugins)
	}
	if _, err := os.Stat(filepath.Join("..", market.Plugins[0].Source, ".claude-plugin", "plugin.json")); err != nil {
		t.Error(err)
	}
	codex := readJSON[struct {
		Skills, Hooks string
		MCPServers    map[string]struct {
			Vars []string `json:"env_vars"`
		}
	}](t, "plugin/.codex-plugin/plugin.json")
	// Codex cleans the environment of servers, and not that of hooks: without
	// these the two of them keep lists in different folders.
	vars := []string{"PAWL_BOARD", "PAWL_AGENT", "PAWL_SESSION", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}
	if diff := cmp.Diff(vars, codex.MCPServers["pawl"].Vars); diff != "" {
		t.Errorf("what Codex hands over to the server:\n%s", diff)
	}
	for _, path := range []string{codex.Skills, codex.Hooks} {
		if _, err := os.Stat(filepath.Join("plugin", path)); err != nil || !strings.HasPrefix(path, "./") {
			t.Errorf("the plugin for Codex names %q: %v", path, err)
		}
	}

	for _, path := range []string{"plugin/.mcp.json", "plugin/.codex-plugin/plugin.json", "extension/gemini-extension.json"} {
		type server struct {
			Command string
			Args    []string
		}
		got := readJSON[struct{ MCPServers map[string]server }](t, path)
		if diff := cmp.Diff(map[string]server{"pawl": {"pawl", []string{"mcp"}}}, got.MCPServers); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	if got := readJSON[manifest](t, "extension/plugin.json").Schema; got != "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json" {
		t.Errorf("the Agent Plugin is of %q", got)
	}
	// Where Agent Plugins are known a server is started in the plugin's own
	// folder, and nothing tells it the project. Codex takes a folder with this
	// manifest for nothing else, so hooks beside it would not run.
	for _, path := range []string{"extension/mcp.json", "plugin/plugin.json"} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s does harm", path)
		}
	}
}

// TestOneSkill: a folder is installed alone, so the other one needs a copy.
func TestOneSkill(t *testing.T) {
	copied := must.Get(os.ReadFile("extension/skills/pawl/SKILL.md"))(t)
	if !bytes.Equal(copied, Skill()) {
		t.Error("extension/skills/pawl/SKILL.md is not what plugin/skills/pawl/SKILL.md is: copy that")
	}
}

// command is a chat command in a file.
type command struct{ About, Prompt string }

// commands are those of a folder, by their name, with what the program puts in
// for the words behind it as ARGS.
func commands(t *testing.T, dir fs.FS, form *regexp.Regexp, args string) map[string]command {
	t.Helper()
	entries, err := fs.ReadDir(dir, ".")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no commands: %v", err)
	}
	all := map[string]command{}
	for _, e := range entries {
		text := must.Get(fs.ReadFile(dir, e.Name()))(t)
		m := form.FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s is not a command", e.Name())
		}
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		all[name] = command{string(m[1]), strings.ReplaceAll(string(m[2]), args, "ARGS")}
	}
	return all
}

func claudeCommands(t *testing.T) map[string]command {
	return commands(t, ClaudeCommands(), regexp.MustCompile(`(?s)\A---\ndescription: "([^"\\]+)"\nargument-hint: "[^"\\]+"\nallowed-tools: Bash\(pawl (?:todo|config|quiet):\*\)\ndisable-model-invocation: true\n---\n(.+)\z`), "$ARGUMENTS")
}

// TestCommands: the first line of a prompt is what the hook looks for, whether
// it sees what was typed, as in Claude Code, or the prompt, as in Gemini CLI.
// The rest is for a model that gets it even though it should not.
func TestCommands(t *testing.T) {
	claude := claudeCommands(t)
	gemini := commands(t, GeminiCommands(), regexp.MustCompile(`(?s)\Adescription = "([^"\\]+)"\nprompt = '''\n(.+)'''\n\z`), "{{args}}")
	if diff := cmp.Diff(claude, gemini); diff != "" {
		t.Errorf("commands of Claude Code (-) and of Gemini CLI (+):\n%s", diff)
	}
	for name, c := range claude {
		first, rest, _ := strings.Cut(c.Prompt, "\n")
		if first != "/pawl:"+name+" ARGS" {
			t.Errorf("%s begins with %q", name, first)
		}
		if strings.Contains(rest, "ARGS") || strings.Contains(rest, "'''") || !strings.Contains(rest, "run `pawl ") {
			t.Errorf("%s tells a model: %s", name, rest)
		}
		// Qwen Code shows the person all of it, also when the hook has answered.
		if strings.Contains(rest, "does not run") || !strings.Contains(rest, "A model that reads this is asked because no hook answered.") {
			t.Errorf("%s says what is not so where the hook answers: %s", name, rest)
		}
	}
}
