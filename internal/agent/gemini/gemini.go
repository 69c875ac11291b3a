// Package gemini is what Pawl knows of Gemini CLI.
package gemini

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Gemini CLI.
var Agent = agent.Agent{
	Name: "gemini", Title: "Gemini CLI",
	Marks:   []string{"GEMINI_CLI"},
	Session: "GEMINI_SESSION_ID",
	Clients: []string{"gemini-cli"},
	// It gives its model two tools for reading them, 1,072 bytes a request in 0.61.0: Pawl's own read the same.
	Resources: func(func(string) string) bool { return false },
	Config:    &config,
	Headless:  &headless,
	Hooks: &agent.Hooks{
		Decode: Decode, Encode: Encode, Refuses: true,
		EndsTurn: true, Handles: true, Silent: true, Prints: []string{"-p", "--prompt"},
		Native: "write_todos", Owns: owns, Model: "GEMINI_MODEL", Shown: "mcp_pawl_", Off: "/pawl:continuation off",
	},
	Lists: []agent.ListTool{
		{Name: "write_todos", Read: agent.WholeList},
		{Name: "tracker_add_dependency", Read: Dependency, Makes: "tracker_create_task", Changes: "tracker_update_task", Alone: true},
		{Name: "tracker_*", Read: Tracker, Makes: "tracker_create_task", Changes: "tracker_update_task", Alone: true},
	},
}

// owns says which models do not have write_todos. Those that have it may have the tracker
// in its place, by a setting.
func owns(s agent.Session, tool string) agent.Owns {
	if listed, known := agent.Listed(s.Model); tool == "write_todos" && known && !listed {
		return agent.Lacks
	}
	return agent.Unknown
}
