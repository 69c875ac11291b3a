package codex

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "codex",
	Install: "npm install -g @openai/codex",
	Args: func(t agent.Turn) []string {
		args := []string{
			"exec", "--json", "--skip-git-repo-check",
		}
		if t.Skip {
			args = append(args, skip...)
		} else {
			args = append(args, "-c", `sandbox_mode="workspace-write"`, "-c", `approval_policy="never"`)
		}
		if t.Trusted { // what a person says in /hooks and at the first start, for this run alone
			args = append(args, "--dangerously-bypass-hook-trust", "-c", "projects={"+string(agent.Raw(t.Dir))+`={trust_level="trusted"}}`)
		}
		return append(t.With(args, "--model", "resume"), "-")
	},
	Skip:    skip,
	Stdin:   true,
	Said:    prints,
	Tells:   agent.Tells{AllTokens: true},
	Login:   "codex login",
	Refused: []string{"codex login", "401 Unauthorized", "Not logged in"},
	Traces: func(t agent.Trace) (all []string) {
		dir := t.Place.Own(".codex", ".codex")
		for _, s := range t.Sessions {
			all = append(all, filepath.Join(dir, "sessions", "*", "*", "*", "rollout-*-"+s+".jsonl"), filepath.Join(dir, "shell_snapshots", s+"*"))
		}
		return all
	},
	Named: func(p agent.Place) []string {
		return []string{filepath.Join(p.Own(".codex", ".codex"), "state_*.sqlite")}
	},
	Tokens: 10_000,
}

var skip = []string{"--dangerously-bypass-approvals-and-sandbox"}

// prints reads a line of --json:
//
//	{"type":"thread.started","thread_id":"01a1…"}
//	{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
//	{"type":"turn.completed","usage":{"input_tokens":24763,"cached_input_tokens":24448,"output_tokens":122}}
func prints(line []byte) agent.Said {
	var in struct {
		Type    string
		Thread  string `json:"thread_id"`
		Message string
		Item    struct {
			Type, Text, Command, Tool, Query string
			Changes                          []struct{ Path, Kind string }
		}
		Error struct{ Message string }
		Usage struct {
			In     int `json:"input_tokens"`
			Cached int `json:"cached_input_tokens"`
			Out    int `json:"output_tokens"`
		}
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	out := agent.Said{Session: in.Thread}
	switch in.Type {
	case "item.started", "item.completed":
		switch item := in.Item; item.Type {
		case "agent_message":
			out.Text, out.Doing = item.Text, agent.Line(item.Text)
		case "command_execution":
			out.Doing = agent.Call("Shell", agent.JSON(map[string]string{"command": item.Command}))
		case "file_change":
			out.Doing = "Edit"
			if len(item.Changes) > 0 {
				out.Doing = agent.Call("Edit", agent.JSON(map[string]string{"path": item.Changes[0].Path}))
			}
		case "mcp_tool_call":
			out.Doing = agent.Line(item.Tool)
		case "web_search":
			out.Doing = agent.Line("Search " + item.Query)
		case "reasoning":
			out.Doing = agent.Line(strings.Trim(item.Text, "* \n"))
		}
	case "turn.completed":
		out.Total, out.Usage = true, agent.Usage{In: in.Usage.In, Cached: in.Usage.Cached, Out: in.Usage.Out}
	case "turn.failed":
		out.Failed = in.Error.Message
	case "error":
		out.Failed = in.Message
	}
	return out
}
