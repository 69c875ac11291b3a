package opencode

import (
	"cmp"
	"encoding/json"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "opencode",
	Install: "npm install -g opencode-ai",
	Args: func(t agent.Turn) []string {
		args := []string{"run", "--format", "json"}
		if t.Skip {
			args = append(args, skip...)
		}
		return append(t.With(args, "--model", "--session"), t.Prompt)
	},
	Env: func(t agent.Turn) []string {
		if !t.Work || t.Skip {
			return nil
		}
		return []string{"OPENCODE_PERMISSION=" + bounds}
	},
	Skip:    skip,
	Said:    prints,
	Tells:   agent.Tells{Tokens: true, Money: true, AllTokens: true, AllMoney: true},
	First:   true,
	Forget:  func(session string) []string { return []string{"session", "delete", session} },
	Login:   "opencode auth login",
	Refused: []string{"opencode auth login", "API key is missing", "no providers"},
	Tokens:  8_000,
}

// bounds are what the agent may do in a task's work tree: without them it asks for nothing.
// Where nobody can answer, it refuses an action that is set to ask.
const bounds = `{"edit":"allow","bash":{"*":"ask","git add *":"allow","git commit *":"allow","git status *":"allow","git diff *":"allow","pawl *":"allow"},"webfetch":"ask","external_directory":"ask","doom_loop":"ask"}`

var skip = []string{"--auto"}

// prints reads a line of --format json:
//
//	{"type":"text","sessionID":"ses_df…","part":{"type":"text","text":"Done."}}
//	{"type":"step_finish","sessionID":"ses_df…","part":{"tokens":{"input":1000,"output":10,"cache":{"read":0,"write":0}},"cost":0.01}}
//	{"type":"error","sessionID":"ses_df…","error":{"name":"…","data":{"message":"…"}}}
func prints(line []byte) agent.Said {
	var in struct {
		Type    string
		Session string `json:"sessionID"`
		Part    struct {
			Text   string
			Tool   string
			State  struct{ Input json.RawMessage }
			Tokens struct {
				In    int `json:"input"`
				Out   int `json:"output"`
				Cache struct{ Read, Write int }
			}
			Cost float64
		}
		Error struct {
			Name string
			Data struct{ Message string }
		}
	}
	if json.Unmarshal(line, &in) != nil {
		return agent.Said{}
	}
	out := agent.Said{Session: in.Session}
	switch in.Type {
	case "text":
		out.Text, out.Doing = in.Part.Text, agent.Line(in.Part.Text)
	case "tool_use":
		out.Doing = agent.Call(in.Part.Tool, in.Part.State.Input)
	case "step_finish":
		t := in.Part.Tokens
		out.Usage = agent.Usage{In: t.In + t.Cache.Read + t.Cache.Write, Cached: t.Cache.Read, Out: t.Out, Money: in.Part.Cost}
	case "error":
		out.Failed = cmp.Or(in.Error.Data.Message, in.Error.Name, "it ended with an error")
	}
	return out
}
