// Package crush is what Pawl knows of Crush.
package crush

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Crush.
var Agent = agent.Agent{
	Name: "crush", Title: "Crush",
	Config: &config,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Crush", decode), Encode: encode,
		Shown: "mcp_pawl_",
	},
}
