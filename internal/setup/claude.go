package setup

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/jsonc"
)

var claude = Agent{
	Name: "claude", Title: "Claude Code",
	variable: "CLAUDE_CONFIG_DIR",
	home:     func(p place) string { return p.own(".claude", ".claude") },
	files: func(p place) []File {
		dir := p.own(".claude", ".claude")
		settings := File{filepath.Join(dir, "settings.json"), slices.Concat(
			[]Piece{element("permission", "mcp__pawl__*", "permissions", "allow")},
			// Without PreCompact: Claude Code tells the person and the agent of each hook
			// that ran then, and the start that follows says that there was a compaction.
			p.nested(seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "TaskCreated",
				"TaskCompleted", "SubagentStart", "SubagentStop", "Stop", "StopFailure", "SessionEnd"),
		)}
		servers := File{filepath.Join(p.Root, ".mcp.json"), []Piece{member("server", p.server(value{"type", "stdio"}, nil), "mcpServers", "pawl")}}
		if p.Scope == User {
			servers.Path = filepath.Join(p.home, ".claude.json")
			if p.Profile != "" {
				servers.Path = filepath.Join(p.Profile, ".claude.json")
			}
			settings.Pieces = append(settings.Pieces, member("status line",
				value{"type", "command", "command", p.line(p.shell(), "statusline"), "padding", 0, "refreshInterval", 5}, "statusLine"))
		}
		return slices.Concat([]File{servers, settings, skill(filepath.Join(dir, "skills"))}, commands(filepath.Join(dir, "commands"), claudeCommands()))
	},
	packaged: func(p place) (string, string) {
		text, _, _ := read(filepath.Join(p.own(".claude", ".claude"), "settings.json"))
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
			return []string{"start Claude Code in the project and allow the server of .mcp.json once; for others with these files hooks do nothing where there is no pawl, and the server is shown as failed"}
		}
		return []string{"start Claude Code anew; /mcp shows the server, /hooks the hooks"}
	},
}
