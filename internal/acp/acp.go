// Package acp is the Agent Client Protocol as far as Pawl speaks it: JSON-RPC 2.0 over a
// pair of streams, one message a line, between an editor (the client) and an agent's
// program. It has no connection of its own: a proxy passes lines on, a client answers them.
//
//	in := acp.NewReader(os.Stdin)
//	line, err := in.Next()
//	if m, ok := acp.Look(line.Text); ok && m.Method == acp.MethodPrompt { … }
//	err = out.Send(acp.Notification(acp.MethodUpdate, acp.SessionUpdate{…}))
//
// The types have the fields that Pawl reads or writes, and no others: text of a message that
// is passed on is never decoded and encoded again.
package acp

import "encoding/json"

// The methods that Pawl knows.
const (
	MethodInitialize = "initialize"
	MethodNew        = "session/new"
	MethodLoad       = "session/load"
	MethodResume     = "session/resume"
	MethodFork       = "session/fork"
	MethodClose      = "session/close"
	MethodPrompt     = "session/prompt"
	MethodCancel     = "session/cancel"
	MethodUpdate     = "session/update"
	MethodPermission = "session/request_permission"
)

// Version is the version of the protocol that is not a draft.
const Version = 1

// Info is what a program calls itself.
type Info struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// Initialize are the parameters of the first request.
type Initialize struct {
	ProtocolVersion    int                `json:"protocolVersion"`
	ClientCapabilities ClientCapabilities `json:"clientCapabilities"`
	ClientInfo         *Info              `json:"clientInfo,omitempty"`
}

// ClientCapabilities are what an agent may ask of its client.
type ClientCapabilities struct {
	FS struct {
		ReadTextFile  bool `json:"readTextFile"`
		WriteTextFile bool `json:"writeTextFile"`
	} `json:"fs"`
	Terminal bool `json:"terminal"`
}

// Initialized is the result of the first request.
type Initialized struct {
	ProtocolVersion   int `json:"protocolVersion"`
	AgentCapabilities struct {
		LoadSession        bool `json:"loadSession"`
		PromptCapabilities struct {
			EmbeddedContext bool `json:"embeddedContext"`
		} `json:"promptCapabilities"`
	} `json:"agentCapabilities"`
	AgentInfo   Info              `json:"agentInfo"`
	AuthMethods []json.RawMessage `json:"authMethods"`
}

// NewSession are the parameters of session/new, and with SessionID of session/load, resume
// and fork.
type NewSession struct {
	SessionID  string      `json:"sessionId,omitempty"`
	Cwd        string      `json:"cwd"`
	MCPServers []MCPServer `json:"mcpServers"`
}

// An MCPServer is one that the agent's program starts.
type MCPServer struct {
	Type    string     `json:"type,omitempty"` // stdio; version 1 has no such field
	Name    string     `json:"name"`
	Command string     `json:"command"`
	Args    []string   `json:"args"`
	Env     []Variable `json:"env"`
}

// A Variable is one of a program's environment.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Session is a result, or the parameters of a message, that names only a session.
type Session struct {
	SessionID string `json:"sessionId"`
}

// Prompt are the parameters of session/prompt.
type Prompt struct {
	SessionID string  `json:"sessionId"`
	Prompt    []Block `json:"prompt"`
}

// A Block is a part of a prompt or of an answer.
type Block struct {
	Type     string    `json:"type"` // text, resource, …
	Text     string    `json:"text,omitempty"`
	Resource *Resource `json:"resource,omitempty"`
}

// A Resource is a text that a prompt has with it.
type Resource struct {
	URI      string `json:"uri"`
	MimeType string `json:"mimeType,omitempty"`
	Text     string `json:"text"`
}

// Prompted is the result of session/prompt. In version 2 it has no reason: the turn ends
// with an update.
type Prompted struct {
	StopReason string `json:"stopReason"`
}

// The reasons why a turn ends.
const (
	EndTurn   = "end_turn"
	Cancelled = "cancelled"
)

// A SessionUpdate are the parameters of session/update.
type SessionUpdate struct {
	SessionID string `json:"sessionId"`
	Update    any    `json:"update"`
}

// An Update says what an agent does. Which of its fields are there depends on its kind.
type Update struct {
	Kind string `json:"sessionUpdate"`

	Entries []Entry `json:"entries"` // of a plan
	Plan    *Plan   `json:"plan"`    // of a plan_update

	ToolCallID string          `json:"toolCallId"` // of a tool_call and a tool_call_update
	Title      string          `json:"title"`
	Name       string          `json:"name"`
	Status     string          `json:"status"`
	RawInput   json.RawMessage `json:"rawInput"`
	Meta       json.RawMessage `json:"_meta"`

	Content json.RawMessage `json:"content"` // of a chunk: a [Block]

	State      string `json:"state"` // of a state_update of version 2
	StopReason string `json:"stopReason"`

	Commands []json.RawMessage `json:"availableCommands"` // of an available_commands_update
}

// The kinds of updates that Pawl knows.
const (
	UpdateMessage  = "agent_message_chunk"
	UpdateCall     = "tool_call"
	UpdateCallNews = "tool_call_update"
	UpdatePlan     = "plan"        // version 1: the one plan of the session
	UpdatePlanByID = "plan_update" // version 2
	UpdateCommands = "available_commands_update"
	UpdateState    = "state_update" // version 2
)

// A Plan is one of several in version 2.
type Plan struct {
	Type    string  `json:"type"` // items; others are not decided yet
	ID      string  `json:"id,omitempty"`
	PlanID  string  `json:"planId,omitempty"` // as later drafts call it
	Entries []Entry `json:"entries"`
}

// An Entry is one of a plan.
type Entry struct {
	Content  string `json:"content"`
	Priority string `json:"priority"` // high, medium, low
	Status   string `json:"status"`   // pending, in_progress, completed
}

// A Permission is what an agent asks before it does something.
type Permission struct {
	SessionID string `json:"sessionId"`
	ToolCall  Update `json:"toolCall"`
	Options   []struct {
		OptionID string `json:"optionId"`
		Name     string `json:"name"`
		Kind     string `json:"kind"` // allow_once, allow_always, reject_once, reject_always
	} `json:"options"`
}

// A Failure is the error of a response.
type Failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// NoSuchMethod is the code of a request that nobody here answers.
const NoSuchMethod = -32601

type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Failure        `json:"error,omitempty"`
}

// Notification is the line of a message that nobody answers.
func Notification(method string, params any) []byte {
	return envelope{Method: method, Params: params}.line()
}

// Request is the line of a request. id is JSON: a number or a string.
func Request(id json.RawMessage, method string, params any) []byte {
	return envelope{ID: id, Method: method, Params: params}.line()
}

// Response is the line that answers a request.
func Response(id json.RawMessage, result any) []byte { return envelope{ID: id, Result: result}.line() }

// Refusal is the line that answers a request with an error.
func Refusal(id json.RawMessage, f Failure) []byte { return envelope{ID: id, Error: &f}.line() }

func (e envelope) line() []byte {
	e.Version = "2.0"
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // a caller put into it what is not JSON
	}
	return append(text, '\n')
}
