package llxprt

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/gemini"
)

// Without chat commands: its hooks cannot keep a prompt from the model.
var config = agent.Config{
	Programs: []string{"llxprt"},
	Home:     func(p agent.Place) string { return p.Dir(".llxprt", ".llxprt") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Dir(".llxprt", ".llxprt")
		enabled := agent.Member("hooks switched on", true, "hooksConfig", "enabled")
		enabled.Common = true
		return append(gemini.Files(p, dir, enabled), agent.Skill(filepath.Join(dir, "skills")))
	},
	Steps: func(p agent.Place) []string {
		return []string{"LLxprt runs hooks only while hooksConfig.enabled is true, and in a folder that you trust"}
	},
	Windows: agent.Powershell,
	Cleans:  true,
	Brakes: []agent.Brake{
		{Path: "hooksConfig.disabled", Value: `"pawl"`, What: "the hooks are switched off"},
		{Path: "mcp.excluded", Value: `"pawl"`, What: "the server is switched off"},
	},
}
