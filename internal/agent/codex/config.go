package codex

import (
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Variable: "CODEX_HOME",
	Programs: []string{"codex"},
	Home:     func(p agent.Place) string { return p.Own(".codex", ".codex") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Own(".codex", ".codex")
		return []agent.File{
			{Path: filepath.Join(dir, "config.toml"), Pieces: []agent.Piece{{Kind: agent.KindTable, For: "server, and the permission", Path: []string{"mcp_servers", "pawl"}, Text: agent.TOMLMark +
				"written by pawl setup; pawl setup --remove takes it out\n[mcp_servers.pawl]\ncommand = " + tomlString(p.Command) + "\nargs = [\"mcp\"]\n" +
				"env_vars = [\"XDG_STATE_HOME\", \"XDG_CONFIG_HOME\", \"PAWL_BOARD\", \"PAWL_AGENT\", \"PAWL_SESSION\"]\n" +
				"default_tools_approval_mode = \"approve\"\n"}}},
			{Path: filepath.Join(dir, "hooks.json"), Pieces: hooks(p)},
			agent.Skill(p.Shared()),
		}
	},
	Packaged: func(p agent.Place) (string, string) {
		for _, table := range p.Disk.Tables(filepath.Join(p.Own(".codex", ".codex"), "config.toml")) {
			if len(table) == 2 && table[0] == "plugins" && strings.HasPrefix(table[1], "pawl@") {
				return "the plugin " + table[1], "codex plugin remove " + table[1]
			}
		}
		return "", ""
	},
	Steps: func(p agent.Place) []string {
		steps := []string{"in /hooks, trust Pawl's; until then it skips them silently"}
		if p.Below() {
			return append([]string{"restart it here, and trust the project when it asks: it reads .codex only then"}, steps...)
		}
		return append([]string{"restart it"}, steps...)
	},
	Windows: agent.Cmd,
	Brakes: []agent.Brake{
		{Path: "features.hooks", Value: "false", What: "hooks are switched off"},
		{Path: "features.codex_hooks", Value: "false", What: "hooks are switched off"},
		{Path: "mcp_servers.pawl.enabled", Value: "false", What: "the server is switched off"},
	},
}

// seconds are the timeout of a hook: Codex warns at each start of more than that
// for some events.
const seconds = 3

// hooks are in a project for any system.
func hooks(p agent.Place) (pieces []agent.Piece) {
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact", "Stop", "Interrupt", "SessionEnd"} {
		handler := agent.Value{"type", "command", "command", p.Hook("")}
		if p.Scope == agent.Project {
			handler = agent.Value{"type", "command", "command", p.Line(agent.Posix, p.HookArgs("")), "commandWindows", p.Line(agent.Cmd, p.HookArgs(""))}
		}
		pieces = append(pieces, agent.Group(event, append(handler, "timeout", seconds)))
	}
	return pieces
}

// tomlString is a text as TOML has it: between single quotes nothing is special.
func tomlString(s string) string {
	if strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return string(agent.Raw(s))
}
