// Package qwen is what Pawl knows of Qwen Code.
package qwen

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Qwen Code.
var Agent = agent.Agent{
	Name: "qwen", Title: "Qwen Code",
	Marks:    []string{"QWEN_CODE", "QWEN_CODE_SESSION_ID"},
	Session:  "QWEN_CODE_SESSION_ID",
	Clients:  []string{"qwen-cli"},
	Data:     []string{"qwen-cli-mcp-client*"}, // which appends the server's name; seen in 0.24.4
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Qwen Code", decode), Encode: encode, Refuses: true,
		Handles: true, Prints: []string{"-p", "--prompt"}, Shown: "mcp__pawl__", Off: "/pawl:continuation off", // todo_write is off by default
		Stops: 8, // stopHookBlockingCap
	},
	Lists: []agent.ListTool{{Name: "todo_write", Read: agent.WholeList, Alone: true}, {Name: "todo_read", Alone: true}, {Name: "todo_pause", Alone: true}},
}
