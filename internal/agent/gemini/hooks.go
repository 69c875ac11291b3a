package gemini

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Gemini CLI writes to a hook, as far as Pawl reads it:
//
//	{"session_id": "40e4…", "hook_event_name": "AfterAgent", "prompt_response": "Done.", …}
//
// LLxprt is the same family. Nothing in it tells a subagent's calls from those
// of the agent that started it, or a call from another one: there is no number
// of the call, and none is made up of its arguments, because the same call may be
// made again and is another one then.
type input struct {
	Name    string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Dir     string `json:"cwd"`
	At      string `json:"timestamp"`

	Source string `json:"source"` // of a start
	Reason string `json:"reason"` // of an end
	Prompt string `json:"prompt"`

	Tool   string          `json:"tool_name"`
	Input  json.RawMessage `json:"tool_input"`
	Output json.RawMessage `json:"tool_response"`

	LastWords string `json:"prompt_response"`
	Active    bool   `json:"stop_hook_active"`
}

// wordless is what Gemini CLI writes where its agent said nothing.
const wordless = "[no response text]"

// Decode reads an event of Gemini CLI, or of a program that descends from it.
var Decode = agent.Decoder("Gemini CLI", decode)

func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	e := agent.Event{Name: cmp.Or(in.Name, name), Session: in.Session, Dir: in.Dir, At: in.At}
	switch e.Name {
	case "SessionStart":
		e.Kind, e.Source = nudge.Start, agent.StartSource(in.Source)
		if in.Source == "compress" { // LLxprt
			e.Source = nudge.Compact
		}
	case "BeforeAgent":
		if text := withoutContext(in.Prompt); strings.TrimSpace(text) != "" {
			e.Kind, e.Text = nudge.Prompt, text
		}
	case "BeforeTool":
		e.Kind = nudge.CallBegins
		e.Tool, e.Input = in.Tool, in.Input
	case "AfterTool":
		e.Kind = nudge.CallEnds
		e.Tool, e.Input, e.Output = in.Tool, in.Input, in.Output
		e.Call.Failed = failed(in.Output)
	case "AfterAgent":
		e.Kind, e.Active = nudge.Stop, in.Active
		if in.LastWords != wordless {
			e.Text = in.LastWords
		}
	case "SessionEnd":
		e.Kind, e.Source = nudge.End, agent.EndSource(in.Reason)
		// PreCompress comes at every request to the model, whether or not anything
		// is summarised, so it means nothing: see agent.Hooks.Silent.
	}
	return e, nil
}

// withoutContext returns what was said in a prompt that begins with the context
// of hooks: without a terminal, Gemini CLI puts that of a start before it.
//
//	<hook_context>…</hook_context>
//
//	add a todo
func withoutContext(prompt string) string {
	for {
		rest, found := strings.CutPrefix(prompt, "<hook_context>")
		if !found {
			return prompt
		}
		// It cannot hold the end mark itself: Gemini CLI escapes what it wraps.
		_, rest, found = strings.Cut(rest, "</hook_context>")
		if !found {
			return prompt
		}
		prompt = strings.TrimLeft(rest, "\r\n")
	}
}

func failed(output json.RawMessage) bool {
	var out struct {
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(output, &out); err != nil {
		return false
	}
	return len(out.Error) > 0 && string(out.Error) != "null"
}

// Encode writes an answer for Gemini CLI, which reads the names that
// Claude Code reads. Gemini CLI escapes a context and wraps it in <hook_context>.
func Encode(e agent.Event, a agent.Answer) []byte {
	var out claude.Output
	switch e.Kind {
	case nudge.Start:
		out.Tell(e, a.Context)
	case nudge.Prompt:
		if a.Handled != "" {
			// The prompt is dropped, also from the history. A notice beside it would
			// be shown in place of the reason.
			out.Decision, out.Reason = "deny", a.Handled
			return agent.Output(out)
		}
		out.Tell(e, a.Context)
	case nudge.CallEnds:
		out.Tell(e, a.Context)
		if a.EndTurn != "" {
			out.Continue, out.StopReason = new(bool), a.EndTurn
		}
	case nudge.Stop:
		if a.Continue != "" {
			out.Decision, out.Reason = "deny", a.Continue
		}
	case nudge.CallBegins:
		if a.Refuse != "" {
			out.Decision, out.Reason = "deny", a.Refuse
		}
	case nudge.End:
	default:
		return nil
	}
	out.Message = a.Notice
	return agent.Output(out)
}
