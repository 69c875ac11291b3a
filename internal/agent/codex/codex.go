// Package codex is what Pawl knows of Codex.
package codex

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Codex.
var Agent = agent.Agent{
	Name: "codex", Title: "Codex",
	Marks:    []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"},
	Session:  "CODEX_THREAD_ID",
	Clients:  []string{"codex"},
	Data:     []string{"codex-mcp-client"}, // seen in 0.169
	Meta:     meta,
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: decode, Encode: encode, Refuses: true,
		Handles: true, Prints: []string{"exec", "e", "review"}, Shown: "mcp__pawl__", // update_plan depends on the model
	},
	Lists: []agent.ListTool{{Name: "update_plan", Read: agent.WholeList}},
}
