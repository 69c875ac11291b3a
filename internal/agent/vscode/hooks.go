package vscode

import (
	"cmp"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what the agent in VS Code writes, by its documentation: what
// belongs to an event has Claude Code's names, what belongs to all has its own.
type input struct {
	claude.Payload
	EventName string `json:"hookEventName"`
	SessionID string `json:"sessionId"`
	Time      string `json:"timestamp"`
}

// decode reads an event of VS Code. A conversation always starts as a new
// one there, and nothing tells that it was summarised, only that it will be.
func decode(in *input, name string, getenv func(string) string) (agent.Event, error) {
	in.Name, in.Session = cmp.Or(in.EventName, in.Name), cmp.Or(in.SessionID, in.Session)
	if in.Source == "new" {
		in.Source = string(nudge.Startup)
	}
	if getenv("COPILOT_CLI") == "1" { // it runs the hooks of VS Code too, beside its own
		return agent.Event{Name: in.Name, Session: in.Session, Dir: in.Dir}, nil
	}
	e := in.Event(name)
	e.At = in.Time
	return e, nil
}

// stopOutput is the answer to a stop: VS Code's reference has the decision in
// the part for the event, its page on hooks beside it.
type stopOutput struct {
	claude.Output
	Specific *decision `json:"hookSpecificOutput,omitempty"`
}

type decision struct {
	Name     string `json:"hookEventName"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// encode writes an answer for VS Code, which takes no context with a
// prompt. Whether a prompt or a turn really ends where it says so was not tried.
func encode(e agent.Event, a agent.Answer) []byte {
	var out claude.Output
	if e.Kind == nudge.Prompt {
		a.Handled, a.Context = "", ""
	}
	if !out.Answer(e, a) {
		return nil
	}
	out.Message = a.Notice
	if out.Decision != "" && e.Agent == "" {
		return agent.JSON(stopOutput{out, &decision{e.Name, out.Decision, out.Reason}})
	}
	return agent.Output(out)
}
