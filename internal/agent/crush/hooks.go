package crush

import (
	"cmp"
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Crush writes, by its documentation.
type input struct {
	Name    string          `json:"event"`
	Session string          `json:"session_id"`
	Dir     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
}

// decode reads an event of Crush. Releases of 2026 have PreToolUse alone,
// for the main agent; the other names are those of a later documentation. Its
// TurnStart and TurnEnd say nothing of the prompt and take no answer.
func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	e := agent.Event{Name: cmp.Or(in.Name, name), Session: in.Session, Dir: in.Dir}
	switch e.Name {
	case "SessionStart":
		e.Kind, e.Source = nudge.Start, nudge.Startup
	case "PreToolUse":
		e.Kind = nudge.CallBegins
	case "PostToolUse":
		e.Kind = nudge.CallEnds
	case "PostToolUseFailure":
		e.Kind, e.Call.Failed = nudge.CallEnds, true
	case "PreCompact":
		e.Kind = nudge.Compaction
	case "StopFailure", "Interrupt":
		e.Kind = nudge.Interrupt
	case "SessionEnd":
		e.Kind = nudge.End
	}
	if e.Kind == nudge.CallBegins || e.Kind == nudge.CallEnds {
		e.Tool, e.Input = in.Tool, in.Input
	}
	return e, nil
}

// output is what Crush reads. A decision is never in it: to allow a call
// would take the permission to run it from its user's hands.
type output struct {
	Version int    `json:"version"`
	Context string `json:"context"`
}

// encode writes an answer for Crush: context with a call, nothing else.
func encode(e agent.Event, a agent.Answer) []byte {
	if a.Context == "" || e.Kind != nudge.CallBegins && e.Kind != nudge.CallEnds {
		return nil
	}
	return agent.JSON(output{Version: 1, Context: a.Context})
}
