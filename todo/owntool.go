package todo

import "strings"

// ownTools are the tools that keep lists and boards, in small letters: Pawl's
// names, and those of Claude Code.
var ownTools = []string{
	"todo_write", "todo_read", "todo_pause", "task_create", "task_update", "task_list", "task_get", "task_claim",
	"todowrite", "todoread", "todopause", "taskcreate", "taskupdate", "tasklist", "taskget",
}

// OwnTool reports whether a tool is one of those that keep the list itself,
// under whatever name a client calls it: todo_write, mcp__pawl__todo_write,
// pawl-todo_read, mcp_pawl_task_get, TodoWrite.
func OwnTool(name string) bool {
	name = strings.ToLower(name)
	for _, own := range ownTools {
		before, ok := strings.CutSuffix(name, own)
		switch {
		case !ok:
		case before == "", strings.HasSuffix(before, "__"), strings.IndexByte(".-/:", before[len(before)-1]) >= 0:
			return true
		case strings.HasSuffix(before, "_"): // create_task_list is somebody else's
			return strings.HasPrefix(before, "mcp_") || strings.HasSuffix(before, "pawl_")
		}
	}
	return false
}
