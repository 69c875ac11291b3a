package opencode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Pawl's plugin for opencode passes on, which is what
// opencode gave it, and beside that what it knows itself. Two shapes are in it,
// of a hook and of an event:
//
//	{"input": {"tool": "bash", "sessionID": "ses_1", "callID": "call_1"}, "output": {…}, "pawl": {…}}
//	{"id": "evt_1", "type": "session.idle", "properties": {"sessionID": "ses_1"}, "pawl": {"root": "ses_1", "directory": "/src"}}
type input struct {
	ID    string `json:"id"` // of an event
	Input struct {
		Session string          `json:"sessionID"`
		Tool    string          `json:"tool"`
		Call    string          `json:"callID"`
		Args    json.RawMessage `json:"args"` // after the call
		Message string          `json:"messageID"`
	} `json:"input"`
	Output json.RawMessage `json:"output"`

	Properties struct {
		Session string          `json:"sessionID"`
		Todos   json.RawMessage `json:"todos"`
		Info    struct {
			ID     string `json:"id"`
			Parent string `json:"parentID"`
			Dir    string `json:"directory"`
		} `json:"info"`
	} `json:"properties"`

	Pawl struct {
		Root   string `json:"root"`      // the session that a person sees; of a subagent's session the one above all
		Dir    string `json:"directory"` // that opencode was started in
		Text   string `json:"text"`      // of session.idle and session.answered: the agent's last words
		Active bool   `json:"active"`    // of the same: a continuation of ours began the turn
	} `json:"pawl"`
}

// decode reads an event of opencode. A subagent has a session of its
// own there, which is a child of that of the agent that called it.
func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	info := in.Properties.Info
	if !strings.HasPrefix(name, "session.") {
		info.ID, info.Parent = "", "" // of a message
	}
	e := agent.Event{Name: name, Session: cmp.Or(in.Input.Session, in.Properties.Session, info.ID), Dir: cmp.Or(in.Pawl.Dir, info.Dir), At: in.ID}
	if root := cmp.Or(in.Pawl.Root, info.Parent); root != "" && root != e.Session {
		e.Session, e.Agent = root, e.Session
	}
	switch name {
	case "session.created":
		if e.Agent != "" {
			e.AboutHelper(nudge.HelperStart)
			break
		}
		e.Kind, e.Source = nudge.Start, nudge.Startup
	case "session.resumed": // the plugin's own name: somebody speaks in a session that was there before it
		if e.Agent == "" {
			e.Kind, e.Source = nudge.Start, nudge.Resume
		}
	case "session.compacted":
		e.Kind, e.Source = nudge.Start, nudge.Compact
	case "experimental.session.compacting":
		e.Kind = nudge.Compaction
	case "chat.message":
		text, message := said(in.Output)
		e.Turn = cmp.Or(in.Input.Message, message)
		if text != "" {
			e.Kind, e.Text = nudge.Prompt, text
		}
	case "tool.execute.before":
		var out struct {
			Args json.RawMessage `json:"args"`
		}
		if err := json.Unmarshal(in.Output, &out); err != nil {
			return agent.Event{}, fmt.Errorf("a call in opencode: %w", err)
		}
		e.Kind = nudge.CallBegins
		e.Tool, e.ToolUse, e.Input = in.Input.Tool, in.Input.Call, out.Args
	case "tool.execute.after":
		e.Kind = nudge.CallEnds
		e.Tool, e.ToolUse, e.Input, e.Output = in.Input.Tool, in.Input.Call, in.Input.Args, in.Output
		e.Call.Failed = agent.Failed(in.Output)
	case "tool.execute.failed": // the plugin's own name: opencode calls no hook then
		e.Kind = nudge.CallEnds
		e.Tool, e.ToolUse, e.Input, e.Output = in.Input.Tool, in.Input.Call, in.Input.Args, in.Output
		e.Call.Failed = true
	case "todo.updated":
		e.Todos = in.Properties.Todos
	case "session.idle":
		if e.Agent != "" { // too late to continue it: see session.answered
			e.AboutHelper(nudge.HelperStop)
			break
		}
		e.Kind, e.Text, e.Active = nudge.Stop, in.Pawl.Text, in.Pawl.Active
	case "session.answered": // the plugin's own name: the agent that called it does not have the answer yet
		if e.Agent != "" {
			e.Kind, e.Text, e.Active = nudge.Stop, in.Pawl.Text, in.Pawl.Active
		}
	case "session.error":
		if e.Session != "" {
			e.Kind = nudge.Interrupt
		}
	case "session.deleted", "dispose":
		if e.Agent == "" && e.Session != "" {
			e.Kind = nudge.End
		}
	}
	return e, nil
}

// said returns what a person wrote in a message, and its number. Beside
// it may stand what opencode and its plugins put there: the content of files, a
// context.
//
//	{"parts": [{"messageID": "msg_1", "type": "text", "text": "add a todo"}, {"type": "text", "text": "…", "synthetic": true}]}
func said(output json.RawMessage) (text, message string) {
	var out struct {
		Parts []struct {
			Message   string `json:"messageID"`
			Type      string `json:"type"`
			Text      string `json:"text"`
			Synthetic bool   `json:"synthetic"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(output, &out); err != nil {
		return "", ""
	}
	var texts []string
	for _, part := range out.Parts {
		message = cmp.Or(message, part.Message)
		if part.Type == "text" && !part.Synthetic && strings.TrimSpace(part.Text) != "" {
			texts = append(texts, part.Text)
		}
	}
	return typed(strings.Join(texts, "\n")), message
}

// typed is what a person wrote in `opencode run "a prompt"`: opencode puts each
// word of its command line that has a space in it between quotation marks again.
func typed(text string) string {
	if inner, ok := strings.CutPrefix(strings.TrimSpace(text), `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok && !strings.Contains(strings.ReplaceAll(inner, `\"`, ""), `"`) {
			return strings.ReplaceAll(inner, `\"`, `"`)
		}
	}
	return text
}

type output struct {
	Context  string `json:"context,omitempty"`
	Continue string `json:"continue,omitempty"`
	Notice   string `json:"notice,omitempty"`
	Handled  string `json:"handled,omitempty"`
}

// encode writes an answer for the plugin, which finds the place for
// each part of it.
func encode(e agent.Event, a agent.Answer) []byte {
	out := output{Notice: a.Notice}
	switch e.Kind {
	case nudge.Start, nudge.CallEnds, nudge.Compaction:
		out.Context = a.Context
	case nudge.Prompt:
		if out.Handled = a.Handled; a.Handled == "" {
			out.Context = a.Context
		}
	case nudge.Stop:
		out.Continue = a.Continue
	case nudge.CallBegins, nudge.Interrupt:
	default:
		return nil
	}
	return agent.Output(out)
}
