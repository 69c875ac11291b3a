package hook

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// mirror keeps the agent's own list as the session's, so that an agent that
// knows nothing of Pawl gets all that Pawl does for a list. It returns what a
// call of this agent wrote in its own list.
//
// Todos that the agent cannot have meant stay: those that people added and it
// was not told of yet, and those that came from elsewhere.
func (s *session) mirror(ctx context.Context, e *agent.Event) (written todo.Written, err error) {
	l, is := s.listing(ctx, e)
	if !is {
		return written, nil
	}
	key, mem := s.key, &s.mem
	if l.Main && s.key.Agent != "" {
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
		if tool := known.ListTool(s.client, e.Tool); key == s.key && (tool != nil || len(e.Tasks) > 0) {
			s.mem.Maker = maker(tool, e.Tool)
		}
	}
	draft, err := todo.Salvage(l.Todos, l.Merge)
	if err != nil {
		if l.Merge { // of an entry that was made before there were hooks, the text is not known
			return written, nil
		}
		return written, err
	}
	if l.Merge && !l.Fresh {
		if draft.Items, err = s.changed(ctx, key, draft.Items); len(draft.Items) == 0 {
			return written, err
		}
	}
	w, err := s.todos.Write(ctx, key, draft, todo.Writing{Merge: l.Merge, New: l.Fresh, Project: s.place.project, Keep: func(list todo.List, it todo.Item) bool {
		return l.Own && !it.Native() || len(list.News) > 0 && it.Open() && it.Personal()
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
func maker(tool *agent.ListTool, name string) string {
	if tool != nil && tool.Makes != "" {
		return tool.Makes
	}
	return name
}

// updater is the tool that changes the list which another one makes.
func updater(maker string) string {
	for _, a := range known.Agents {
		for i := range a.Lists {
			if makes := a.Lists[i].Makes; makes != "" && strings.HasSuffix(maker, makes) {
				return strings.TrimSuffix(maker, makes) + a.Lists[i].Changes
			}
		}
	}
	return maker
}

// listing reads what an event says.
func (s *session) listing(ctx context.Context, e *agent.Event) (agent.Listing, bool) {
	switch {
	case e.Todos != nil:
		return agent.Listing{Todos: e.Todos}, true
	case len(e.Tasks) > 0:
		return s.changes(ctx, e.Tasks)
	}
	tool := known.ListTool(s.client, e.Tool)
	if e.Kind != nudge.CallEnds || e.Call.Failed || tool == nil || tool.Read == nil {
		return agent.Listing{}, false
	}
	return tool.Read(e)
}

// changes reads single changes of the list. One without an id is meant for all
// entries.
func (s *session) changes(ctx context.Context, tasks []agent.NativeTask) (agent.Listing, bool) {
	var items []agent.Entry
	fresh := true
	for _, task := range tasks {
		fresh = fresh && task.Subject != "" && task.Status == "pending"
		if task.ID != "" {
			items = append(items, agent.Entry{ID: todo.NativeID(task.ID), Content: task.Subject, Status: task.Status})
			continue
		}
		list, err := s.todos.Look(ctx, todo.Key{Session: s.key.Session})
		s.try(err)
		for i := range list.Items {
			if list.Items[i].Native() {
				items = append(items, agent.Entry{ID: list.Items[i].ID, Status: task.Status})
			}
		}
	}
	l, is := agent.Entries(items, true)
	l.Fresh = fresh
	return l, is
}

// follow notes the edges of a listing. An entry that waits for nothing more is
// kept, for settleWaits.
func (m *memory) follow(l agent.Listing) {
	if l.Anew {
		m.Waits = nil
	}
	for _, e := range l.Edges {
		waits, known := m.Waits[e.ID]
		switch {
		case e.Gone && known:
			m.Waits[e.ID] = slices.DeleteFunc(waits, func(w string) bool { return w == e.Blocker })
		case e.Gone, slices.Contains(waits, e.Blocker), len(waits) >= maxWaits, !known && len(m.Waits) >= maxWaits:
		default:
			if m.Waits == nil {
				m.Waits = map[string][]string{}
			}
			m.Waits[e.ID] = append(waits, e.Blocker)
		}
	}
}

// settleWaits marks the entries that wait for an open one, and unmarks those
// that no longer do: an agent is not told to go on with a blocked entry. The
// waits of an entry that left the list are forgotten.
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
	var items []agent.Entry
	for _, item := range list.Items {
		waits, known := waiting[item.ID]
		blocked := slices.ContainsFunc(waits, func(id string) bool { return open[id] })
		if known && item.Status == todo.Pending && item.Blocked != blocked {
			status := cmp.Or(map[bool]string{true: "blocked"}[blocked], "pending")
			items = append(items, agent.Entry{ID: item.ID, Status: status})
		}
	}
	l, any := agent.Entries(items, true)
	if !any {
		return nil
	}
	draft, err := todo.Decode(l.Todos, true)
	if err != nil {
		return err
	}
	_, err = s.todos.Write(ctx, key, draft, todo.Writing{Merge: true, Project: s.place.project})
	return err
}
