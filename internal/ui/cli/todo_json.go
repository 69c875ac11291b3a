package cli

import (
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// todosJSON is the envelope of a todo list.
type todosJSON struct {
	wire.Envelope
	Session   string          `json:"session"`            // whose list it is
	Agent     string          `json:"agent,omitempty"`    // the subagent whose list it is; absent: the session's main agent
	Project   string          `json:"project,omitempty"`  // the folder of the project, if known
	UpdatedAt wire.Moment     `json:"updatedAt"`          // when the list last changed; empty: never
	Changed   bool            `json:"changed"`            // this call changed it
	Did       []string        `json:"did"`                // what this call did, a sentence each
	Todos     []wire.TodoItem `json:"todos"`              // the list as it is now, in its order: the first one is position 1
	Check     *listCheckJSON  `json:"check,omitempty"`    // the command that must pass before the list counts as done
	Pause     *wire.Pause     `json:"pause,omitempty"`    // present while its agent is paused
	Past      int             `json:"past"`               // number of remembered todos that left the list
	Promoted  []query.Brief   `json:"promoted,omitempty"` // with promote: the tasks that were created
}

func newTodosJSON(list *todo.List) todosJSON {
	return todosJSON{
		Envelope: wire.NewEnvelope("todos"), Session: list.Session, Agent: list.Agent, Project: list.Project,
		UpdatedAt: wire.Time(list.UpdatedAt), Did: []string{}, Todos: wire.TodoItems(list.Items, true), Past: len(list.Past),
		Check: newListCheckJSON(list), Pause: wire.NewPause(list.Pause),
	}
}
