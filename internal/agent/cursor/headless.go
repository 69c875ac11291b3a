package cursor

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Untried: true,
	Program: "cursor-agent",
	Install: "curl https://cursor.com/install -fsS | bash",
	Args: func(t agent.Turn) []string {
		args := []string{"-p", "--output-format", "stream-json"}
		switch {
		case t.Skip:
			args = append(args, skip...)
		case t.Work: // it asks about a new folder, and does nothing there
			args = append(args, "--trust", "--sandbox", "enabled")
		}
		return append(t.With(args, "--model", "--resume"), t.Prompt)
	},
	Skip:    skip,
	Said:    prints,
	Login:   "cursor-agent login",
	Refused: []string{"cursor-agent login", "agent login", "Not logged in", "CURSOR_API_KEY"},
	Tokens:  12_000,
}

var skip = []string{"--force"}

// prints reads a line of --output-format stream-json. It tells no tokens.
//
//	{"type":"system","subtype":"init","session_id":"c6b6…","cwd":"/x","permissionMode":"default"}
//	{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I look."}]},"session_id":"c6b6…"}
//	{"type":"tool_call","subtype":"started","call_id":"t1","tool_call":{"readToolCall":{"args":{"path":"a.go"}}},"session_id":"c6b6…"}
//	{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"c6b6…"}
func prints(line []byte) agent.Said {
	var in struct {
		Type, Subtype, Result string
		Failed                bool   `json:"is_error"`
		Session               string `json:"session_id"`
		Message               struct{ Content json.RawMessage }
		Call                  map[string]json.RawMessage `json:"tool_call"`
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	said := agent.Said{Session: in.Session}
	switch in.Type {
	case "assistant":
		var parts []struct{ Type, Text string }
		if json.Unmarshal(in.Message.Content, &parts) == nil && len(parts) > 0 {
			said.Doing = agent.Line(parts[len(parts)-1].Text)
		}
	case "tool_call":
		if in.Subtype == "started" {
			said.Doing = call(in.Call)
		}
	case "result":
		if said.Text = in.Result; in.Failed {
			said.Text, said.Failed = "", cmp.Or(in.Result, "it ended with an error")
		}
	}
	return said
}

// call says what the one call does that an event is about.
func call(calls map[string]json.RawMessage) string {
	for name, raw := range calls {
		tool, is := strings.CutSuffix(name, "ToolCall")
		if !is {
			continue
		}
		var in struct{ Args json.RawMessage }
		if json.Unmarshal(raw, &in) != nil {
			return agent.Line(tool)
		}
		return agent.Call(tool, in.Args)
	}
	return ""
}
