// Package copilot is what Pawl knows of Copilot CLI.
package copilot

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Copilot CLI.
var Agent = agent.Agent{
	Name: "copilot", Title: "Copilot CLI",
	Config: &config,
	Hooks: &agent.Hooks{
		Decode: decode, Encode: encode,
		Prints: []string{"-p", "--prompt"}, ByEntry: true, Shown: "pawl-", Stops: 8,
	},
}
