// Package claude is what Pawl knows of Claude Code.
package claude

import "github.com/pawl-dev/pawl/internal/agent"

// Agent is Claude Code.
var Agent = agent.Agent{
	Name: "claude", Title: "Claude Code",
	Marks:    []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID"},
	Session:  "CLAUDE_CODE_SESSION_ID",
	Clients:  []string{"claude-code"},
	Project:  "CLAUDE_PROJECT_DIR",
	Data:     []string{"claude-code"}, // seen in 2.1.329
	Meta:     meta,
	Config:   &config,
	Headless: &headless,
	Hooks: &agent.Hooks{
		Decode: agent.Decoder("Claude Code", decode), Encode: encode, Refuses: true,
		EndsTurn: true, Handles: true, Prints: []string{"-p", "--print"},
		Native: "TaskCreate", Rare: true, Shown: "mcp__pawl__", Off: "/pawl:continuation off",
		Stops: 8, StopsIn: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
	},
	Lists: []agent.ListTool{
		{Name: "TodoWrite", Read: agent.WholeList}, {Name: "TodoRead"},
		{Name: "TaskCreate", Read: taskCall, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskUpdate", Read: taskCall, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskList", Read: taskList, Makes: "TaskCreate", Changes: "TaskUpdate"},
		{Name: "TaskGet"},
	},
}

// meta reads the number of the call:
//
//	{"claudecode/toolUseId": "toolu_01…"}
func meta(field func(path ...string) string) agent.Meta {
	return agent.Meta{ToolUse: field("claudecode/toolUseId")}
}
