package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/nudge"
)

// copilotInput is what Copilot CLI writes to a hook, as far as Pawl reads it.
// What event it is the payload does not say: --event does.
//
//	{"sessionId": "4d0d…", "timestamp": 1795221429684, "stopReason": "end_turn", "stop_hook_active": false, …}
//
// A subagent's events have its own number for the session's:
//
//	{"sessionId": "4ef7…", "agentId": "4ef7…", "parentAgentId": "6253…", "prompt": …}
type copilotInput struct {
	Session string          `json:"sessionId"`
	Agent   string          `json:"agentId"`
	Parent  string          `json:"parentAgentId"`
	Dir     string          `json:"cwd"`
	At      json.RawMessage `json:"timestamp"`

	Source string `json:"source"` // of a start
	Prompt string `json:"prompt"`

	Tool   string          `json:"toolName"`
	Input  json.RawMessage `json:"toolArgs"`
	Output json.RawMessage `json:"toolResult"`
	Error  json.RawMessage `json:"error"` // of postToolUseFailure a text, of errorOccurred an object

	Recoverable bool   `json:"recoverable"`
	Reason      string `json:"stopReason"`
	LastWords   string `json:"response"` // of a subagent
	Active      bool   `json:"stop_hook_active"`
}

func decodeCopilot(name string, payload []byte, getenv func(string) string) (Event, error) {
	var in copilotInput
	if err := json.Unmarshal(payload, &in); err != nil {
		return Event{}, fmt.Errorf("an event of Copilot CLI: %w", err)
	}
	e := Event{Name: name, Session: in.Session, Dir: in.Dir, At: string(in.At)}
	if in.Agent != "" {
		e.Agent = in.Agent
		if in.Session == in.Agent && in.Parent != "" {
			e.Session = in.Parent
		}
	}
	e.Alone = getenv("COPILOT_ALLOW_ALL") == "true"
	switch name {
	case "sessionStart":
		e.Kind, e.Source = nudge.Start, startSource(in.Source)
		if in.Source == "new" {
			e.Source = nudge.Startup
		}
	case "userPromptSubmitted":
		if strings.TrimSpace(in.Prompt) != "" {
			e.Kind, e.Text = nudge.Prompt, in.Prompt
		}
	case "preToolUse":
		e.Kind = nudge.CallBegins
		in.call(&e)
	case "postToolUse":
		e.Kind = nudge.CallEnds
		in.call(&e)
		e.Output, e.Call.Failed = in.Output, copilotFailed(in.Output)
		if e.Call.Own && !e.Call.Failed {
			e.Tasks = tasksOfSQL(e.Input)
		}
	case "postToolUseFailure":
		e.Kind = nudge.CallEnds
		in.call(&e)
		e.Output, e.Call.Failed = in.Error, true
	case "preCompact": // no start follows it
		e.Kind = nudge.Compaction
	case "agentStop":
		// A subagent's comes with a subagentStop, which is the one that is heard.
		if in.Reason == "end_turn" && in.Agent == "" {
			e.Kind, e.Active = nudge.Stop, in.Active
		}
	case "errorOccurred":
		if !in.Recoverable {
			e.Kind = nudge.Interrupt
		}
	case "subagentStart":
		e.Agent = ""
		if in.Agent != "" {
			e.Kind, e.Helper = nudge.HelperStart, in.Agent
		}
	case "subagentStop":
		if in.Reason == "end_turn" && in.Agent != "" {
			e.Kind, e.Helper, e.Text, e.Active = nudge.Stop, in.Agent, in.LastWords, in.Active
		}
	case "sessionEnd":
		e.Kind = nudge.End
	}
	return e, nil
}

// call fills in what the events of a tool call share.
func (in *copilotInput) call(e *Event) {
	e.Tool, e.Input = in.Tool, unquoted(in.Input)
	e.Call.Own = in.Tool == "sql" && bytes.Contains(e.Input, []byte("todo")) // todos, todo_deps
}

// unquoted returns the value in a string that is one: some programs write a
// call's arguments as text.
func unquoted(args json.RawMessage) json.RawMessage {
	var text string
	if !bytes.HasPrefix(args, []byte(`"`)) || json.Unmarshal(args, &text) != nil {
		return args
	}
	if inner := []byte(text); json.Valid(inner) {
		return inner
	}
	return args
}

// copilotFailed reports whether a tool's result says that it failed.
//
//	{"resultType": "success", "textResultForLlm": "1 row(s) updated."}
func copilotFailed(output json.RawMessage) bool {
	var out struct {
		Type string `json:"resultType"`
	}
	if err := json.Unmarshal(output, &out); err != nil {
		return false
	}
	return out.Type != "" && out.Type != "success"
}

// copilotOutput is what Copilot CLI reads from a hook.
type copilotOutput struct {
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// encodeCopilot writes an answer for Copilot CLI. It has no place for a notice.
func encodeCopilot(e Event, a Answer) []byte {
	var out copilotOutput
	switch e.Kind {
	case nudge.Start, nudge.Prompt, nudge.HelperStart:
		out.Context = a.Context
	case nudge.CallEnds:
		if !e.Call.Failed { // the hook of a failure is heard by its exit code only
			out.Context = a.Context
		}
	case nudge.Stop:
		if a.Continue != "" {
			out.Decision, out.Reason = "block", a.Continue
		}
	}
	if out == (copilotOutput{}) {
		return nil
	}
	return toJSON(out)
}
