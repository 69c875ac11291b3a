package acp

import (
	"cmp"
	"fmt"

	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// show has the editor show the session's list and the tasks that it has claimed, if they
// changed. It reports false if there is nothing that the agent's own plan could be replaced
// by.
func (p *proxy) show(s *session) bool {
	s.showing.Lock()
	defer s.showing.Unlock()
	ctx, cancel := timeLimit()
	defer cancel()
	p.mu.Lock()
	version, foreign := p.version, s.foreign
	p.mu.Unlock()
	stamp, _ := p.Todos.Stamp(ctx, s.key)
	list, err := p.Todos.Look(ctx, s.key)
	if err != nil || foreign {
		return false
	}
	if len(list.Items) == 0 && list.FinishedAt.After(p.Since) { // the plan is done, not gone
		if whole, err := p.Todos.Read(ctx, s.key); err == nil {
			done, _ := whole.LastFinished()
			list.Items = done.Items
		}
	}
	s.stamp = stamp
	all := [2][]msg.Entry{make([]msg.Entry, 0, len(list.Items)), {}}
	for i := range list.Items {
		it := &list.Items[i]
		all[0] = append(all[0], msg.Entry{Content: it.Content, Priority: string(cmp.Or(it.Priority, todo.Medium)), Status: string(it.Status)})
	}
	tasks, _ := p.Claimed(ctx, s.dir, s.key.Session) // of a board that cannot be read, nothing is shown
	for i := range tasks {
		all[1] = append(all[1], msg.Entry{
			Content: fmt.Sprintf("#%d %s", tasks[i].ID, text.Line(tasks[i].Subject)), Priority: string(todo.Medium), Status: string(todo.InProgress),
		})
	}
	again := s.again.Swap(false)
	if version > msg.Version {
		p.send(s, version, 1, again, all[1])
	} else if !open(&list) { // one plan is all that there is: todos are nearer than tasks
		all[0] = append(all[0], all[1]...)
	}
	return p.send(s, version, 0, again, all[0])
}

// send sends one of the plans if it is another one than before, or again. An empty one is
// sent only in the place of another: it reports false if there is none.
func (p *proxy) send(s *session, version, which int, again bool, entries []msg.Entry) bool {
	if len(entries) == 0 && s.shown[which] == "" {
		return false
	}
	var update any = struct {
		Kind    string      `json:"sessionUpdate"`
		Entries []msg.Entry `json:"entries"`
	}{msg.UpdatePlan, entries}
	if version > msg.Version {
		id := [...]string{"todos", "tasks claimed"}[which]
		update = struct {
			Kind string   `json:"sessionUpdate"`
			Plan msg.Plan `json:"plan"`
		}{msg.UpdatePlanByID, msg.Plan{Type: "items", ID: id, PlanID: id, Entries: entries}}
	}
	line := string(msg.Notification(msg.MethodUpdate, msg.SessionUpdate{SessionID: s.id, Update: update}))
	if (again || line != s.shown[which]) && p.editor.Send([]byte(line)) == nil {
		s.shown[which] = line
	}
	return true
}
