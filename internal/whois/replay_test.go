package whois_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/whois"
)

var update = flag.Bool("update", false, "write what is seen into the stories")

// A line is a step of a story: what a client did, and what the server made of
// it. See testdata/README.md.
type line struct {
	Server map[string]string `json:"server,omitempty"` // a server is started with this environment
	Client string            `json:"client,omitempty"`
	Hook   string            `json:"hook,omitempty"`
	Stdin  json.RawMessage   `json:"stdin,omitempty"`
	Call   json.RawMessage   `json:"call,omitempty"`
	Want   *want             `json:"want,omitempty"`
}

type want struct {
	Name, Session, Agent string
	By                   whois.Way
}

// Each client's own payloads, from its hooks and to its server, in the order in
// which they came.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 12 {
		t.Fatalf("only %d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { replay(t, file) })
	}
}

func replay(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := client{
		notes:   whois.Notes{Dir: t.TempDir(), Now: func() time.Time { return noon }},
		process: "agent-4242.1.0a1b2c3d",
		parents: map[string]string{},
	}
	var out bytes.Buffer
	calls := 0
	for raw := range bytes.Lines(text) {
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		switch {
		case l.Hook != "":
			c.hook(t, l)
		case l.Call != nil:
			calls++
			got := c.call(t, l)
			if l.Want == nil || got != *l.Want {
				if !*update {
					t.Errorf("call %d: got %+v, want %+v", calls, got, l.Want)
				}
				raw = want1(raw, got)
			}
		default:
			c.start(l)
		}
		out.Write(raw)
	}
	if calls == 0 {
		t.Error("nobody calls")
	}
	if *update {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// want1 puts what was seen at the end of a line.
func want1(raw []byte, got want) []byte {
	raw = bytes.TrimSpace(raw)
	if i := bytes.LastIndex(raw, []byte(`, "want": `)); i > 0 {
		raw = raw[:i]
	} else {
		raw = bytes.TrimSuffix(raw, []byte("}"))
	}
	text, _ := json.Marshal(got)
	return append(append(append(raw, `, "want": `...), text...), '}', '\n')
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A client does what the agents do: it runs its hooks, then calls.
type client struct {
	notes    whois.Notes
	process  string
	parents  map[string]string // opencode tells the parent of a session when that is made
	resolver *whois.Resolver
	name     string
}

func (c *client) start(l line) {
	c.name = l.Client
	c.resolver = &whois.Resolver{
		Notes:   c.notes,
		Process: caller.Process{ID: c.process},
		Getenv:  func(key string) string { return l.Server[key] },
	}
}

func (c *client) call(t *testing.T, l line) want {
	t.Helper()
	var params struct {
		Name      string
		Arguments json.RawMessage
		Meta      json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(l.Call, &params); err != nil {
		t.Fatal(err)
	}
	known, err := c.resolver.Resolve(t.Context(), whois.Call{Tool: params.Name, Args: params.Arguments, Meta: params.Meta, Client: c.name})
	if err != nil {
		t.Fatal(err)
	}
	return want{known.Name, known.Session, known.Agent, known.By}
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

// hook is a client's hook as far as this package is concerned.
func (c *client) hook(t *testing.T, l line) {
	t.Helper()
	var p payload
	if err := json.Unmarshal(l.Stdin, &p); err != nil {
		t.Fatal(err)
	}
	session := or(p.SessionSnake, p.SessionID, p.Input.SessionID)
	agent := or(p.AgentSnake, p.AgentID)
	if p.ParentAgentID != "" {
		session = p.ParentAgentID // Copilot CLI: the subagent's session is the subagent
	}
	if parent := c.parents[session]; parent != "" {
		session, agent = parent, session // opencode: it is a session of its own
	}
	var err error
	switch l.Hook {
	case "SessionStart", "sessionStart":
		err = c.notes.Report(whois.Report{Process: c.process, Session: session, Cleared: p.Source == "clear"})
	case "SessionEnd", "sessionEnd":
		err = c.notes.End(c.process, session)
	case "session.created":
		info := p.Properties.Info
		if c.parents[info.ID] = info.ParentID; info.ParentID == "" {
			err = c.notes.Report(whois.Report{Process: c.process, Session: info.ID})
		}
	case "PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before":
		args := p.Args
		for _, other := range []json.RawMessage{p.ArgsCamel, p.Output.Args} {
			if args == nil {
				args = other
			}
		}
		err = c.notes.Leave(whois.Ticket{
			Process: c.process, Tool: or(p.Tool, p.ToolCamel, p.Input.Tool), Args: args, ToolUse: or(p.ToolUse, p.Input.CallID),
			Session: session, Agent: agent,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func or(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
