package windsurf

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs:  []string{"windsurf"},
	Asks:      true,
	NoProject: "Windsurf reads its servers from the user's configuration only",
	Home:      func(p agent.Place) string { return filepath.Join(p.Home, ".codeium", "windsurf") },
	Files: func(p agent.Place) []agent.File {
		dir := filepath.Join(p.Home, ".codeium", "windsurf")
		hooks := agent.File{Path: filepath.Join(dir, "hooks.json")}
		for _, event := range []string{"pre_mcp_tool_use", "post_mcp_tool_use", "pre_run_command", "post_run_command"} {
			hooks.Pieces = append(hooks.Pieces, agent.Element("hooks", agent.Value{"command", p.Hook(""), "show_output", false}, "hooks", event))
		}
		return []agent.File{
			{Path: filepath.Join(dir, "mcp_config.json"), Pieces: []agent.Piece{agent.Member("server", p.Server(nil, nil), "mcpServers", "pawl")}},
			hooks, agent.Skill(p.Shared()),
		}
	},
	Steps: func(p agent.Place) []string {
		return []string{"refresh the servers in Windsurf's MCP panel; it asks at the first call of a tool, and takes no hints from hooks"}
	},
}
