package cursor

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Cursor writes to a hook, as far as Pawl reads it. From its
// documentation: no client was seen.
//
//	{"conversation_id": "668e…", "generation_id": "490b…", "hook_event_name": "stop",
//	 "workspace_roots": ["/src"], "status": "completed", "loop_count": 0}
type input struct {
	Name    string   `json:"hook_event_name"`
	Chat    string   `json:"conversation_id"`
	Session string   `json:"session_id"` // of the start and the end; the same as the conversation
	Turn    string   `json:"generation_id"`
	Dir     string   `json:"cwd"`
	Roots   []string `json:"workspace_roots"`

	Background bool   `json:"is_background_agent"`
	Prompt     string `json:"prompt"`

	Tool    string          `json:"tool_name"`
	ToolUse string          `json:"tool_use_id"`
	Input   json.RawMessage `json:"tool_input"`
	Output  json.RawMessage `json:"tool_output"`
	Result  json.RawMessage `json:"result_json"` // of afterMCPExecution
	Error   json.RawMessage `json:"error_message"`
	Millis  float64         `json:"duration"`

	Status string `json:"status"`
	Loops  int    `json:"loop_count"`
}

// decode reads an event of Cursor. Its subagents are left out: the event
// of an end does not say whose it is, and one that was never seen to end would
// keep the agent from being continued.
func decode(in *input, name string, getenv func(string) string) (agent.Event, error) {
	e := agent.Event{Name: cmp.Or(in.Name, name), Session: cmp.Or(in.Chat, in.Session), Turn: in.Turn}
	switch {
	case len(in.Roots) > 0:
		e.Dir = in.Roots[0]
	case in.Dir != "":
		e.Dir = in.Dir
	default:
		e.Dir = getenv("CURSOR_PROJECT_DIR")
	}
	e.Alone = in.Background
	switch e.Name {
	case "sessionStart":
		e.Kind, e.Source = nudge.Start, nudge.Startup
	case "beforeSubmitPrompt":
		if strings.TrimSpace(in.Prompt) != "" {
			e.Kind, e.Text = nudge.Prompt, in.Prompt
		}
	case "preToolUse", "beforeMCPExecution":
		in.call(&e, nudge.CallBegins)
	case "postToolUse", "afterMCPExecution":
		in.call(&e, nudge.CallEnds)
		if e.Output = agent.Unquoted(in.Output); e.Name == "afterMCPExecution" {
			e.Output = agent.Unquoted(in.Result)
		}
		e.Call.Failed = agent.Failed(e.Output)
	case "postToolUseFailure":
		in.call(&e, nudge.CallEnds)
		e.Output = in.Error
		e.Call.Failed = true
	case "preCompact": // nothing follows it
		e.Kind = nudge.Compaction
	case "stop":
		switch in.Status {
		case "completed":
			e.Kind, e.Active = nudge.Stop, in.Loops > 0
		case "aborted", "error":
			e.Kind = nudge.Interrupt
		}
	case "sessionEnd":
		e.Kind = nudge.End
	}
	return e, nil
}

func (in *input) call(e *agent.Event, kind nudge.Kind) {
	e.Kind = kind
	e.Tool, e.ToolUse, e.Input = in.Tool, in.ToolUse, agent.Unquoted(in.Input)
	e.Seconds = in.Millis / 1000
}

type output struct {
	Context  string `json:"additional_context,omitempty"`
	Continue *bool  `json:"continue,omitempty"`
	Message  string `json:"user_message,omitempty"`
	Followup string `json:"followup_message,omitempty"` // the next message of the user
}

// encode writes an answer for Cursor. It sends a context with a prompt, too,
// which Cursor's documentation does not have: some users report that it
// arrives, and none that it does harm.
func encode(e agent.Event, a agent.Answer) []byte {
	var out output
	switch e.Kind {
	case nudge.Start:
		out.Context = a.Context
	case nudge.Prompt:
		if a.Handled != "" {
			out.Continue, out.Message = new(bool), a.Handled
			break
		}
		out.Context = a.Context
	case nudge.CallEnds:
		if e.Name == "postToolUse" {
			out.Context = a.Context
		}
	case nudge.Compaction:
		out.Message = a.Notice
	case nudge.Stop:
		out.Followup = a.Continue
	}
	return agent.Output(out)
}
