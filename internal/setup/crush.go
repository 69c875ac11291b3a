package setup

import (
	"path/filepath"
)

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
