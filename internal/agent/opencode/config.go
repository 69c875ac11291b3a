package opencode

import (
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"opencode"},
	Home:     func(p agent.Place) string { return p.UserConfig("opencode") },
	Files: func(p agent.Place) []agent.File {
		dir, config := p.UserConfig("opencode"), "opencode.json"
		plugins := filepath.Join(dir, "plugin")
		if p.Below() {
			dir, plugins = p.Root, filepath.Join(p.Root, ".opencode", "plugin")
		}
		if p.Disk.There(filepath.Join(dir, "opencode.jsonc")) && !p.Disk.There(filepath.Join(dir, config)) {
			config = "opencode.jsonc"
		}
		allowed := agent.Member("permission", "allow", "permission", "pawl_*")
		allowed.Only = true // without any, all is allowed
		js := agent.WholeFile("plugin", filepath.Join(plugins, "pawl.js"), pluginText(p.Command))
		js.Pieces[0].Mark = pluginCalls
		return []agent.File{
			{Path: filepath.Join(dir, config), Pieces: []agent.Piece{
				agent.Member("server", agent.Value{"type", "local", "command", []string{p.Command, "mcp"}, "enabled", true}, "mcp", "pawl"), allowed,
			}},
			js,
			agent.Skill(p.Shared()),
		}
	},
	Steps: func(p agent.Place) []string {
		return []string{"restart it once while online: it fetches the package that its plugins are loaded with"}
	},
}

// pluginText is the plugin, which calls us as the other agents do.
func pluginText(command string) string {
	return strings.Replace(integrations.OpencodePlugin(), pluginCalls+`"pawl"`, pluginCalls+string(agent.Raw(command)), 1)
}

// pluginCalls is before the command in the plugin's text.
const pluginCalls = "process.env.PAWL_BIN || "
