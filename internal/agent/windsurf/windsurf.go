// Package windsurf is what Pawl knows of Windsurf.
package windsurf

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Windsurf.
var Agent = agent.Agent{
	Name: "windsurf", Title: "Windsurf",
	Config: &config,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Windsurf", decode), Encode: encode,
	},
}
