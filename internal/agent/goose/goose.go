// Package goose is what Pawl knows of Goose.
package goose

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Goose.
var Agent = agent.Agent{
	Name: "goose", Title: "Goose",
	Marks:   []string{"GOOSE_TERMINAL"},
	Session: "AGENT_SESSION_ID",
	Clients: []string{"goose"},
	Config:  &config,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Goose", decode), Encode: encode,
		Prints: []string{"run"}, Shown: "pawl__", Stops: 8, // GOOSE_STOP_HOOK_BLOCK_CAP
	},
}
