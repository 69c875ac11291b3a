package goose

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Goose writes, by its documentation. Fields that do not belong
// to an event are absent.
type input struct {
	Name      string          `json:"event"`
	Session   string          `json:"session_id"`
	Dir       string          `json:"working_dir"`
	Message   string          `json:"message"`
	LastWords string          `json:"last_assistant_message"`
	Tool      string          `json:"tool_name"`
	Input     json.RawMessage `json:"tool_input"`
}

// decode reads an event of Goose. It tells neither which call of a tool it
// is about nor what came of it, but for success or failure.
func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	e := agent.Event{Name: cmp.Or(in.Name, name), Session: in.Session, Dir: in.Dir}
	switch e.Name {
	case "SessionStart":
		e.Kind, e.Source = nudge.Start, nudge.Startup
	case "UserPromptSubmit":
		if strings.TrimSpace(in.Message) != "" {
			e.Kind, e.Text = nudge.Prompt, in.Message
		}
	case "PreToolUse":
		e.Kind = nudge.CallBegins
	case "PostToolUse":
		e.Kind = nudge.CallEnds
	case "PostToolUseFailure":
		e.Kind, e.Call.Failed = nudge.CallEnds, true
	case "Stop":
		e.Kind, e.Text = nudge.Stop, in.LastWords
	case "SessionEnd":
		e.Kind = nudge.End
	}
	if e.Kind == nudge.CallBegins || e.Kind == nudge.CallEnds {
		e.Tool, e.Input = in.Tool, in.Input
	}
	return e, nil
}

// encode writes an answer for Goose: its hooks can hold off a stop, and
// tell its agent nothing else.
func encode(e agent.Event, a agent.Answer) []byte {
	var out claude.Output
	if e.Kind == nudge.Stop {
		out.Block(a.Continue)
	}
	return agent.Output(out)
}
