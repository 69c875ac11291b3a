package hook

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// callBegins leaves a ticket for a call of one of Pawl's tools, and attaches
// any other one to the current todo.
func (s *session) callBegins(ctx context.Context, e *agent.Event) {
	if own := s.classify(e); own != "" {
		if s.process() == "" {
			return
		}
		s.report(false)
		s.try(s.notes().Leave(attribution.Ticket{
			Process: s.process(), Tool: e.Tool, Args: e.Input, ToolUse: e.ToolUse, Session: s.key.Session, Agent: s.key.Agent,
		}))
		return
	}
	if !e.Call.Own {
		s.try(s.todos.CallStarted(ctx, s.key, todo.Call{
			ToolCall:  todo.ToolCall{ID: s.mem.begins(e, s.now), Name: e.Tool, Parameters: e.Input, StartedAt: s.now},
			Project:   s.place.project,
			Arguments: s.place.arguments(),
		}))
	}
}

// callEnds notes how a call ended, and ends the turn after a pause.
func (s *session) callEnds(ctx context.Context, e *agent.Event, answer *agent.Answer) {
	own := s.classify(e)
	switch {
	case (own == "task_create" || own == "TaskCreate") && !e.Call.Failed:
		s.mem.remember(e.Output)
	case own == "todo_pause" && !e.Call.Failed:
		if s.client.Hooks.EndsTurn {
			answer.EndTurn = "Pawl: paused. " + text.Line(s.reason(ctx, e))
		}
	case e.Tool != "" && e.Tool == s.client.Hooks.Pauses && !e.Call.Failed:
		_, err := s.todos.Pause(ctx, s.key, s.place.project, s.reason(ctx, e))
		s.try(err)
	case own == "" && !e.Call.Own:
		outcome := todo.Succeeded
		if e.Call.Failed {
			outcome = todo.Failed
		}
		if id := s.mem.ends(e); id != "" {
			s.try(s.todos.CallEnded(ctx, s.key, id, outcome))
		}
	}
}

// classify finds out whose tool it is, and returns Pawl's own name of one of
// Pawl's.
func (s *session) classify(e *agent.Event) string {
	if known.ListTool(s.client, e.Tool) != nil {
		e.Call.Own = true
		return ""
	}
	name, ours := attribution.Tool(e.Tool)
	if !ours {
		return ""
	}
	e.Call.Own = true
	e.Call.Updates = !e.Call.Failed && (name == "todo_write" || name == "TodoWrite")
	if e.Call.Updates && e.Kind == nudge.CallEnds {
		s.mem.Maker = e.Tool
	}
	// The same server has the other tools under the same name; but one with Claude
	// Code's names has no todo_write.
	if prefix := e.Tool[:len(e.Tool)-len(name)]; strings.Contains(name, "_") {
		s.mem.Shown = prefix
	}
	return name
}

// reason is why the agent paused: as it is kept, else as it was said.
func (s *session) reason(ctx context.Context, e *agent.Event) string {
	if list, err := s.todos.Look(ctx, s.key); err == nil && list.Pause != nil {
		return list.Pause.Reason
	}
	var said struct{ Reason string }
	if json.Unmarshal(e.Input, &said) != nil {
		return ""
	}
	return said.Reason
}
