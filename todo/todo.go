// Package todo is the todo list of one session: what an agent plans for itself and
// forgets when the session is over. Work that must outlive the session is a task
// ([github.com/pawl-dev/pawl.Board]).
//
// A [List] belongs to a [Key], a session and an agent in it, so that agents
// neither see nor overwrite each other's. An agent replaces it whole
// ([Service.Write]), in the shape that it is used to ([Decode]). A person edits
// it in place ([Service.Edit]), and the agent is told. [Simplified] and
// [Structured] are its only text forms.
//
//	todos := todo.New(todomem.New(), time.Now)
//	draft, err := todo.Decode([]byte(`[{"content": "Write tests", "status": "pending"}]`), false)
//	written, err := todos.Write(ctx, todo.Key{Session: "s1"}, draft, todo.Writing{})
//
// The package reads no file, no clock and no environment: a [Store] keeps the
// lists (todo/todofile, todo/todomem), and the clock is handed in.
package todo

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Every input has a limit: a list is read whole at each step of an agent.
const (
	MaxItems     = 200     // todos of one list, as many as one model can have meant
	MaxSubtasks  = 100     // of one todo
	MaxContent   = 2_000   // runes of a todo's or a subtask's text: more is a document
	MaxID        = 200     // runes
	MaxReason    = 500     // runes of a pause's reason
	MaxToolCalls = 50      // kept with one todo or subtask, the newest
	MaxArguments = 2 << 10 // bytes of a tool call's arguments
	MaxCallText  = 2 << 20 // bytes of the arguments of all tool calls of a list, so that they never fill it
	MaxPast      = 200     // todos that are remembered after they left the list, the newest
	MaxNews      = 20      // edits by people that the agent has not been told yet; more become a count
	MaxInput     = 1 << 20 // bytes of a list as an agent writes it
	MaxList      = 8 << 20 // bytes of a list as a store keeps it
)

// DefaultSession is the session of callers that name none.
const DefaultSession = "default"

// A Key says whose a list is.
type Key struct {
	Session string
	Agent   string // empty: the session's main agent
}

// Normal returns the key under which a list is kept: "main" and "primary" are
// other names of the main agent, and a session without a name is the default one.
func (k Key) Normal() Key {
	if k.Session = strings.TrimSpace(k.Session); k.Session == "" {
		k.Session = DefaultSession
	}
	if k.Agent = strings.TrimSpace(k.Agent); k.Agent == "main" || k.Agent == "primary" {
		k.Agent = ""
	}
	return k
}

// Status is where a todo stands.
type Status string

// The states of a todo and of a subtask.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
)

// Priority says how much a todo matters.
type Priority string

// The priorities.
const (
	High   Priority = "high"
	Medium Priority = "medium"
	Low    Priority = "low"
)

// An Item is one todo.
type Item struct {
	ID          string     `json:"id"`
	Content     string     `json:"content"`
	Status      Status     `json:"status"`
	Priority    Priority   `json:"priority"`
	ActiveForm  string     `json:"activeForm"`           // what is being done: "Writing tests"
	Blocked     bool       `json:"blocked,omitempty"`    // pending, and waits for something that the agent cannot do
	Task        pawl.ID    `json:"task,omitempty"`       // the task that it was promoted to
	Subtasks    []Subtask  `json:"subtasks,omitempty"`   //
	ToolCalls   []ToolCall `json:"toolCalls,omitempty"`  // oldest first
	CreatedAt   time.Time  `json:"createdAt,omitzero"`   //
	StartedAt   time.Time  `json:"startedAt,omitzero"`   // first became in progress
	CompletedAt time.Time  `json:"completedAt,omitzero"` //
}

// Open reports whether work is left.
func (i *Item) Open() bool { return i.Status != Completed }

func (i *Item) partsOpen() bool {
	return slices.ContainsFunc(i.Subtasks, func(s Subtask) bool { return s.Status != Completed })
}

// A Subtask is a part of a todo.
type Subtask struct {
	ID        string     `json:"id"`
	Content   string     `json:"content"`
	Status    Status     `json:"status"`
	ToolCalls []ToolCall `json:"toolCalls,omitempty"`
}

// A ToolCall is something that the agent did for a todo.
type ToolCall struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters,omitempty"` // an object, cut and masked
	StartedAt  time.Time       `json:"startedAt,omitzero"`
	EndedAt    time.Time       `json:"endedAt,omitzero"`
	Outcome    Outcome         `json:"outcome"`
}

// Outcome is how a tool call ended.
type Outcome string

// The outcomes.
const (
	Running     Outcome = "running"
	Succeeded   Outcome = "succeeded"
	Failed      Outcome = "failed"
	Interrupted Outcome = "interrupted" // its end never came
)

// A Pause halts continuation until the user's next prompt.
type Pause struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// A Past is a todo that left the list.
type Past struct {
	Item Item      `json:"item"`
	How  Departure `json:"how"`
	At   time.Time `json:"at"`
}

// Departure is how a todo left the list.
type Departure string

// The departures.
const (
	Finished  Departure = "finished"  // with all the others of its list
	Cancelled Departure = "cancelled" // the agent said so
	Dropped   Departure = "dropped"   // an open one that a rewrite left out
	Cleared   Departure = "cleared"   // a person emptied the list or removed it
)

// A Snapshot is the list before its last change, for an undo.
type Snapshot struct {
	What  string    `json:"what"` // the change, for a sentence: "removed 2 todos"
	At    time.Time `json:"at"`
	Items []Item    `json:"items"`
}

// A List is the todos of a key, and what is remembered with them. Before the first
// write it is the zero value with its key.
type List struct {
	Key
	Project   string    // the project's folder, absolute; empty: not known
	StartedAt time.Time // of the session, as far as the list knows
	UpdatedAt time.Time // when the list changed last; tool calls do not count
	Items     []Item
	Pause     *Pause // not nil: the agent asked not to be continued
	Past      []Past // oldest first
	// FinishedAt is when all of the list was done last, and it became empty; what
	// was done then is in Past.
	FinishedAt time.Time
	News       []string  // what people did since the agent was last told, a sentence each
	NewsAt     time.Time // when the first of these edits was made
	Before     *Snapshot // the todos before the last change by anybody

	Check   *pawl.Check // must pass before the list counts as done; nil: none
	Checked *Checked    // what its last run showed; nil: it has not run
	// BadCheck is a check that cannot be read, as a file has it: no run passes it.
	BadCheck json.RawMessage
}

// Blank reports whether the list has nothing to keep.
func (l *List) Blank() bool {
	return len(l.Items) == 0 && l.Pause == nil && len(l.Past) == 0 && len(l.News) == 0 && l.Before == nil && !l.HasCheck()
}

// Current returns the position of the todo that is in progress, or -1.
func (l *List) Current() int {
	return slices.IndexFunc(l.Items, func(i Item) bool { return i.Status == InProgress })
}

// Open counts the todos that are not completed.
func (l *List) Open() int {
	n := 0
	for i := range l.Items {
		if l.Items[i].Open() {
			n++
		}
	}
	return n
}

// Clone returns a copy that shares no memory with l.
func (l List) Clone() List {
	l.Items = CloneItems(l.Items)
	if l.Pause != nil {
		l.Pause = new(*l.Pause)
	}
	l.Past = slices.Clone(l.Past)
	for i := range l.Past {
		l.Past[i].Item = l.Past[i].Item.clone()
	}
	l.News = slices.Clone(l.News)
	if l.Before != nil {
		l.Before = new(*l.Before)
		l.Before.Items = CloneItems(l.Before.Items)
	}
	if l.Check != nil {
		l.Check = new(l.Check.Clone())
	}
	if l.Checked != nil {
		l.Checked = new(*l.Checked)
	}
	l.BadCheck = slices.Clone(l.BadCheck)
	return l
}

// CloneItems returns a copy that shares no memory with items.
func CloneItems(items []Item) []Item {
	items = slices.Clone(items)
	for i := range items {
		items[i] = items[i].clone()
	}
	return items
}

func (i Item) clone() Item {
	i.ToolCalls = cloneCalls(i.ToolCalls)
	i.Subtasks = slices.Clone(i.Subtasks)
	for s := range i.Subtasks {
		i.Subtasks[s].ToolCalls = cloneCalls(i.Subtasks[s].ToolCalls)
	}
	return i
}

func cloneCalls(calls []ToolCall) []ToolCall {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Parameters = slices.Clone(calls[i].Parameters)
	}
	return calls
}
