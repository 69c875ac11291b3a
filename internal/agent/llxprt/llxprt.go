// Package llxprt is what Pawl knows of LLxprt Code, which descends from
// Gemini CLI. Behaviour seen in Gemini CLI is assumed here, and was not tried.
package llxprt

import (
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/gemini"
)

// Agent is LLxprt Code.
var Agent = agent.Agent{
	Name: "llxprt", Title: "LLxprt Code",
	Config: &config,
	Hooks: &agent.Hooks{
		Decode: gemini.Decode, Encode: gemini.Encode, Refuses: true,
		Silent: true, Prints: []string{"-p", "--prompt"}, Native: "todo_write", EachModel: true, Pauses: "todo_pause", Shown: "mcp_pawl_",
	},
	Lists: []agent.ListTool{
		{Name: "todo_write", Read: agent.WholeList, Alone: true}, {Name: "todo_read", Alone: true}, {Name: "todo_pause", Alone: true},
		{Name: "tracker_add_dependency", Read: gemini.Dependency, Makes: "tracker_create_task", Changes: "tracker_update_task", Alone: true},
		{Name: "tracker_*", Read: gemini.Tracker, Makes: "tracker_create_task", Changes: "tracker_update_task", Alone: true},
	},
}
