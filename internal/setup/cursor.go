package setup

import (
	"path/filepath"
)

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
		return append([]string{"switch the server on in Cursor's settings, and allow pawl:* there, unless permissions.json has a list already"}, p.elsewhere()...)
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
