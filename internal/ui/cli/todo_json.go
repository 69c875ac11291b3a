package cli

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// todosJSON is the envelope of a todo list.
type todosJSON struct {
	wire.Envelope
	Session   string         `json:"session"`            // whose list it is
	Agent     string         `json:"agent,omitempty"`    // the subagent whose list it is; absent: the session's main agent
	Project   string         `json:"project,omitempty"`  // the folder of the project, if known
	UpdatedAt wire.Moment    `json:"updatedAt"`          // when the list last changed; empty: never
	Changed   bool           `json:"changed"`            // this call changed it
	Did       []string       `json:"did"`                // what this call did, a sentence each
	Todos     []todoJSON     `json:"todos"`              // the list as it is now, in its order: the first one is position 1
	Check     *listCheckJSON `json:"check,omitempty"`    // the command that must pass before the list counts as done
	Pause     *pauseJSON     `json:"pause,omitempty"`    // present while its agent is paused
	Past      int            `json:"past"`               // number of remembered todos that left the list
	Promoted  []query.Brief  `json:"promoted,omitempty"` // with promote: the tasks that were created
}

// todoJSON is a todo.
type todoJSON struct {
	ID          string        `json:"id"`                    // unique in the list
	Content     string        `json:"content"`               // what is to be done
	Status      pawl.Status   `json:"status"`                // its state
	Priority    wire.Level    `json:"priority"`              // its priority
	ActiveForm  string        `json:"activeForm"`            // what is being done: "Writing tests"
	Blocked     bool          `json:"blocked,omitempty"`     // it waits for something that the agent cannot do
	Task        pawl.ID       `json:"task,omitempty"`        // the task that it was promoted to
	Subtasks    []subtaskJSON `json:"subtasks,omitempty"`    // its parts, in their order: the first one is position 2.1 of the second todo
	ToolCalls   []callJSON    `json:"toolCalls,omitempty"`   // the agent's tool calls for it, oldest first
	CreatedAt   wire.Moment   `json:"createdAt,omitempty"`   // when it was added to the list
	StartedAt   wire.Moment   `json:"startedAt,omitempty"`   // when it was first in progress
	CompletedAt wire.Moment   `json:"completedAt,omitempty"` // when it was completed
}

// subtaskJSON is a part of a todo.
type subtaskJSON struct {
	ID        string      `json:"id"`                  // unique in its todo
	Content   string      `json:"content"`             // what is to be done
	Status    pawl.Status `json:"status"`              // its state
	ToolCalls []callJSON  `json:"toolCalls,omitempty"` // the agent's tool calls for it, oldest first
}

// callJSON is a tool call of the agent.
type callJSON struct {
	ID         string          `json:"id"`                   // as the agent names it
	Name       string          `json:"name"`                 // of the tool
	Parameters json.RawMessage `json:"parameters,omitempty"` // its arguments: paths, patterns, counts, the program and subcommand of a command, and … for others
	StartedAt  wire.Moment     `json:"startedAt,omitempty"`  // when it began
	EndedAt    wire.Moment     `json:"endedAt,omitempty"`    // when it ended
	Outcome    string          `json:"outcome"`              // running, succeeded, failed or interrupted
}

// pauseJSON is why an agent paused.
type pauseJSON struct {
	Reason string      `json:"reason"` // in its own words
	At     wire.Moment `json:"at"`     // since when
}

func newTodosJSON(list *todo.List) todosJSON {
	answer := todosJSON{
		Envelope: wire.NewEnvelope("todos"), Session: list.Session, Agent: list.Agent, Project: list.Project,
		UpdatedAt: wire.Time(list.UpdatedAt), Did: []string{}, Todos: []todoJSON{}, Past: len(list.Past),
		Check: newListCheckJSON(list),
	}
	for _, item := range list.Items {
		t := todoJSON{
			ID: item.ID, Content: item.Content, Status: pawl.Status(item.Status), Priority: wire.Level(item.Priority),
			ActiveForm: item.ActiveForm, Blocked: item.Blocked, Task: item.Task, ToolCalls: newCallsJSON(item.ToolCalls),
			CreatedAt: wire.Time(item.CreatedAt), StartedAt: wire.Time(item.StartedAt), CompletedAt: wire.Time(item.CompletedAt),
		}
		for _, sub := range item.Subtasks {
			t.Subtasks = append(t.Subtasks, subtaskJSON{sub.ID, sub.Content, pawl.Status(sub.Status), newCallsJSON(sub.ToolCalls)})
		}
		answer.Todos = append(answer.Todos, t)
	}
	if p := list.Pause; p != nil {
		answer.Pause = &pauseJSON{p.Reason, wire.Time(p.At)}
	}
	return answer
}

func newCallsJSON(calls []todo.ToolCall) (out []callJSON) {
	for _, c := range calls {
		out = append(out, callJSON{c.ID, c.Name, c.Parameters, wire.Time(c.StartedAt), wire.Time(c.EndedAt), string(c.Outcome)})
	}
	return out
}
