package agent

import (
	"encoding/json"

	"github.com/pawl-dev/pawl/nudge"
)

// An Event is what an agent's program tells, in one form for all of them.
type Event struct {
	nudge.Event

	Name    string // as the program calls the event; for the log
	Session string // of the main agent, also in the events of a subagent; empty: not told
	Agent   string // the subagent whose event it is; empty: the main one
	Dir     string // the folder that the agent works in; empty: not told
	Model   string // that the session works with; empty: not told
	// Transcript is the file in which the program keeps the conversation, for
	// [ModelIn]; empty: not told, or in a form that it does not read.
	Transcript string
	Turn       string // what the program calls the user's prompt or the turn; may be empty
	At         string // when it happened, as the program writes it: two events that are alike but for it are two; may be empty

	Tool    string          // of a call, as the program shows it
	ToolUse string          // its number of the call; may be empty
	Input   json.RawMessage // its arguments
	Output  json.RawMessage // of CallEnds: what it returned, in the program's own shape
	Seconds float64         // how long it took, when that is told

	// Todos is the agent's whole list where an event is about that: todo.updated
	// of opencode. It is in a form that todo.Decode reads.
	Todos json.RawMessage
	// Tasks are single changes of the agent's own list that an event tells apart
	// from calls: TaskCreated, TaskCompleted, TodoCreated, TodoCompleted.
	Tasks []NativeTask
}

// A NativeTask is a change of one entry of an agent's own list.
type NativeTask struct {
	ID      string // empty: every entry that there is
	Subject string // empty: as it was
	Status  string // as the agent calls it; empty: as it was
}

// An Answer is what the agent's program is to do. The zero value is nothing.
type Answer struct {
	Context  string // for the agent, beside what it gets anyway
	Continue string // of a Stop: for the agent, which goes on with it
	Notice   string // for the person, where the program has a place for it
	EndTurn  string // of CallEnds: end the turn, and show this to the person; only where Hooks.EndsTurn
	Refuse   string // of CallBegins: the call is not run, and the agent reads why; only where Hooks.Refuses
	Handled  string // of a Prompt: it was a command for Pawl, this is what it said, and the agent does not get it
}

// Empty reports whether there is nothing to do.
func (a Answer) Empty() bool { return a == Answer{} }

// AboutHelper makes an event of a subagent one of the main agent, about the
// subagent.
func (e *Event) AboutHelper(kind nudge.Kind) {
	e.Kind, e.Helper, e.Agent = kind, e.Agent, ""
}
