package crush

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"crush"},
	Home:     func(p agent.Place) string { return p.UserConfig("crush") },
	Files: func(p agent.Place) []agent.File {
		name := filepath.Join(p.UserConfig("crush"), "crush.json")
		if p.Below() {
			shared, own := filepath.Join(p.Root, "crush.json"), filepath.Join(p.Root, ".crush.json")
			if name = shared; p.Disk.There(own) || p.Scope == agent.Here && !p.Disk.There(shared) {
				name = own
			}
		}
		pieces := []agent.Piece{agent.Member("server", p.Server(agent.Value{"type", "stdio"}, nil), "mcp", "pawl")}
		for _, tool := range tools {
			pieces = append(pieces, agent.Element("permission", "mcp_pawl_"+tool, "permissions", "allowed_tools"))
		}
		pieces = append(pieces, agent.Element("hooks", agent.Value{"command", p.Hook(""), "timeout", agent.Seconds}, "hooks", "PreToolUse"))
		return []agent.File{{Path: name, Pieces: pieces}, agent.Skill(p.Shared())}
	},
	Steps: func(p agent.Place) []string {
		return []string{"restart it. It has hooks before tool calls only: ask it to go on, and it finds its list with todo_read"}
	},
	Windows: agent.Posix,
}

// tools are the names of Pawl's tools: Crush allows them one by one.
var tools = []string{"todo_write", "todo_read", "todo_pause", "task_create", "task_update", "task_list", "task_get", "task_claim"}
