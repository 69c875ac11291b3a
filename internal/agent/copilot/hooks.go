package copilot

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Copilot CLI writes to a hook, as far as Pawl reads it.
// The payload does not name the event: --event does.
//
//	{"sessionId": "4d0d…", "timestamp": 1795221429684, "stopReason": "end_turn", "stop_hook_active": false, …}
//
// A subagent's events have its own number for the session's:
//
//	{"sessionId": "4ef7…", "agentId": "4ef7…", "parentAgentId": "6253…", "prompt": …}
type input struct {
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

func decode(in *input, name string, getenv func(string) string) (agent.Event, error) {
	e := agent.Event{Name: name, Session: in.Session, Dir: in.Dir, At: string(in.At)}
	if in.Agent != "" {
		e.Agent = in.Agent
		if in.Session == in.Agent && in.Parent != "" {
			e.Session = in.Parent
		}
	}
	e.Alone = getenv("COPILOT_ALLOW_ALL") == "true"
	switch name {
	case "sessionStart":
		e.Kind, e.Source = nudge.Start, agent.StartSource(in.Source)
		if in.Source == "new" {
			e.Source = nudge.Startup
		}
	case "userPromptSubmitted":
		if strings.TrimSpace(in.Prompt) != "" {
			e.Kind, e.Text = nudge.Prompt, in.Prompt
		}
	case "preToolUse":
		in.call(&e, nudge.CallBegins)
	case "postToolUse":
		in.call(&e, nudge.CallEnds)
		e.Output, e.Call.Failed = in.Output, failed(in.Output)
		if e.Call.Own && !e.Call.Failed {
			e.Tasks = tasksOfSQL(e.Input)
		}
	case "postToolUseFailure":
		in.call(&e, nudge.CallEnds)
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

func (in *input) call(e *agent.Event, kind nudge.Kind) {
	e.Kind, e.Tool, e.Input = kind, in.Tool, agent.Unquoted(in.Input)
	e.Call.Own = in.Tool == "sql" && bytes.Contains(e.Input, []byte("todo")) // todos, todo_deps
}

// failed reports whether a tool's result says that it failed.
//
//	{"resultType": "success", "textResultForLlm": "1 row(s) updated."}
func failed(output json.RawMessage) bool {
	var out struct {
		Type string `json:"resultType"`
	}
	if err := json.Unmarshal(output, &out); err != nil {
		return false
	}
	return out.Type != "" && out.Type != "success"
}

type output struct {
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Permit   string `json:"permissionDecision,omitempty"`
	Why      string `json:"permissionDecisionReason,omitempty"`
}

// encode writes an answer for Copilot CLI. It has no place for a notice.
func encode(e agent.Event, a agent.Answer) []byte {
	var out output
	switch e.Kind {
	case nudge.Start, nudge.Prompt, nudge.HelperStart:
		out.Context = a.Context
	case nudge.CallBegins:
		if a.Refuse != "" {
			out.Permit, out.Why = "deny", a.Refuse
		}
	case nudge.CallEnds:
		if !e.Call.Failed { // the hook of a failure is heard by its exit code only
			out.Context = a.Context
		}
	case nudge.Stop:
		if a.Continue != "" {
			out.Decision, out.Reason = "block", a.Continue
		}
	}
	return agent.Output(out)
}
