// Package copilot is what Pawl knows of Copilot CLI.
package copilot

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Copilot CLI.
var Agent = agent.Agent{
	Name: "copilot", Title: "Copilot CLI",
	Marks:    []string{"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"},
	Session:  "COPILOT_AGENT_SESSION_ID",
	Clients:  []string{"copilot", "github-copilot"},
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Copilot CLI", decode), Encode: encode, Refuses: true,
		Prints: []string{"-p", "--prompt"}, ByEntry: true, EachModel: true, Model: "COPILOT_MODEL", Shown: "pawl-", Stops: 8,
	},
}
