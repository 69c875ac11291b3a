package gemini

import (
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"gemini"},
	Home:     func(p agent.Place) string { return p.Dir(".gemini", ".gemini") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Dir(".gemini", ".gemini")
		return slices.Concat(Files(p, dir), []agent.File{agent.Skill(p.Shared())}, agent.Commands(filepath.Join(dir, "commands"), agent.Texts(integrations.GeminiCommands())))
	},
	Packaged: func(p agent.Place) (string, string) {
		if p.Disk.There(filepath.Join(p.Home, ".gemini", "extensions", "pawl")) {
			return "the extension pawl", "gemini extensions uninstall pawl"
		}
		return "", ""
	},
	Steps: func(p agent.Place) []string {
		return []string{"restart it; it runs a project's hooks, and calls servers unasked, only in a folder that you trust: /permissions"}
	},
	Windows: agent.Powershell,
	Cleans:  true,
	Brakes: []agent.Brake{
		{Path: "hooksConfig.enabled", Value: "false", What: "hooks are switched off"},
		{Path: "hooksConfig.disabled", Value: `"pawl"`, What: "the hooks are switched off"},
		{Path: "mcp.excluded", Value: `"pawl"`, What: "the server is switched off"},
	},
}

// Files are the settings of Gemini CLI and of what descends from it.
func Files(p agent.Place, dir string, more ...agent.Piece) []agent.File {
	var hooks []agent.Piece
	for _, event := range []string{"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"} {
		hooks = append(hooks, agent.Group(event, agent.Value{"type", "command", "command", p.Hook(""), "name", "pawl", "timeout", agent.Millis}))
	}
	server := agent.Member("server, and the permission", p.Server(nil, agent.Value{"trust", true}), "mcpServers", "pawl")
	return []agent.File{{Path: filepath.Join(dir, "settings.json"), Pieces: slices.Concat([]agent.Piece{server}, hooks, more)}}
}
