package cursor

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"cursor", "cursor-agent"},
	Home:     func(p agent.Place) string { return p.Dir(".cursor", ".cursor") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Dir(".cursor", ".cursor")
		hooks := agent.File{Path: filepath.Join(dir, "hooks.json"), Pieces: []agent.Piece{agent.FormatVersion()}}
		for _, event := range []string{"sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "preCompact", "stop", "sessionEnd"} {
			// No timeout: whether it counts agent.Seconds is not certain.
			hooks.Pieces = append(hooks.Pieces, agent.Element("hooks", agent.Value{"command", p.Hook("")}, "hooks", event))
		}
		allowed := agent.Element("permission", "pawl:*", "mcpAllowlist")
		allowed.Only = true // a new list would take the place of the one that is kept in the editor
		return []agent.File{
			{Path: filepath.Join(dir, "mcp.json"), Pieces: []agent.Piece{agent.Member("server", p.Server(nil, nil), "mcpServers", "pawl")}},
			hooks,
			{Path: filepath.Join(dir, "permissions.json"), Pieces: []agent.Piece{allowed}},
			agent.Skill(p.Shared()),
		}
	},
	Steps: func(p agent.Place) []string {
		return append([]string{"switch the server on in Cursor's settings, and allow pawl:* there, unless permissions.json has a list already"}, p.Elsewhere()...)
	},
	Workspace: "${workspaceFolder}",
}
