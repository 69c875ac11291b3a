// Package opencode is what Pawl knows of opencode.
package opencode

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is opencode.
var Agent = agent.Agent{
	Name: "opencode", Title: "opencode",
	Marks:    []string{"OPENCODE"},
	Clients:  []string{"opencode"},
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("opencode", decode), Encode: encode,
		Handles: true, Prints: []string{"run"}, Native: "todowrite", EachModel: true, Shown: "pawl_", Off: "/pawl:continuation off",
	},
	Lists: []agent.ListTool{{Name: "todowrite", Read: agent.WholeList}, {Name: "todoread"}},
}
