package codex

import (
	"encoding/json"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "codex",
	Install: "npm install -g @openai/codex",
	Args: func(t agent.Turn) []string {
		args := []string{
			"exec", "--json", "--skip-git-repo-check", "-c", `sandbox_mode="workspace-write"`, "-c", `approval_policy="never"`,
		}
		if t.Trusted { // what a person says in /hooks and at the first start, for this run alone
			args = append(args, "--dangerously-bypass-hook-trust", "-c", "projects={"+string(agent.Raw(t.Dir))+`={trust_level="trusted"}}`)
		}
		if t.Model != "" {
			args = append(args, "--model", t.Model)
		}
		if t.Session != "" {
			args = append(args, "resume", t.Session)
		}
		return append(args, "-")
	},
	Stdin:   true,
	Said:    prints,
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
		Item    struct{ Type, Text string }
		Error   struct{ Message string }
		Usage   struct {
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
	case "item.completed":
		if in.Item.Type == "agent_message" {
			out.Text = in.Item.Text
		}
	case "turn.completed":
		out.Usage = agent.Usage{In: in.Usage.In, Cached: in.Usage.Cached, Out: in.Usage.Out}
	case "turn.failed":
		out.Failed = in.Error.Message
	case "error":
		out.Failed = in.Message
	}
	return out
}
