// Package attributiontest plays clients: it reads stories of what real ones sent to
// their hooks and to a server, and does what their hooks are to do.
package attributiontest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/pawl-dev/pawl/internal/attribution"
)

// A Step of a story: one of the first three, and with a call what the server
// makes of it.
type Step struct {
	Server map[string]string `json:"server,omitempty"` // a server is started with this environment
	Hook   string            `json:"hook,omitempty"`   // a hook runs
	Call   json.RawMessage   `json:"call,omitempty"`   // the params of tools/call

	Client string          `json:"client,omitempty"` // with Server: what the client calls itself
	Stdin  json.RawMessage `json:"stdin,omitempty"`  // with Hook: its payload
	Want   *Want           `json:"want,omitempty"`
}

// Want is who a call is from.
type Want struct {
	Name, Session, Agent string
	By                   attribution.Way
}

// Read reads a story, a step a line.
func Read(text []byte) ([]Step, error) {
	var steps []Step
	for line := range bytes.Lines(text) {
		var s Step
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// A Client remembers what its hooks were told before.
type Client struct {
	parents map[string]string // opencode tells the parent of a session when that is made
}

// A Note is what a hook leaves.
type Note struct {
	Report *attribution.Report
	Ended  string
	Ticket *attribution.Ticket
}

// payload has the fields of all clients' hooks that say who calls.
type payload struct {
	SessionID     string
	SessionSnake  string `json:"session_id"`
	AgentID       string
	AgentSnake    string `json:"agent_id"`
	ParentAgentID string
	Tool          string          `json:"tool_name"`
	ToolCamel     string          `json:"toolName"`
	Args          json.RawMessage `json:"tool_input"`
	ArgsCamel     json.RawMessage `json:"toolArgs"`
	ToolUse       string          `json:"tool_use_id"`
	Source        string
	Input         struct{ Tool, SessionID, CallID string }
	Output        struct{ Args json.RawMessage }
	Properties    struct{ Info struct{ ID, ParentID string } }
}

// Note is what the hook of a step has to leave.
func (c *Client) Note(s Step) (n Note, err error) {
	var p payload
	if err := json.Unmarshal(s.Stdin, &p); err != nil {
		return n, err
	}
	session := cmp.Or(p.SessionSnake, p.SessionID, p.Input.SessionID)
	agent := cmp.Or(p.AgentSnake, p.AgentID)
	if p.ParentAgentID != "" {
		session = p.ParentAgentID // Copilot CLI: the subagent's session is the subagent
	}
	if parent := c.parents[session]; parent != "" {
		session, agent = parent, session // opencode: it is a session of its own
	}
	switch s.Hook {
	case "SessionStart", "sessionStart":
		n.Report = &attribution.Report{Session: session, Cleared: p.Source == "clear"}
	case "SessionEnd", "sessionEnd":
		n.Ended = session
	case "session.created":
		info := p.Properties.Info
		if info.ParentID == "" {
			n.Report = &attribution.Report{Session: info.ID}
			break
		}
		if c.parents == nil {
			c.parents = map[string]string{}
		}
		c.parents[info.ID] = info.ParentID
	case "PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before":
		args := p.Args
		for _, other := range []json.RawMessage{p.ArgsCamel, p.Output.Args} {
			if args == nil {
				args = other
			}
		}
		n.Ticket = &attribution.Ticket{
			Tool: cmp.Or(p.Tool, p.ToolCamel, p.Input.Tool), Args: args, ToolUse: cmp.Or(p.ToolUse, p.Input.CallID),
			Session: session, Agent: agent,
		}
	}
	return n, nil
}

// Leave leaves the note for the servers of an agent's process.
func (n Note) Leave(notes attribution.Notes, process string) error {
	switch {
	case n.Report != nil:
		report := *n.Report
		report.Process = process
		return notes.Report(report)
	case n.Ended != "":
		return notes.End(process, n.Ended)
	case n.Ticket != nil:
		ticket := *n.Ticket
		ticket.Process = process
		return notes.Leave(ticket)
	}
	return nil
}
