package hook

import (
	"encoding/json"
	"fmt"

	"github.com/pawl-dev/pawl/nudge"
)

// vscodeInput is what the agent in VS Code writes, by its documentation: what
// belongs to an event has Claude Code's names, what belongs to all has its own.
type vscodeInput struct {
	claudeInput
	EventName string `json:"hookEventName"`
	SessionID string `json:"sessionId"`
	Time      string `json:"timestamp"`
}

// decodeVSCode reads an event of VS Code. A conversation always starts as a new
// one there, and nothing tells that it was summarised, only that it will be.
func decodeVSCode(name string, payload []byte, getenv func(string) string) (Event, error) {
	var in vscodeInput
	if err := json.Unmarshal(payload, &in); err != nil {
		return Event{}, fmt.Errorf("an event of VS Code: %w", err)
	}
	if in.EventName != "" {
		in.Name = in.EventName
	}
	if in.SessionID != "" {
		in.Session = in.SessionID
	}
	if in.Source == "new" {
		in.Source = string(nudge.Startup)
	}
	if getenv("COPILOT_CLI") == "1" { // it runs the hooks of VS Code too, beside its own
		return Event{Name: in.Name, Session: in.Session, Dir: in.Dir}, nil
	}
	e := in.event(name)
	e.At = in.Time
	return e, nil
}

// vscodeStop is the answer to a stop: VS Code's reference has the decision in
// the part for the event, its page on hooks beside it.
type vscodeStop struct {
	claudeOutput
	Specific *vscodeDecision `json:"hookSpecificOutput,omitempty"`
}

type vscodeDecision struct {
	Name     string `json:"hookEventName"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// encodeVSCode writes an answer for VS Code, which takes no context with a
// prompt. Whether a prompt or a turn really ends where it says so was not tried.
func encodeVSCode(e Event, a Answer) []byte {
	var out claudeOutput
	switch e.Kind {
	case nudge.Start, nudge.CallBegins, nudge.CallEnds, nudge.HelperStart:
		out.context(e, a.Context)
	case nudge.Stop:
		if out.block(a.Continue) && e.Agent == "" {
			out.Message = a.Notice
			return toJSON(vscodeStop{out, &vscodeDecision{e.Name, out.Decision, out.Reason}})
		}
	case nudge.Prompt, nudge.Compaction:
	default:
		return nil
	}
	out.Message = a.Notice
	return out.json()
}
