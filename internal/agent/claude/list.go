package claude

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

// taskCall reads a call of Claude Code's task tools. Its subagents share the
// list of the main agent.
//
//	TaskCreate {"subject": "Write parser", "activeForm": "Writing parser"} → {"task": {"id": "1"}}
//	TaskUpdate {"taskId": "2", "addBlockedBy": ["1"]} → {"success": true}
func taskCall(e *agent.Event) (agent.Listing, bool) {
	var in struct {
		TaskID, Subject, ActiveForm, Status                              string
		AddBlockedBy, AddBlocks, RemoveBlockedBy, RemoveBlocks, Unblocks []string
	}
	var out struct{ Task struct{ ID string } }
	if json.Unmarshal(e.Input, &in) != nil {
		return agent.Listing{}, false
	}
	if e.Tool == "TaskCreate" {
		if json.Unmarshal(e.Output, &out) != nil || out.Task.ID == "" {
			return agent.Listing{}, false
		}
		in.TaskID, in.Status = out.Task.ID, "pending" // also if a todo with that text waits
	}
	if in.TaskID == "" {
		return agent.Listing{}, false
	}
	id := todo.NativeID(in.TaskID)
	l, is := agent.Entries([]agent.Entry{{ID: id, Content: in.Subject, Status: in.Status, ActiveForm: in.ActiveForm}}, true)
	l.Fresh = e.Tool == "TaskCreate"
	for _, other := range in.AddBlockedBy {
		l.Edges = append(l.Edges, agent.Edge{ID: id, Blocker: todo.NativeID(other)})
	}
	for _, other := range in.AddBlocks {
		l.Edges = append(l.Edges, agent.Edge{ID: todo.NativeID(other), Blocker: id})
	}
	for _, other := range in.RemoveBlockedBy {
		l.Edges = append(l.Edges, agent.Edge{ID: id, Blocker: todo.NativeID(other), Gone: true})
	}
	for _, other := range in.RemoveBlocks {
		l.Edges = append(l.Edges, agent.Edge{ID: todo.NativeID(other), Blocker: id, Gone: true})
	}
	return l, is
}

// taskList reads the answer of TaskList, which is the whole list.
//
//	{"tasks": [{"id": "2", "subject": "Add tests", "status": "pending", "blockedBy": ["1"]}]}
func taskList(e *agent.Event) (agent.Listing, bool) {
	var out struct {
		Tasks []struct {
			ID, Subject, Status string
			BlockedBy           []string
		}
	}
	if json.Unmarshal(e.Output, &out) != nil {
		return agent.Listing{}, false
	}
	var items []agent.Entry
	var edges []agent.Edge
	for _, t := range out.Tasks {
		items = append(items, agent.Entry{ID: todo.NativeID(t.ID), Content: t.Subject, Status: t.Status})
		for _, other := range t.BlockedBy {
			edges = append(edges, agent.Edge{ID: todo.NativeID(t.ID), Blocker: todo.NativeID(other)})
		}
	}
	l, is := agent.Entries(items, false)
	l.Main, l.Own, l.Edges, l.Anew = true, true, edges, true
	return l, is
}
