package setup

import (
	"path/filepath"
)

var opencode = Agent{
	Name: "opencode", Title: "opencode",
	home: func(p place) string { return p.config("opencode") },
	files: func(p place) []File {
		dir, config := p.config("opencode"), "opencode.json"
		plugins := filepath.Join(dir, "plugin")
		if p.Scope == Project {
			dir, plugins = p.Root, filepath.Join(p.Root, ".opencode", "plugin")
		}
		if there(filepath.Join(dir, "opencode.jsonc")) && !there(filepath.Join(dir, config)) {
			config = "opencode.jsonc"
		}
		allowed := member("permission", "allow", "permission", "pawl_*")
		allowed.Only = true // without any, all is allowed
		return []File{
			{filepath.Join(dir, config), []Piece{
				member("server", value{"type", "local", "command", []string{p.Command, "mcp"}, "enabled", true}, "mcp", "pawl"), allowed,
			}},
			whole("plugin", filepath.Join(plugins, "pawl.js"), opencodePlugin(p.Command)),
			skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"start opencode once while online: it fetches the package that its plugins are loaded with"}
	},
}
