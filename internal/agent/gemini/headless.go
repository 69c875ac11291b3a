package gemini

import (
	"encoding/json"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "gemini",
	Install: "npm install -g @google/gemini-cli",
	Args: func(t agent.Turn) []string {
		args := []string{"-o", "stream-json", "--approval-mode", "auto_edit"}
		if t.Skip {
			args = append([]string{"-o", "stream-json"}, skip...)
		}
		if t.Trusted || t.Work { // it edits nothing in a folder that it does not trust, and this one is new
			args = append(args, "--skip-trust")
		}
		return append(t.With(args, "-m", "--resume"), "-p", t.Prompt)
	},
	Skip:    skip,
	Said:    prints,
	Tells:   agent.Tells{AllTokens: true},
	Login:   "start gemini and choose how to log in",
	Refused: []string{"set an Auth method", "API key not valid", "GEMINI_API_KEY"},
	Named:   func(p agent.Place) []string { return []string{filepath.Join(p.Home, ".gemini", "projects.json")} },
	Traces: func(t agent.Trace) []string {
		name := filepath.Base(t.Dir) // as Gemini CLI calls the project, since it has no other of that name
		return []string{filepath.Join(t.Home, ".gemini", "tmp", name), filepath.Join(t.Home, ".gemini", "history", name)}
	},
	Tokens: 10_000,
}

var skip = []string{"--approval-mode", "yolo"}

// prints reads a line of -o stream-json:
//
//	{"type":"init","session_id":"91fe…","model":"…"}
//	{"type":"message","role":"assistant","content":"Do","delta":true}
//	{"type":"result","status":"success","stats":{"input_tokens":9000,"output_tokens":10,"cached":0}}
func prints(line []byte) agent.Said {
	var in struct {
		Type, Role, Content, Status, Message string
		Session                              string `json:"session_id"`
		Delta                                bool
		Tool                                 string `json:"tool_name"`
		Parameters                           json.RawMessage
		Error                                struct{ Message string }
		Stats                                struct {
			In     int `json:"input_tokens"`
			Cached int `json:"cached"`
			Out    int `json:"output_tokens"`
		}
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	out := agent.Said{Session: in.Session}
	switch {
	case in.Type == "message" && in.Role == "assistant":
		out.Text, out.More, out.Doing = in.Content, in.Delta, agent.Line(in.Content)
	case in.Type == "tool_use":
		out.Doing = agent.Call(in.Tool, in.Parameters)
	case in.Type == "error":
		out.Failed = in.Message
	case in.Type == "result":
		out.Total, out.Usage = true, agent.Usage{In: in.Stats.In, Cached: in.Stats.Cached, Out: in.Stats.Out}
		if in.Status == "error" {
			out.Failed = in.Error.Message
		}
	}
	return out
}
