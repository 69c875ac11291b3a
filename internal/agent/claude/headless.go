package claude

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "claude",
	Install: "npm install -g @anthropic-ai/claude-code",
	Args: func(t agent.Turn) []string {
		args := []string{"-p", "--output-format", "stream-json", "--verbose"}
		allowed := "mcp__pawl" // to name TaskCreate here would give current models a second list
		switch {
		case t.Skip:
			args = append(args, skip...)
		case t.Work: // what else it runs in a shell, it would ask for
			allowed += ",Bash(git add:*),Bash(git commit:*),Bash(pawl:*)"
			fallthrough
		default:
			args = append(args, "--permission-mode", "acceptEdits", "--allowedTools", allowed)
		}
		if t.Trusted { // what it asks its person of the server in .mcp.json
			args = append(args, "--settings", `{"enabledMcpjsonServers":["pawl"]}`)
		}
		return t.With(args, "--model", "--resume")
	},
	Skip:    skip,
	Stdin:   true,
	Said:    Prints,
	Tells:   agent.Tells{Tokens: true, AllTokens: true, AllMoney: true},
	Compact: "/compact",
	Login:   "start claude and type /login",
	Refused: []string{"/login", "Invalid API key", "authentication_failed", "Not logged in"},
	Traces: func(t agent.Trace) []string {
		dir := t.Place.Own(".claude", ".claude")
		all := []string{filepath.Join(dir, "projects", Folder(t.Dir))}
		for _, s := range t.Sessions {
			for _, kept := range []string{"tasks", "session-env", "file-history", "todos"} {
				all = append(all, filepath.Join(dir, kept, s+"*"))
			}
			all = append(all, filepath.Join(dir, "debug", s+".txt"))
		}
		return all
	},
	Named: func(p agent.Place) []string {
		if p.Profile != "" {
			return []string{filepath.Join(p.Profile, ".claude.json")}
		}
		return []string{filepath.Join(p.Home, ".claude.json")}
	},
	Tokens: 15_000,
}

var skip = []string{"--dangerously-skip-permissions"}

// Folder is the name that Claude Code, and Qwen Code too, gives to the folder of a project.
func Folder(dir string) string { return plain.ReplaceAllString(dir, "-") }

var plain = regexp.MustCompile(`[^A-Za-z0-9]`)

// Prints reads a line of --output-format stream-json:
//
//	{"type":"assistant","message":{"id":"msg_01","content":[{"type":"tool_use","name":"Edit","input":{…}}],"usage":{…}},…}
//	{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1778565600,"isUsingOverage":false}}
//	{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"0b7c…","total_cost_usd":0.02,"usage":{…}}
//
// Each part of a message is a line with the usage of the whole message, in which the
// tokens that it wrote are only begun; the result has all of them.
func Prints(line []byte) agent.Said {
	var in struct {
		Type, Subtype string
		Session       string `json:"session_id"`
		Failed        bool   `json:"is_error"`
		Result        string
		Money         float64         `json:"total_cost_usd"`
		Error         json.RawMessage // of Qwen Code an object, of api_retry a word
		Status        int             `json:"error_status"`
		Delay         float64         `json:"retry_delay_ms"`
		Usage         usage
		Message       struct {
			ID, Model string
			Content   json.RawMessage
			Usage     usage
		}
		Limit struct {
			Status  string
			Resets  int64 `json:"resetsAt"`
			Overage bool  `json:"isUsingOverage"`
		} `json:"rate_limit_info"`
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	said := agent.Said{Session: in.Session}
	switch in.Type {
	case "assistant":
		if in.Message.Model == "<synthetic>" { // what the program says itself
			break
		}
		said.Doing, said.Message, said.Usage = doing(in.Message.Content), in.Message.ID, in.Message.Usage.all(0)
	case "system":
		if in.Subtype == "api_retry" && (in.Status == 429 || in.Status == 529) {
			said.Limited, said.Wait = true, time.Duration(in.Delay)*time.Millisecond
			said.Doing = "waits to repeat a request"
		}
	case "rate_limit_event":
		if in.Limit.Status == "rejected" && !in.Limit.Overage {
			said.Limited = true
			if in.Limit.Resets > 0 {
				said.Until = time.Unix(in.Limit.Resets, 0)
			}
		}
	case "result":
		said.Usage, said.Total = in.Usage.all(in.Money), true
		if said.Text = in.Result; in.Failed {
			var reason struct{ Message string }
			_ = json.Unmarshal(in.Error, &reason)
			said.Text, said.Failed = "", cmp.Or(in.Result, reason.Message, "it ended with an error")
		}
	}
	return said
}

type usage struct {
	In      int `json:"input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Out     int `json:"output_tokens"`
}

func (u usage) all(money float64) agent.Usage {
	return agent.Usage{In: u.In + u.Read + u.Written, Cached: u.Read, Out: u.Out, Money: money}
}

// doing is the last thing that a message does.
func doing(content json.RawMessage) string {
	var parts []struct {
		Type, Text, Name string
		Input            json.RawMessage
	}
	if json.Unmarshal(content, &parts) != nil {
		return ""
	}
	does := ""
	for _, part := range parts {
		switch part.Type {
		case "tool_use":
			does = agent.Call(part.Name, part.Input)
		case "text":
			does = cmp.Or(agent.Line(part.Text), does)
		}
	}
	return does
}
