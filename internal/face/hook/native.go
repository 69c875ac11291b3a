package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// isNative reports whether a tool is the agent's own for its todo list.
func isNative(agent, tool string) bool {
	switch tool {
	case "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", // Claude Code
		"update_plan",           // Codex
		"write_todos",           // Gemini CLI
		"todowrite", "todoread", // opencode
		"manage_todo_list": // VS Code
		return true
	case "todo_write", "todo_read", "todo_pause": // Pawl's have its server's name before them
		return agent == "qwen" || agent == "llxprt"
	}
	return strings.HasPrefix(tool, "tracker_") && (agent == "gemini" || agent == "llxprt")
}

// A listing is what an event says of the agent's own list, as todo.Decode takes
// it.
type listing struct {
	todos json.RawMessage
	merge bool
	main  bool // it is the main agent's list, whoever changed it
	own   bool // it can only tell of entries of the agent's own
}

// mirror keeps the agent's own list as the session's, so that an agent that
// knows nothing of Pawl gets all that Pawl does for a list. It returns what a
// call of this agent wrote in its own list.
//
// What the agent cannot have meant stays: todos that people added and it was not
// told of yet, and those that came from elsewhere.
func (s *session) mirror(ctx context.Context, e *Event) (written todo.Written, err error) {
	l, is := s.listing(ctx, e)
	if !is {
		return written, nil
	}
	key := s.key
	if l.main {
		key.Agent = ""
	}
	if e.Kind == nudge.CallEnds {
		e.Call.Updates = true
		if key == s.key && (isNative(s.d.Agent, e.Tool) || len(e.Tasks) > 0) {
			s.mem.Maker = maker(e.Tool)
		}
	}
	draft, err := todo.Decode(l.todos, l.merge)
	if err != nil {
		if l.merge { // of an entry that was made before there were hooks, the text is not known
			return written, nil
		}
		return written, err
	}
	w, err := s.todos.Write(ctx, key, draft, todo.Writing{Merge: l.merge, Project: s.place.project, Keep: func(list todo.List, it todo.Item) bool {
		return l.own && !strings.HasPrefix(it.ID, native("")) || len(list.News) > 0 && it.Open() && it.Personal()
	}})
	if err != nil {
		return written, err
	}
	if key == s.key && e.Kind == nudge.CallEnds {
		written = w
	}
	if len(s.mem.Waits) == 0 {
		return written, nil
	}
	return written, s.settleWaits(ctx, key)
}

// maker is the tool with which the agent makes the list that another one
// changes.
func maker(tool string) string {
	switch {
	case strings.HasPrefix(tool, "Task"):
		return "TaskCreate"
	case strings.HasPrefix(tool, "tracker_"):
		return "tracker_create_task"
	}
	return tool
}

// updater is the tool that changes the list which another one makes.
func updater(tool string) string {
	for _, pair := range [][2]string{{"TaskCreate", "TaskUpdate"}, {"tracker_create_task", "tracker_update_task"}} {
		if before, ok := strings.CutSuffix(tool, pair[0]); ok {
			return before + pair[1]
		}
	}
	return tool
}

// listing reads what an event says.
func (s *session) listing(ctx context.Context, e *Event) (listing, bool) {
	switch {
	case e.Todos != nil:
		return listing{todos: e.Todos}, true
	case len(e.Tasks) > 0:
		return s.changes(ctx, e.Tasks)
	case e.Kind != nudge.CallEnds || e.Call.Failed || !isNative(s.d.Agent, e.Tool):
		return listing{}, false
	}
	switch e.Tool {
	case "TaskCreate", "TaskUpdate":
		return s.taskCall(e)
	case "TaskList":
		return s.taskList(e)
	case "tracker_add_dependency":
		var in struct{ TaskID, DependencyID string }
		if json.Unmarshal(e.Input, &in) == nil && in.TaskID != "" {
			s.wait(native(in.TaskID), native(in.DependencyID))
		}
		return trackerList(e)
	case "TodoRead", "TaskGet", "todo_read", "todoread", "todo_pause":
		return listing{}, false
	}
	if strings.HasPrefix(e.Tool, "tracker_") {
		return trackerList(e)
	}
	return listing{todos: e.Input}, true
}

// changes reads single changes of the list. One without an id is meant for all
// entries.
func (s *session) changes(ctx context.Context, tasks []NativeTask) (listing, bool) {
	var items []entry
	for _, task := range tasks {
		if task.ID != "" {
			items = append(items, entry{ID: native(task.ID), Content: task.Subject, Status: task.Status})
			continue
		}
		list, err := s.todos.Look(ctx, todo.Key{Session: s.key.Session})
		s.try(err)
		for i := range list.Items {
			items = append(items, entry{ID: list.Items[i].ID, Status: task.Status})
		}
	}
	return entries(items, true)
}

// native is the id under which an entry of an agent's own list is kept. Those
// are often numbers, as the ids that Pawl gives.
func native(id string) string { return "native-" + id }

// An entry is one of a list, as todo.Decode knows its keys.
type entry struct {
	ID         string `json:"id"`
	Content    string `json:"content,omitempty"`
	Status     string `json:"status,omitempty"`
	ActiveForm string `json:"activeForm,omitempty"`
}

func entries(items []entry, merge bool) (listing, bool) {
	text, err := json.Marshal(items)
	return listing{todos: text, merge: merge, main: merge}, err == nil && len(items) > 0
}

// taskCall reads a call of Claude Code's task tools. Its subagents share the
// list of the main agent.
//
//	TaskCreate {"subject": "Write parser", "activeForm": "Writing parser"} → {"task": {"id": "1"}}
//	TaskUpdate {"taskId": "2", "addBlockedBy": ["1"]} → {"success": true}
func (s *session) taskCall(e *Event) (listing, bool) {
	var in struct {
		TaskID, Subject, ActiveForm, Status                              string
		AddBlockedBy, AddBlocks, RemoveBlockedBy, RemoveBlocks, Unblocks []string
	}
	var out struct{ Task struct{ ID string } }
	if json.Unmarshal(e.Input, &in) != nil {
		return listing{}, false
	}
	if e.Tool == "TaskCreate" {
		if json.Unmarshal(e.Output, &out) != nil || out.Task.ID == "" {
			return listing{}, false
		}
		in.TaskID = out.Task.ID
	}
	if in.TaskID == "" {
		return listing{}, false
	}
	id := native(in.TaskID)
	for _, other := range in.AddBlockedBy {
		s.wait(id, native(other))
	}
	for _, other := range in.AddBlocks {
		s.wait(native(other), id)
	}
	for _, other := range in.RemoveBlockedBy {
		s.unwait(id, native(other))
	}
	for _, other := range in.RemoveBlocks {
		s.unwait(native(other), id)
	}
	return entries([]entry{{id, in.Subject, in.Status, in.ActiveForm}}, true)
}

// taskList reads the answer of TaskList, which is the whole list.
//
//	{"tasks": [{"id": "2", "subject": "Add tests", "status": "pending", "blockedBy": ["1"]}]}
func (s *session) taskList(e *Event) (listing, bool) {
	var out struct {
		Tasks []struct {
			ID, Subject, Status string
			BlockedBy           []string
		}
	}
	if json.Unmarshal(e.Output, &out) != nil {
		return listing{}, false
	}
	s.mem.Waits = nil
	var items []entry
	for _, t := range out.Tasks {
		items = append(items, entry{ID: native(t.ID), Content: t.Subject, Status: t.Status})
		for _, other := range t.BlockedBy {
			s.wait(native(t.ID), native(other))
		}
	}
	l, is := entries(items, false)
	l.main, l.own = true, true
	return l, is
}

// trackerList reads what Gemini CLI shows of its tracker after each call, which
// is the whole list.
//
//	{"returnDisplay": {"todos": [{"description": "task: Add tests (e1c7e8)", "status": "pending"}]}}
func trackerList(e *Event) (listing, bool) {
	var out struct {
		ReturnDisplay struct {
			Todos []struct{ Description, Status string }
		}
	}
	if json.Unmarshal(e.Output, &out) != nil {
		return listing{}, false
	}
	var items []entry
	for _, t := range out.ReturnDisplay.Todos {
		_, text, found := strings.Cut(t.Description, ": ")
		at := strings.LastIndex(text, " (")
		if !found || at < 0 || !strings.HasSuffix(text, ")") {
			return listing{}, false
		}
		items = append(items, entry{ID: native(text[at+2 : len(text)-1]), Content: text[:at], Status: t.Status})
	}
	l, is := entries(items, false)
	l.own = true
	return l, is
}

// wait notes that an entry waits for another one.
func (s *session) wait(id, blocker string) {
	if s.mem.Waits == nil {
		s.mem.Waits = map[string][]string{}
	}
	if waits := s.mem.Waits[id]; !slices.Contains(waits, blocker) && len(waits) < maxWaits && (len(waits) > 0 || len(s.mem.Waits) < maxWaits) {
		s.mem.Waits[id] = append(waits, blocker)
	}
}

// unwait notes that it does so no more. The entry is kept, for settleWaits.
func (s *session) unwait(id, blocker string) {
	if waits, known := s.mem.Waits[id]; known {
		s.mem.Waits[id] = slices.DeleteFunc(waits, func(w string) bool { return w == blocker })
	}
}

// settleWaits marks what waits for an open entry, and what does so no more: an
// agent is not told to go on with what it cannot.
func (s *session) settleWaits(ctx context.Context, key todo.Key) error {
	list, err := s.todos.Look(ctx, key)
	if err != nil {
		return err
	}
	open := map[string]bool{}
	for i := range list.Items {
		open[list.Items[i].ID] = list.Items[i].Open()
	}
	var items []entry
	for _, item := range list.Items {
		waits, known := s.mem.Waits[item.ID]
		blocked := slices.ContainsFunc(waits, func(id string) bool { return open[id] })
		if known && item.Status == todo.Pending && item.Blocked != blocked {
			status := cmp.Or(map[bool]string{true: "blocked"}[blocked], "pending")
			items = append(items, entry{ID: item.ID, Status: status})
		}
	}
	l, any := entries(items, true)
	if !any {
		return nil
	}
	draft, err := todo.Decode(l.todos, true)
	if err != nil {
		return err
	}
	_, err = s.todos.Write(ctx, key, draft, todo.Writing{Merge: true, Project: s.place.project})
	return err
}
