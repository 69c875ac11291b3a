// Package tool is Pawl for agents: the todo list of a session and the task
// board of a project as a handful of tools. A [Tool] is a value that a Go agent
// puts into its own dispatch map; mcpserver offers the same ones over MCP.
//
// The names of tools, their texts, and leniency towards what models write are
// here. The rules are those of [pawl.Board] and [todo.Service]. Three places repeat
// names, to recognise Pawl's tools in reports of clients: internal/attribution, todo,
// and internal/agent/crush.
//
// A failure is a [Result], too: its text names what is wrong and the call that
// would work, because a model reads it.
package tool

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// A Tool is something that an agent can call. Its fields are what the model is
// told.
type Tool struct {
	Name        string
	Title       string // for people
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
	ReadOnly    bool            // changes nothing
	Idempotent  bool            // the same call again changes nothing more
	Destructive bool            // can remove what cannot be brought back
	Core        bool            // worth a place in each prompt, also where clients hide tools until they are searched for

	run func(ctx context.Context, by Caller, args json.RawMessage) Result
}

// Call runs the tool. It does not panic on any arguments.
func (t Tool) Call(ctx context.Context, by Caller, args json.RawMessage) Result {
	return t.run(ctx, by, args)
}

// A Caller says whose todo list and claims a call uses. Without a name it can claim
// nothing, and no model can mend that; without a session its list is that of
// [todo.DefaultSession].
type Caller struct {
	pawl.Actor
	Project     string // the project's folder, absolute; kept with todo lists
	Interactive *bool  // whether somebody watches the session; nil: as the settings say
	// Same reports whether another session is the caller's as well: see [pawl.Request].
	Same func(session string) bool
}

// Key is whose todo list the caller means.
func (c Caller) Key() todo.Key { return todo.Key{Session: c.Session, Agent: c.Agent}.Normal() }

func (c Caller) request(op pawl.Op) pawl.Request {
	return pawl.Request{By: c.Actor, Op: op, Same: c.Same, Agent: true}
}

// A Result is the result of a call.
type Result struct {
	LLMContent    string // what the model reads, complete by itself
	ReturnDisplay string // what a person is shown; may be empty
	Data          any    // the same for programs, marshalled as an object; nil: nothing
	Err           error  // not nil: the call failed, and LLMContent says why and what to do
}

// Options are what the tools work on.
type Options struct {
	// Board returns the board of the caller's project. Where there is none it
	// makes one when asked to, and note says where; else it returns an empty one,
	// which takes no tasks. Only task_create asks for one to be made. The tools
	// do not close it.
	Board func(ctx context.Context, by Caller, create bool) (board query.Board, note string, err error)
	Todos *todo.Service
	// Settings returns what holds for a session; nil: the defaults.
	Settings func(ctx context.Context, session string) Settings
	Now      func() time.Time // nil: time.Now; only for ages in texts
	// Complete completes tasks of a caller after it has run their checks where the
	// caller works. It may take minutes: a call waits for it no longer than [Patience]
	// and then answers that the checks run; asked again it gives the result. Nil: no
	// checks run here, and the board refuses to complete a task that needs one.
	Complete func(context.Context, Completion) (CheckReport, error)
	// Screened prepares a request that is sent where no checks run: it adds the checks
	// that the project asks of a completion, and refuses what a person has to agree to
	// first. Nil: a request is sent as it is.
	Screened func(context.Context, query.Board, pawl.Request) (pawl.Request, error)
	// Looked returns the last runs of a task's checks where the caller works. It runs none.
	// Nil: only the task's evidence is known.
	Looked func(context.Context, *pawl.Task) ([]RanCheck, error)
	// Life, when it ends, ends the work that calls left running. Nil: nothing does.
	Life context.Context
}

// Settings are the decisions of people that the tools follow.
type Settings struct {
	Interactive Interactive
	PanelOff    bool          // the structured list appears inline instead of a panel
	Lease       time.Duration // of a claim; zero: it does not end
	Archive     time.Duration // task_list shows completed tasks for so long; zero: for ever
}

// DefaultSettings hold where nobody decided.
var DefaultSettings = Settings{Lease: 15 * time.Minute}

// Interactive says whether somebody watches a session.
type Interactive uint8

// When a session is interactive.
const (
	Auto Interactive = iota // while a panel is open on it
	Always
	Never
)

// OneBoard is the Options.Board of a program that has a single board.
func OneBoard(board *pawl.Board) func(context.Context, Caller, bool) (query.Board, string, error) {
	one := query.Local(board)
	return func(context.Context, Caller, bool) (query.Board, string, error) { return one, "", nil }
}

// New returns Pawl's own tools: todo_write, todo_read, todo_pause, task_create,
// task_update, task_list, task_get and task_claim, in this order. Without a
// board, or without todo lists, those that need them are left out.
func New(o Options) []Tool {
	k := newKit(o)
	var tools []Tool
	for _, e := range catalog() {
		if todos := strings.HasPrefix(e.Name, "todo_"); todos && o.Todos == nil || !todos && o.Board == nil {
			continue
		}
		tools = append(tools, e.tool(k, runnerOf(e.Name)))
	}
	return tools
}
