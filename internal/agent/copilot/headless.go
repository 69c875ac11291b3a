package copilot

import (
	"encoding/json"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "copilot",
	Install: "npm install -g @github/copilot",
	Args: func(t agent.Turn) []string {
		args := []string{"--no-color", "--output-format", "json"}
		switch {
		case t.Skip:
			args = append(args, skip...)
		case t.Work: // what else it runs in a shell, it would ask for
			args = append(args, "--allow-tool", "shell(git add)", "--allow-tool", "shell(git commit)", "--allow-tool", "shell(pawl:*)")
			fallthrough
		default:
			args = append(args, "--allow-tool", "pawl", "--allow-tool", "write")
		}
		if t.Model != "" {
			args = append(args, "--model", t.Model)
		}
		if t.Session != "" {
			args = append(args, "--resume="+t.Session)
		} else if t.Trusted {
			args = append(args, "--trust-folder") // refused beside --resume
		}
		return append(args, "-p", t.Prompt)
	},
	Skip:    skip,
	Said:    prints,
	Compact: "/compact",
	Login:   "copilot login",
	Refused: []string{"copilot login", "/login", "No authentication"},
	Traces: func(t agent.Trace) (all []string) {
		dir := t.Place.Own(".copilot", ".copilot")
		for _, s := range t.Sessions {
			all = append(all, filepath.Join(dir, "session-state", s), filepath.Join(dir, "session-state", ".session-operation-locks", s+".lock"))
		}
		return all
	},
	Named: func(p agent.Place) []string {
		return []string{filepath.Join(p.Own(".copilot", ".copilot"), "session-store.db")}
	},
	Tokens: 12_000,
}

var skip = []string{"--allow-all"}

// prints reads a line of --output-format json. It tells no tokens.
//
//	{"type":"assistant.message","data":{"content":"Done.","toolRequests":[],…}}
//	{"type":"result","sessionId":"c34a…","exitCode":0,"usage":{"premiumRequests":1,…}}
func prints(line []byte) agent.Said {
	var in struct {
		Type    string
		Session string `json:"sessionId"`
		Data    struct {
			Content, Message string
			Tool             string `json:"toolName"`
			Arguments        json.RawMessage
		}
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	out := agent.Said{Session: in.Session}
	switch in.Type {
	case "assistant.message":
		out.Text, out.Doing = in.Data.Content, agent.Line(in.Data.Content)
	case "tool.execution_start":
		out.Doing = agent.Call(in.Data.Tool, in.Data.Arguments)
	case "session.error":
		out.Failed = in.Data.Message
	}
	return out
}
