package windsurf

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/nudge"
)

// input is what Windsurf writes to a hook, as far as Pawl reads it. From
// its documentation: no client was seen.
//
//	{"agent_action_name": "pre_mcp_tool_use", "trajectory_id": "7a…", "execution_id": "c3…",
//	 "tool_info": {"mcp_server_name": "pawl", "mcp_tool_name": "todo_write", "mcp_tool_arguments": {…}}}
type input struct {
	Name    string          `json:"agent_action_name"`
	Session string          `json:"trajectory_id"`
	Turn    string          `json:"execution_id"`
	At      string          `json:"timestamp"`
	Info    json.RawMessage `json:"tool_info"`
}

type call struct {
	Server string          `json:"mcp_server_name"`
	Tool   string          `json:"mcp_tool_name"`
	Args   json.RawMessage `json:"mcp_tool_arguments"`
	Result json.RawMessage `json:"mcp_result"`
	Dir    string          `json:"cwd"` // of a command
}

// decode reads an event of Windsurf, whose hooks watch and cannot say
// anything: from them Pawl learns who calls its tools, and what was called. What
// is for an answer is left out, so that nothing counts as said.
func decode(in *input, name string, _ func(string) string) (agent.Event, error) {
	e := agent.Event{Name: cmp.Or(in.Name, name), Session: in.Session, Turn: in.Turn, At: in.At}
	switch e.Name {
	case "pre_mcp_tool_use", "pre_run_command":
		e.Kind = nudge.CallBegins
	case "post_mcp_tool_use", "post_run_command": // only after a success
		e.Kind = nudge.CallEnds
	default:
		return e, nil
	}
	var info call
	if err := json.Unmarshal(in.Info, &info); err != nil {
		return agent.Event{}, fmt.Errorf("a call in Windsurf: %w", err)
	}
	switch e.Name {
	case "pre_mcp_tool_use", "post_mcp_tool_use":
		e.Tool, e.Input, e.Output = info.Tool, agent.Unquoted(info.Args), info.Result
		if info.Server != "" {
			e.Tool = info.Server + "/" + info.Tool
		}
	default:
		e.Tool, e.Input, e.Dir = "run_command", in.Info, info.Dir
	}
	return e, nil
}

// encode writes nothing: there is nothing that Windsurf would read.
func encode(agent.Event, agent.Answer) []byte { return nil }
