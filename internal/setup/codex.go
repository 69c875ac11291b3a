package setup

import (
	"path/filepath"
	"strings"
)

var codex = Agent{
	Name: "codex", Title: "Codex",
	variable: "CODEX_HOME",
	home:     func(p place) string { return p.own(".codex", ".codex") },
	files: func(p place) []File {
		dir := p.own(".codex", ".codex")
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
		text, _, _ := read(filepath.Join(p.own(".codex", ".codex"), "config.toml"))
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
