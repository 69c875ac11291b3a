package setup

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonc"
	"github.com/pawl-dev/pawl/internal/view"
)

// An Agent is a program that Pawl can be put into.
type Agent struct {
	Name  string // as --agent of the hook has it
	Title string // as people call it
	// files are what it needs in a scope. Nothing is nothing to do there.
	files func(p place) []File
	// steps are what only a person can do, after a setup.
	steps func(p place) []string
	// home is the folder that shows that the program is used here.
	home func(p place) string
	// packaged is what shows that Pawl is there as a package already, and what takes
	// that out; empty: it is not.
	packaged func(p place) (what, step string)
	// noProject says why it cannot be set up for one project; empty: it can.
	noProject string
}

// Agents are all that are known, the most used first.
var Agents = []*Agent{&claude, &codex, &gemini, &llxprt, &qwen, &copilot, &opencode, &vscode, &cursor, &goose, &crush, &windsurf}

// Find returns the agent with a name.
func Find(name string) (*Agent, error) {
	var names []string
	for _, a := range Agents {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	e := pawl.Errorf(pawl.NotFound, "there is no agent %q that pawl knows how to set up", view.Clip(name, 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "it is one of: " + strings.Join(names, ", ")}
	if near := view.Nearest(name, names); near != "" {
		e.Hint.Text = "pawl setup " + near
	}
	return nil, e
}

// twice says that an agent would have Pawl twice; empty: it would not.
func (a *Agent) twice(p place) (what, step string) {
	if a.packaged == nil {
		return "", ""
	}
	if what, step = a.packaged(p); what != "" {
		what += " brings tools and hooks too, which are there twice then"
	}
	return what, step
}

// A place is where an agent is set up: what its files depend on.
type place struct {
	Setup
	getenv func(string) string
	os     string // as runtime.GOOS
	home   string
}

// dir is the folder below the user's home, or below the project.
func (p place) dir(user, project string) string {
	if p.Scope == Project {
		return filepath.Join(p.Root, filepath.FromSlash(project))
	}
	return filepath.Join(p.home, filepath.FromSlash(user))
}

// own is dir, but for the user the folder that a variable names when it is set.
func (p place) own(variable, user, project string) string {
	if named := p.getenv(variable); p.Scope == User && filepath.IsAbs(named) {
		return named
	}
	return p.dir(user, project)
}

// config is a folder among the user's settings of programs.
func (p place) config(name string) string {
	base := p.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(p.home, ".config")
	}
	return filepath.Join(base, name)
}

// hook is the command line of a hook. It is the same in each version: Codex asks
// for trust again when it changes.
func (p place) hook(event string) string {
	line := p.program() + " hook --agent " + p.Agent
	if event != "" {
		line += " --event " + event
	}
	return line
}

// program is how a shell calls us.
func (p place) program() string {
	if !strings.ContainsFunc(p.Command, func(r rune) bool { return !plain(r) && (p.os != "windows" || r != '\\') }) {
		return p.Command
	}
	if p.os == "windows" {
		return `"` + p.Command + `"`
	}
	return "'" + strings.ReplaceAll(p.Command, "'", `'\''`) + "'"
}

func plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@", r) || r > 0x7f
}

// A value is an object whose members keep their order.
type value []any // name, value, name, value

func (v value) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i := 0; i < len(v); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, raw(v[i])...), ':')
		out = append(out, raw(v[i+1])...)
	}
	return append(out, '}'), nil
}

// raw is a value as JSON. What is given is made of texts, numbers and lists.
func raw(v any) json.RawMessage {
	if members, ok := v.(value); ok {
		text, _ := members.MarshalJSON()
		return text
	}
	if list, ok := v.([]value); ok {
		out := []byte("[")
		for i, e := range list {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, raw(e)...)
		}
		return append(out, ']')
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return json.RawMessage(strings.TrimSpace(b.String()))
}

// server is the entry that most agents have for one over standard input.
func (p place) server(first, last value) value {
	return slices.Concat(first, value{"command", p.Command, "args", []string{"mcp"}}, p.environment(), last)
}

// environment names the variables of ours for agents that hand their servers a
// cleaned environment: server and hooks must look into the same folders.
func (p place) environment() value {
	if p.Agent != "gemini" && p.Agent != "llxprt" {
		return nil
	}
	var env value
	for _, name := range folders {
		if p.getenv(name) != "" && p.Scope == User {
			env = append(env, name, "$"+name)
		}
	}
	if env == nil {
		return nil
	}
	return value{"env", env}
}

// folders are the variables that decide where the user's files are.
var folders = []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"}

func member(what string, value any, path ...string) Piece {
	return Piece{Kind: Member, For: what, Path: path, Value: raw(value)}
}

func element(what string, value any, path ...string) Piece {
	return Piece{Kind: Element, For: what, Path: path, Value: raw(value)}
}

// nested are hooks in the form of Claude Code: groups of hooks for each event.
func (p place) nested(timeout int, events ...string) (pieces []Piece) {
	for _, event := range events {
		handler := value{"type", "command", "command", p.hook(""), "timeout", timeout}
		pieces = append(pieces, element("hooks", value{"hooks", []value{handler}}, "hooks", event))
	}
	return pieces
}

// skill is the file that teaches the agent, in a folder of skills.
func skill(dir string) File {
	return whole("skill", filepath.Join(dir, "pawl", "SKILL.md"), skillText())
}

// shared is the folder of skills that several agents read.
func (p place) shared() string { return p.dir(".agents/skills", ".agents/skills") }

func whole(what, name, text string) File {
	return File{name, []Piece{{Kind: Whole, For: what, Text: text}}}
}

// commands are the chat commands, in a folder called pawl.
func commands(dir string, texts map[string]string) (files []File) {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		files = append(files, whole("chat commands", filepath.Join(dir, "pawl", name), texts[name]))
	}
	return files
}

// Timeouts of a hook. It ends after a second by itself; this is for a machine
// that does not even start it.
const (
	seconds = 5
	millis  = 5000
	// Codex warns at each start of more than that for some events.
	codexSeconds = 3
)

var claude = Agent{
	Name: "claude", Title: "Claude Code",
	home: func(p place) string { return p.own("CLAUDE_CONFIG_DIR", ".claude", ".claude") },
	files: func(p place) []File {
		dir := p.own("CLAUDE_CONFIG_DIR", ".claude", ".claude")
		settings := File{filepath.Join(dir, "settings.json"), slices.Concat(
			[]Piece{element("permission", "mcp__pawl__*", "permissions", "allow")},
			p.nested(seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "TaskCreated", "TaskCompleted",
				"SubagentStart", "SubagentStop", "PreCompact", "Stop", "StopFailure", "SessionEnd"),
		)}
		servers := File{filepath.Join(p.Root, ".mcp.json"), []Piece{member("server", p.server(value{"type", "stdio"}, nil), "mcpServers", "pawl")}}
		if p.Scope == User {
			servers.Path = filepath.Join(p.home, ".claude.json")
			if named := p.getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(named) {
				servers.Path = filepath.Join(named, ".claude.json")
			}
			settings.Pieces = append(settings.Pieces, member("status line",
				value{"type", "command", "command", p.program() + " statusline", "padding", 0, "refreshInterval", 5}, "statusLine"))
		}
		return slices.Concat([]File{servers, settings, skill(filepath.Join(dir, "skills"))}, commands(filepath.Join(dir, "commands"), claudeCommands()))
	},
	packaged: func(p place) (string, string) {
		text, _, _ := read(filepath.Join(p.own("CLAUDE_CONFIG_DIR", ".claude", ".claude"), "settings.json"))
		plugins, _ := jsonc.Get(text, "enabledPlugins")
		var enabled map[string]any
		_ = json.Unmarshal(plugins, &enabled)
		for name, on := range enabled {
			if strings.HasPrefix(name, "pawl@") && on == true {
				return "the plugin " + name, "claude plugin uninstall " + name
			}
		}
		return "", ""
	},
	steps: func(p place) []string {
		if p.Scope == Project {
			return []string{"start Claude Code in the project and allow the server of .mcp.json once"}
		}
		return []string{"start Claude Code anew; /mcp shows the server, /hooks the hooks"}
	},
}

var codex = Agent{
	Name: "codex", Title: "Codex",
	home: func(p place) string { return p.own("CODEX_HOME", ".codex", ".codex") },
	files: func(p place) []File {
		dir := p.own("CODEX_HOME", ".codex", ".codex")
		return []File{
			{filepath.Join(dir, "config.toml"), []Piece{{Kind: Table, For: "server", Path: []string{"mcp_servers", "pawl"}, Text: tomlMark +
				"written by pawl setup; pawl uninstall takes it out\n[mcp_servers.pawl]\ncommand = " + tomlString(p.Command) + "\nargs = [\"mcp\"]\n" +
				"env_vars = [\"XDG_STATE_HOME\", \"XDG_CONFIG_HOME\", \"PAWL_BOARD\", \"PAWL_AGENT\", \"PAWL_SESSION\"]\n" +
				"default_tools_approval_mode = \"approve\"\n"}}},
			{filepath.Join(dir, "hooks.json"), p.nested(codexSeconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse",
				"SubagentStart", "SubagentStop", "PreCompact", "Stop", "Interrupt", "SessionEnd")},
			skill(p.shared()),
		}
	},
	packaged: func(p place) (string, string) {
		text, _, _ := read(filepath.Join(p.own("CODEX_HOME", ".codex", ".codex"), "config.toml"))
		all, _ := statements(text)
		for _, st := range all {
			if st.header && len(st.path) == 2 && st.path[0] == "plugins" && strings.HasPrefix(st.path[1], "pawl@") {
				return "the plugin " + st.path[1], "codex plugin remove " + st.path[1]
			}
		}
		return "", ""
	},
	steps: func(p place) []string {
		steps := []string{"in Codex open /hooks once and trust Pawl's: until then Codex skips them without a word"}
		if p.Scope == Project {
			steps = append(steps, "Codex reads .codex only in a project that you trust: answer its question at the start")
		}
		return steps
	},
}

// tomlString is a text as TOML has it: between single quotes nothing is special.
func tomlString(s string) string {
	if strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return string(raw(s))
}

// geminiFiles are those of Gemini CLI and of what descends from it.
func geminiFiles(p place, dir string, more ...Piece) []File {
	var hooks []Piece
	for _, event := range []string{"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"} {
		handler := value{"type", "command", "command", p.hook(""), "name", "pawl", "timeout", millis}
		hooks = append(hooks, element("hooks", value{"hooks", []value{handler}}, "hooks", event))
	}
	server := member("server, and the permission", p.server(nil, value{"trust", true}), "mcpServers", "pawl")
	return slices.Concat(
		[]File{{filepath.Join(dir, "settings.json"), slices.Concat([]Piece{server}, hooks, more)}},
		commands(filepath.Join(dir, "commands"), geminiCommands()),
	)
}

var gemini = Agent{
	Name: "gemini", Title: "Gemini CLI",
	home: func(p place) string { return p.dir(".gemini", ".gemini") },
	files: func(p place) []File {
		return append(geminiFiles(p, p.dir(".gemini", ".gemini")), skill(p.shared()))
	},
	packaged: func(p place) (string, string) {
		if there(filepath.Join(p.home, ".gemini", "extensions", "pawl")) {
			return "the extension pawl", "gemini extensions uninstall pawl"
		}
		return "", ""
	},
	steps: func(p place) []string {
		return []string{"Gemini CLI runs a project's hooks, and calls servers unasked, only in a folder that you trust: /permissions"}
	},
}

var llxprt = Agent{
	Name: "llxprt", Title: "LLxprt Code",
	home: func(p place) string { return p.dir(".llxprt", ".llxprt") },
	files: func(p place) []File {
		dir := p.dir(".llxprt", ".llxprt")
		return append(geminiFiles(p, dir, member("hooks switched on", true, "hooksConfig", "enabled")), skill(filepath.Join(dir, "skills")))
	},
	steps: func(p place) []string {
		return []string{"LLxprt runs hooks only while hooksConfig.enabled is true, and in a folder that you trust"}
	},
}

var qwen = Agent{
	Name: "qwen", Title: "Qwen Code",
	home: func(p place) string { return p.dir(".qwen", ".qwen") },
	files: func(p place) []File {
		dir := p.dir(".qwen", ".qwen")
		return []File{
			{filepath.Join(dir, "settings.json"), slices.Concat(
				[]Piece{member("server, and the permission", p.server(nil, value{"trust", true}), "mcpServers", "pawl")},
				p.nested(millis, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "TodoCreated", "TodoCompleted",
					"SubagentStart", "SubagentStop", "PreCompact", "Stop", "StopFailure", "SessionEnd"),
			)},
			skill(filepath.Join(dir, "skills")),
		}
	},
	steps: func(p place) []string {
		return []string{"start Qwen Code anew; /mcp shows the server. A project's settings count only in a folder that you trust"}
	},
}

var copilot = Agent{
	Name: "copilot", Title: "Copilot CLI",
	home: func(p place) string { return p.own("COPILOT_HOME", ".copilot", ".github") },
	files: func(p place) []File {
		dir := p.own("COPILOT_HOME", ".copilot", ".github")
		servers := File{filepath.Join(dir, "mcp-config.json"), nil}
		if p.Scope == Project {
			servers.Path = filepath.Join(p.Root, ".github", "mcp.json")
		}
		servers.Pieces = []Piece{member("server", p.server(value{"type", "local"}, value{"tools", []string{"*"}}), "mcpServers", "pawl")}
		hooks := File{filepath.Join(dir, "hooks", "pawl.json"), []Piece{version()}}
		for _, event := range []string{"sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop",
			"preCompact", "agentStop", "errorOccurred", "sessionEnd"} {
			line := p.hook(event)
			powershell := line
			if strings.HasPrefix(line, `"`) || strings.HasPrefix(line, "'") {
				powershell = "& " + line
			}
			// Of all agents this one takes a hook before a call that ends with an error
			// for a no: without a pawl on its path no tool could be called.
			line, powershell = line+" || true", powershell+"; exit 0"
			hooks.Pieces = append(hooks.Pieces, element("hooks", value{"type", "command", "bash", line, "powershell", powershell, "timeoutSec", seconds}, "hooks", event))
		}
		return []File{servers, hooks, skill(p.shared())}
	},
	steps: func(p place) []string {
		steps := []string{"Copilot CLI keeps no permission in a file: start it with --allow-tool pawl, or say yes for the session when it asks"}
		if p.Scope == Project {
			steps = append(steps, "trust the folder when Copilot CLI asks: until then it skips the project's hooks")
		}
		return steps
	},
}

// version is the format that a file of hooks says it has.
func version() Piece {
	p := member("hooks", 1, "version")
	p.Frame = true
	return p
}

var opencode = Agent{
	Name: "opencode", Title: "opencode",
	home: func(p place) string { return p.config("opencode") },
	files: func(p place) []File {
		dir, config := p.config("opencode"), "opencode.json"
		plugins := filepath.Join(dir, "plugin")
		if p.Scope == Project {
			dir, plugins = p.Root, filepath.Join(p.Root, ".opencode", "plugin")
		}
		if there(filepath.Join(dir, "opencode.jsonc")) && !there(filepath.Join(dir, config)) {
			config = "opencode.jsonc"
		}
		allowed := member("permission", "allow", "permission", "pawl_*")
		allowed.Only = true // without any, all is allowed
		return []File{
			{filepath.Join(dir, config), []Piece{
				member("server", value{"type", "local", "command", []string{p.Command, "mcp"}, "enabled", true}, "mcp", "pawl"), allowed,
			}},
			whole("plugin", filepath.Join(plugins, "pawl.js"), opencodePlugin(p.Command)),
			skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"start opencode once while online: it fetches the package that its plugins are loaded with"}
	},
}

var vscode = Agent{
	Name: "vscode", Title: "VS Code",
	home: func(p place) string { return p.code() },
	files: func(p place) []File {
		servers := filepath.Join(p.code(), "mcp.json")
		hooks := File{filepath.Join(p.dir(".copilot/hooks", ".github/hooks"), "pawl-vscode.json"), nil}
		if p.Scope == Project {
			servers = filepath.Join(p.Root, ".vscode", "mcp.json")
		}
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact", "Stop"} {
			hooks.Pieces = append(hooks.Pieces, element("hooks", value{"type", "command", "command", p.hook(""), "timeout", seconds}, "hooks", event))
		}
		return []File{
			{servers, []Piece{member("server", p.server(value{"type", "stdio"}, nil), "servers", "pawl")}},
			hooks, skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{
			"VS Code asks before it starts the server, and at the first call: choose to allow Pawl's tools always",
			"hooks are a preview in VS Code, which your organization may have switched off",
		}
	},
}

// code is where VS Code keeps the user's settings.
func (p place) code() string {
	switch p.os {
	case "darwin":
		return filepath.Join(p.home, "Library", "Application Support", "Code", "User")
	case "windows":
		if data := p.getenv("APPDATA"); data != "" {
			return filepath.Join(data, "Code", "User")
		}
	}
	return filepath.Join(p.config("Code"), "User")
}

var cursor = Agent{
	Name: "cursor", Title: "Cursor",
	home: func(p place) string { return p.dir(".cursor", ".cursor") },
	files: func(p place) []File {
		dir := p.dir(".cursor", ".cursor")
		hooks := File{filepath.Join(dir, "hooks.json"), []Piece{version()}}
		for _, event := range []string{"sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "preCompact", "stop", "sessionEnd"} {
			// No timeout: whether it counts seconds is not certain.
			hooks.Pieces = append(hooks.Pieces, element("hooks", value{"command", p.hook("")}, "hooks", event))
		}
		allowed := element("permission", "pawl:*", "mcpAllowlist")
		allowed.Only = true // a new list would take the place of the one that is kept in the editor
		return []File{
			{filepath.Join(dir, "mcp.json"), []Piece{member("server", p.server(nil, nil), "mcpServers", "pawl")}},
			hooks,
			{filepath.Join(dir, "permissions.json"), []Piece{allowed}},
			skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"switch the server on in Cursor's settings, and allow pawl:* there, unless permissions.json has a list already"}
	},
}

var goose = Agent{
	Name: "goose", Title: "Goose",
	noProject: "Goose reads its servers from the user's configuration only",
	home:      func(p place) string { return p.goose() },
	files: func(p place) []File {
		plugin := filepath.Join(p.home, ".agents", "plugins", "pawl")
		return []File{
			{filepath.Join(p.goose(), "config.yaml"), []Piece{{Kind: Entry, For: "server", Path: []string{"extensions", "pawl"}, Text: "pawl:\n" +
				"  name: pawl\n  description: Todo lists and a shared task board\n  type: stdio\n  cmd: " + string(raw(p.Command)) +
				"\n  args: [\"mcp\"]\n  enabled: true\n  timeout: 60\n"}}},
			whole("hooks", filepath.Join(plugin, "plugin.json"),
				"{\n  \"name\": \"pawl\",\n  \"version\": \"1.0.0\",\n  \"description\": \"Todo lists and a shared task board\"\n}\n"),
			{filepath.Join(plugin, "hooks", "hooks.json"), p.nested(seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")},
			skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"in GOOSE_MODE auto Goose asks for nothing; in the others choose always allow at the first call"}
	},
}

func (p place) goose() string {
	if data := p.getenv("APPDATA"); p.os == "windows" && data != "" {
		return filepath.Join(data, "Block", "goose", "config")
	}
	return p.config("goose")
}

var crush = Agent{
	Name: "crush", Title: "Crush",
	home: func(p place) string { return p.config("crush") },
	files: func(p place) []File {
		name := filepath.Join(p.config("crush"), "crush.json")
		if p.Scope == Project {
			if name = filepath.Join(p.Root, "crush.json"); there(filepath.Join(p.Root, ".crush.json")) {
				name = filepath.Join(p.Root, ".crush.json")
			}
		}
		pieces := []Piece{member("server", p.server(value{"type", "stdio"}, nil), "mcp", "pawl")}
		for _, tool := range tools {
			pieces = append(pieces, element("permission", "mcp_pawl_"+tool, "permissions", "allowed_tools"))
		}
		pieces = append(pieces, element("hooks", value{"command", p.hook(""), "timeout", seconds}, "hooks", "PreToolUse"))
		return []File{{name, pieces}, skill(p.shared())}
	},
	steps: func(p place) []string {
		return []string{"start Crush anew. It has hooks before tool calls only: ask it to go on, and it finds its list with todo_read"}
	},
}

var windsurf = Agent{
	Name: "windsurf", Title: "Windsurf",
	noProject: "Windsurf reads its servers from the user's configuration only",
	home:      func(p place) string { return filepath.Join(p.home, ".codeium", "windsurf") },
	files: func(p place) []File {
		dir := filepath.Join(p.home, ".codeium", "windsurf")
		hooks := File{filepath.Join(dir, "hooks.json"), nil}
		for _, event := range []string{"pre_mcp_tool_use", "post_mcp_tool_use", "pre_run_command", "post_run_command"} {
			hooks.Pieces = append(hooks.Pieces, element("hooks", value{"command", p.hook(""), "show_output", false}, "hooks", event))
		}
		return []File{
			{filepath.Join(dir, "mcp_config.json"), []Piece{member("server", p.server(nil, nil), "mcpServers", "pawl")}},
			hooks, skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"refresh the servers in Windsurf's MCP panel; it asks at the first call of a tool, and takes no hints from hooks"}
	},
}
