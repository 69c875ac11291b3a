package claude

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Variable: "CLAUDE_CONFIG_DIR",
	History:  ".claude.json", // of all projects
	Home:     func(p agent.Place) string { return p.Own(".claude", ".claude") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Own(".claude", ".claude")
		settings := agent.File{Path: filepath.Join(dir, "settings.json"), Pieces: slices.Concat(
			[]agent.Piece{agent.Element("permission", "mcp__pawl__*", "permissions", "allow")},
			// Without PreCompact: Claude Code tells the person and the agent of each hook
			// that ran then, and the start that follows says that there was a compaction.
			p.Nested(agent.Seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "TaskCreated",
				"TaskCompleted", "SubagentStart", "SubagentStop", "Stop", "StopFailure", "SessionEnd"),
		)}
		servers := agent.File{Path: filepath.Join(p.Root, ".mcp.json"), Pieces: []agent.Piece{agent.Member("server", p.Server(agent.Value{"type", "stdio"}, nil), "mcpServers", "pawl")}}
		if p.Scope == agent.User {
			servers.Path = filepath.Join(p.Home, ".claude.json")
			if p.Profile != "" {
				servers.Path = filepath.Join(p.Profile, ".claude.json")
			}
			settings.Pieces = append(settings.Pieces, agent.Member("status line",
				agent.Value{"type", "command", "command", p.Line(p.Shell(), "statusline"), "padding", 0, "refreshInterval", 5}, "statusLine"))
		}
		return slices.Concat([]agent.File{servers, settings, agent.Skill(filepath.Join(dir, "skills"))}, agent.Commands(filepath.Join(dir, "commands"), agent.Texts(integrations.ClaudeCommands())))
	},
	Packaged: func(p agent.Place) (string, string) {
		var enabled map[string]any
		_ = json.Unmarshal(p.Disk.JSON(filepath.Join(p.Own(".claude", ".claude"), "settings.json"), "enabledPlugins"), &enabled)
		for name, on := range enabled {
			if strings.HasPrefix(name, "pawl@") && on == true {
				return "the plugin " + name, "claude plugin uninstall " + name
			}
		}
		return "", ""
	},
	Steps: func(p agent.Place) []string {
		if p.Scope == agent.Project {
			return []string{"start Claude Code in the project and allow the server of .mcp.json once; for others with these files hooks do nothing where there is no pawl, and the server is shown as failed"}
		}
		return []string{"start Claude Code anew; /mcp shows the server, /hooks the hooks"}
	},
	Windows: agent.PosixPowershell,
	Brakes: []agent.Brake{
		{Path: "permissions.deny", Value: `"mcp__pawl`, What: "Pawl's tools are denied"},
		{Path: "permissions.ask", Value: `"mcp__pawl`, What: "it asks at each call of Pawl's tools"},
		{Path: "disabledMcpjsonServers", Value: `"pawl"`, What: "the server is switched off"},
	},
}
