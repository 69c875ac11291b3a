// Package vscode is what Pawl knows of VS Code.
package vscode

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is VS Code.
var Agent = agent.Agent{
	Name: "vscode", Title: "VS Code",
	Clients: []string{"visual studio code"},
	Config:  &config,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("VS Code", decode), Encode: encode, Refuses: true,
		EachModel: true, Shown: "mcp_pawl_",
	},
	Lists: []agent.ListTool{{Name: "manage_todo_list", Read: agent.WholeList}},
}
