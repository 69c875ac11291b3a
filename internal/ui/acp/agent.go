package acp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

func timeLimit() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), atMost)
}

// agentSays returns what the editor gets of a message of the agent, and what is done after
// it.
func (p *proxy) agentSays(line []byte) ([]byte, func()) {
	m, ok := msg.Look(line)
	switch {
	case !ok:
		return line, nil
	case m.Response():
		return line, p.answered(&m)
	case m.Method != msg.MethodUpdate:
		return line, nil
	}
	s := p.find(msg.Text(msg.Field(m.Params, "sessionId")))
	if s == nil {
		return line, nil
	}
	update := msg.Field(m.Params, "update")
	kind := msg.Text(msg.Field(update, "sessionUpdate"))
	if kind == msg.UpdateCommands {
		return p.commanded(s, line, msg.Field(update, "availableCommands")), nil
	}
	p.mu.Lock()
	loading := s.loading
	p.mu.Unlock()
	if loading {
		return line, nil
	}
	switch kind {
	case msg.UpdatePlan:
		return p.planned(s, line, msg.Field(update, "entries")), nil
	case msg.UpdatePlanByID:
		if plan := msg.Field(update, "plan"); p.own(s, plan) {
			return p.planned(s, line, msg.Field(plan, "entries")), nil
		}
	case msg.UpdateCall, msg.UpdateCallNews:
		p.callSays(s, msg.Text(msg.Field(update, "toolCallId")), toolOf(update), msg.Text(msg.Field(update, "status")), msg.Field(update, "rawInput"))
	case msg.UpdateState:
		if msg.Text(msg.Field(update, "state")) == "idle" {
			return line, p.turned(s, msg.Text(msg.Field(update, "stopReason")))
		}
	}
	return line, nil
}

// answered does what an answer to a request of the editor brings with it.
func (p *proxy) answered(m *msg.Message) (after func()) {
	p.mu.Lock()
	r, asked := p.pending[string(m.ID)]
	delete(p.pending, string(m.ID))
	version := p.version
	p.mu.Unlock()
	if !asked {
		return nil
	}
	switch r.method {
	case msg.MethodInitialize:
		var in msg.Initialized
		if json.Unmarshal(m.Result, &in) == nil {
			p.mu.Lock()
			p.version, p.embeds, p.program = min(in.ProtocolVersion, r.version), in.AgentCapabilities.PromptCapabilities.EmbeddedContext, in.AgentInfo.Name
			p.mu.Unlock()
		}
	case msg.MethodNew, msg.MethodFork:
		s := p.open(msg.Text(msg.Field(m.Result, "sessionId")), r)
		if s != nil && r.method == msg.MethodFork {
			p.do(func() { p.forked(s, r.session) })
		}
	case msg.MethodLoad, msg.MethodResume:
		if m.Error != nil {
			p.refused(r)
			return nil
		}
		if s := p.find(r.session); s != nil {
			p.mu.Lock()
			s.loading, s.before = false, nil
			p.mu.Unlock()
			return func() { p.show(s) }
		}
	case msg.MethodClose:
		if m.Error == nil {
			if s := p.forget(r.session); s != nil {
				p.note(func() { p.over(s) })
			}
		}
	case msg.MethodPrompt:
		if s := p.find(r.session); s != nil && (version <= msg.Version || m.Error != nil) {
			return p.turned(s, msg.Text(msg.Field(m.Result, "stopReason")))
		}
	}
	return nil
}

// turned is the end of a turn, of which the editor is not told yet.
func (p *proxy) turned(s *session, why string) (after func()) {
	p.do(func() {}) // what was noted of its calls
	p.show(s)
	p.mu.Lock()
	if s.turns = max(0, s.turns-1); s.turns == 0 {
		clear(s.calls) // those that never ended
	}
	p.mu.Unlock()
	if why != msg.EndTurn {
		return nil
	}
	return func() { p.offer(s) }
}

// toolOf is the name of a tool in a call, as well as it is told: in a field of its own, in
// something of the program's own, or in the title.
func toolOf(update []byte) string {
	meta := msg.Field(update, "_meta")
	name := cmp.Or(msg.Text(msg.Field(update, "name")), msg.Text(msg.Field(meta, "toolName")))
	msg.Fields(meta, func(_, value []byte) { name = cmp.Or(name, msg.Text(msg.Field(value, "toolName"))) })
	title, _, _ := strings.Cut(msg.Text(msg.Field(update, "title")), " (")
	return cmp.Or(name, title)
}

// own reports whether a plan of version 2 is the one that is mirrored: the agent's first
// that is a list.
func (p *proxy) own(s *session, plan []byte) bool {
	id := cmp.Or(msg.Text(msg.Field(plan, "planId")), msg.Text(msg.Field(plan, "id")))
	if msg.Text(msg.Field(plan, "type")) != "items" || id == "" {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.planID == "" {
		s.planID = id
	}
	return s.planID == id
}

// planned makes the agent's own plan the session's list, and shows that in its place. A
// plan that no list can hold is passed on.
func (p *proxy) planned(s *session, line, entries []byte) []byte {
	var all []msg.Entry
	if len(entries) > todo.MaxInput || json.Unmarshal(entries, &all) != nil {
		return line
	}
	foreign := len(all) > todo.MaxItems
	p.mu.Lock()
	s.foreign = foreign
	p.mu.Unlock()
	if foreign {
		return line
	}
	if len(all) > 0 {
		todos, err := json.Marshal(all)
		if err != nil || !p.do(func() { p.event(s, agent.Event{Todos: todos}) }) {
			return line
		}
	}
	if !p.show(s) {
		return line
	}
	return nil
}

// commanded keeps the agent's commands, and has the one that is offered stay among them.
func (p *proxy) commanded(s *session, line, commands []byte) []byte {
	some := false
	if !msg.Elements(commands, func([]byte) { some = true }) {
		return line
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.commands = nil
	if len(commands) <= maxCommands && json.Valid(commands) {
		s.commands = bytes.Clone(commands)
	}
	if !s.offered {
		return line
	}
	return within(line, commands, offerOf, some)
}

var offerOf = map[string]string{"name": continueCommand, "description": "Go on with the open todos (Pawl)"}

// offer has the editor offer to go on with a list that a turn left open, or no longer.
func (p *proxy) offer(s *session) {
	ctx, cancel := timeLimit()
	defer cancel()
	list, err := p.Todos.Look(ctx, s.key)
	wanted := err == nil && list.Pause == nil && open(&list)
	p.mu.Lock()
	wanted = wanted && !s.hooked
	commands, changed := s.commands, wanted != s.offered
	if s.offered = wanted; commands == nil {
		changed, s.offered = false, false
	}
	p.mu.Unlock()
	if !changed {
		return
	}
	if wanted {
		some := false
		msg.Elements(commands, func([]byte) { some = true })
		commands = within(commands, commands, offerOf, some)
	}
	_ = p.editor.Send(msg.Notification(msg.MethodUpdate, msg.SessionUpdate{SessionID: s.id, Update: map[string]any{
		"sessionUpdate": msg.UpdateCommands, "availableCommands": commands,
	}}))
}

// open reports whether the agent could go on with a list.
func open(list *todo.List) bool {
	return slices.ContainsFunc(list.Items, func(it todo.Item) bool { return it.Open() && !it.Blocked })
}
