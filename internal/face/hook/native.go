package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
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
	fresh bool // its entries were made just now
	main  bool // it is the main agent's list, whoever changed it
	own   bool // it can only tell of entries of the agent's own
	edges []edge
	anew  bool // there are no other edges
}

// An edge says that an entry waits for another one, or does so no more.
type edge struct {
	id, blocker string
	gone        bool
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
	key, mem := s.key, &s.mem
	if l.main && s.key.Agent != "" {
		key.Agent = ""
		book, main, err := openNotebook(ctx, s.state, key)
		if err != nil {
			return written, err
		}
		defer func() {
			s.try(book.write(main))
			book.close()
		}()
		mem = &main
	}
	mem.follow(l)
	if e.Kind == nudge.CallEnds {
		e.Call.Updates = true
		if key == s.key && (isNative(s.d.Agent, e.Tool) || len(e.Tasks) > 0) {
			s.mem.Maker = maker(e.Tool)
		}
	}
	draft, err := todo.Salvage(l.todos, l.merge)
	if err != nil {
		if l.merge { // of an entry that was made before there were hooks, the text is not known
			return written, nil
		}
		return written, err
	}
	if l.merge && !l.fresh {
		if draft.Items, err = s.changed(ctx, key, draft.Items); len(draft.Items) == 0 {
			return written, err
		}
	}
	w, err := s.todos.Write(ctx, key, draft, todo.Writing{Merge: l.merge, New: l.fresh, Project: s.place.project, Keep: func(list todo.List, it todo.Item) bool {
		return l.own && !it.Native() || len(list.News) > 0 && it.Open() && it.Personal()
	}})
	if err != nil {
		return written, err
	}
	if key == s.key && e.Kind == nudge.CallEnds {
		written = w
	}
	if len(mem.Waits) == 0 {
		return written, nil
	}
	return written, s.settleWaits(ctx, key, mem.Waits)
}

// changed are the changes of an agent's own list that are changes of a list of
// ours. Entries that get other words stay where they stand: in the agent's own
// list they do, while a todo with other words is another one. One that was
// finished with its list and is open again comes back. Of others that are not
// there the text is not known, or they are as the agent says.
func (s *session) changed(ctx context.Context, key todo.Key, items []todo.DraftItem) (changes []todo.DraftItem, err error) {
	list, err := s.todos.Look(ctx, key)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		switch was := slices.IndexFunc(list.Items, func(was todo.Item) bool { return was.ID == it.ID }); {
		case was >= 0 && it.Said.Content && !it.Said.Status:
			it.Status, it.Blocked, it.Said.Status = list.Items[was].Status, list.Items[was].Blocked, true
		case was < 0 && it.Content == "":
			if !it.Open() || it.Leave != "" {
				continue
			}
			whole, err := s.todos.Read(ctx, key)
			if err != nil {
				return nil, err
			}
			if it.Content = finished(&whole, it.ID); it.Content == "" {
				continue
			}
			it.Said.Content = true
		}
		changes = append(changes, it)
	}
	return changes, nil
}

// finished is the text of a todo that left with all of its list, done; empty:
// none did.
func finished(list *todo.List, id string) string {
	for _, past := range slices.Backward(list.Past) {
		if past.Item.ID == id && past.How == todo.Finished {
			return past.Item.Content
		}
	}
	return ""
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
		return taskCall(e)
	case "TaskList":
		return taskList(e)
	case "tracker_add_dependency":
		var in struct{ TaskID, DependencyID string }
		l, is := trackerList(e)
		if json.Unmarshal(e.Input, &in) == nil && in.TaskID != "" {
			l.edges = []edge{{id: todo.NativeID(in.TaskID), blocker: todo.NativeID(in.DependencyID)}}
		}
		return l, is
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
	fresh := true
	for _, task := range tasks {
		fresh = fresh && task.Subject != "" && task.Status == "pending"
		if task.ID != "" {
			items = append(items, entry{ID: todo.NativeID(task.ID), Content: task.Subject, Status: task.Status})
			continue
		}
		list, err := s.todos.Look(ctx, todo.Key{Session: s.key.Session})
		s.try(err)
		for i := range list.Items {
			if list.Items[i].Native() {
				items = append(items, entry{ID: list.Items[i].ID, Status: task.Status})
			}
		}
	}
	l, is := entries(items, true)
	l.fresh = fresh
	return l, is
}

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
func taskCall(e *Event) (listing, bool) {
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
		in.TaskID, in.Status = out.Task.ID, "pending" // also if a todo with that text waits
	}
	if in.TaskID == "" {
		return listing{}, false
	}
	id := todo.NativeID(in.TaskID)
	l, is := entries([]entry{{id, in.Subject, in.Status, in.ActiveForm}}, true)
	l.fresh = e.Tool == "TaskCreate"
	for _, other := range in.AddBlockedBy {
		l.edges = append(l.edges, edge{id: id, blocker: todo.NativeID(other)})
	}
	for _, other := range in.AddBlocks {
		l.edges = append(l.edges, edge{id: todo.NativeID(other), blocker: id})
	}
	for _, other := range in.RemoveBlockedBy {
		l.edges = append(l.edges, edge{id: id, blocker: todo.NativeID(other), gone: true})
	}
	for _, other := range in.RemoveBlocks {
		l.edges = append(l.edges, edge{id: todo.NativeID(other), blocker: id, gone: true})
	}
	return l, is
}

// taskList reads the answer of TaskList, which is the whole list.
//
//	{"tasks": [{"id": "2", "subject": "Add tests", "status": "pending", "blockedBy": ["1"]}]}
func taskList(e *Event) (listing, bool) {
	var out struct {
		Tasks []struct {
			ID, Subject, Status string
			BlockedBy           []string
		}
	}
	if json.Unmarshal(e.Output, &out) != nil {
		return listing{}, false
	}
	var items []entry
	var edges []edge
	for _, t := range out.Tasks {
		items = append(items, entry{ID: todo.NativeID(t.ID), Content: t.Subject, Status: t.Status})
		for _, other := range t.BlockedBy {
			edges = append(edges, edge{id: todo.NativeID(t.ID), blocker: todo.NativeID(other)})
		}
	}
	l, is := entries(items, false)
	l.main, l.own, l.edges, l.anew = true, true, edges, true
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
		items = append(items, entry{ID: todo.NativeID(text[at+2 : len(text)-1]), Content: text[:at], Status: t.Status})
	}
	l, is := entries(items, false)
	l.own = true
	return l, is
}

// follow notes the edges of a listing. An entry that waits for nothing more is
// kept, for settleWaits.
func (m *memory) follow(l listing) {
	if l.anew {
		m.Waits = nil
	}
	for _, e := range l.edges {
		waits, known := m.Waits[e.id]
		switch {
		case e.gone && known:
			m.Waits[e.id] = slices.DeleteFunc(waits, func(w string) bool { return w == e.blocker })
		case e.gone, slices.Contains(waits, e.blocker), len(waits) >= maxWaits, !known && len(m.Waits) >= maxWaits:
		default:
			if m.Waits == nil {
				m.Waits = map[string][]string{}
			}
			m.Waits[e.id] = append(waits, e.blocker)
		}
	}
}

// settleWaits marks what waits for an open entry, and what does so no more: an
// agent is not told to go on with what it cannot. What waits and is not in the
// list any more is forgotten.
func (s *session) settleWaits(ctx context.Context, key todo.Key, waiting map[string][]string) error {
	list, err := s.todos.Look(ctx, key)
	if err != nil {
		return err
	}
	open := map[string]bool{}
	for i := range list.Items {
		open[list.Items[i].ID] = list.Items[i].Open()
	}
	maps.DeleteFunc(waiting, func(id string, _ []string) bool {
		_, listed := open[id]
		return !listed
	})
	var items []entry
	for _, item := range list.Items {
		waits, known := waiting[item.ID]
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
