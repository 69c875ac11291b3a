package attribution

import (
	"slices"
	"strings"
)

// tools are Pawl's own, under all names that it offers them.
var tools = []string{
	"todo_write", "todo_read", "todo_pause",
	"task_create", "task_update", "task_list", "task_get", "task_claim",
	"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet",
}

// Tool returns Pawl's name for a tool, from the name that a client shows
// another one, and whether it can be one of Pawl's: it has the name of a server
// before it, which is whatever the user called it.
//
//	mcp__pawl__todo_write   Claude Code, Codex, Qwen Code
//	mcp_pawl_todo_write     Gemini CLI
//	pawl-todo_write         Copilot CLI
//	pawl_todo_write         opencode
//	pawl__todo_write        Goose
func Tool(shown string) (name string, ours bool) {
	for _, tool := range tools {
		server, found := strings.CutSuffix(shown, tool)
		if found && len(server) > 1 && strings.ContainsAny(server[len(server)-1:], "_-.:/") {
			return tool, true
		}
	}
	return shown, slices.Contains(tools, shown) && strings.Contains(shown, "_") // Claude Code has tools named TodoWrite itself
}
