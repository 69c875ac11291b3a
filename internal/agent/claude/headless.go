package claude

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "claude",
	Install: "npm install -g @anthropic-ai/claude-code",
	Args: func(t agent.Turn) []string {
		args := []string{
			"-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits", "--allowedTools", "mcp__pawl,TaskCreate,TaskUpdate,TaskList",
		} // its own list is off unless it is allowed by name
		if t.Trusted { // what it asks its person of the server in .mcp.json
			args = append(args, "--settings", `{"enabledMcpjsonServers":["pawl"]}`)
		}
		if t.Model != "" {
			args = append(args, "--model", t.Model)
		}
		if t.Session != "" {
			args = append(args, "--resume", t.Session)
		}
		return args
	},
	Stdin:   true,
	Said:    Prints,
	Compact: "/compact",
	Login:   "start claude and type /login",
	Refused: []string{"/login", "Invalid API key", "authentication_failed", "Not logged in"},
	Traces: func(t agent.Trace) []string {
		dir := t.Place.Own(".claude", ".claude")
		all := []string{filepath.Join(dir, "projects", plain.ReplaceAllString(t.Dir, "-"))}
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

// plain is what does not stay in the name that Claude Code gives to the folder of
// a project.
var plain = regexp.MustCompile(`[^A-Za-z0-9]`)

// Prints reads a line of --output-format stream-json:
//
//	{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"0b7c…","total_cost_usd":0.02,"usage":{…}}
func Prints(line []byte) agent.Said {
	var in struct {
		Type    string
		Session string `json:"session_id"`
		Failed  bool   `json:"is_error"`
		Result  string
		Money   float64                  `json:"total_cost_usd"`
		Error   struct{ Message string } // of Qwen Code
		Usage   struct {
			In      int `json:"input_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Written int `json:"cache_creation_input_tokens"`
			Out     int `json:"output_tokens"`
		}
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	said := agent.Said{Session: in.Session}
	if in.Type != "result" {
		return said
	}
	u := in.Usage
	said.Usage = agent.Usage{In: u.In + u.Read + u.Written, Cached: u.Read, Out: u.Out, Money: in.Money}
	if said.Text = in.Result; in.Failed {
		said.Text, said.Failed = "", cmp.Or(in.Result, in.Error.Message, "it ended with an error")
	}
	return said
}
