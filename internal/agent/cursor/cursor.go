// Package cursor is what Pawl knows of Cursor.
package cursor

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Cursor.
var Agent = agent.Agent{
	Name: "cursor", Title: "Cursor",
	Marks:    []string{"CURSOR_AGENT"},
	Clients:  []string{"cursor"},
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Cursor", decode), Encode: encode,
		EachModel: true, Handles: true, Prints: []string{"-p", "--print"}, Stops: 5, // loop_limit
	},
}
