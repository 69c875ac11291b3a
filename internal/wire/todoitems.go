package wire

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// TodoItem is a todo.
type TodoItem struct {
	ID          string      `json:"id"`                    // unique in the list
	Content     string      `json:"content"`               // what is to be done
	Status      pawl.Status `json:"status"`                // its state
	Priority    Level       `json:"priority"`              // its priority
	ActiveForm  string      `json:"activeForm"`            // what is being done: "Writing tests"
	Blocked     bool        `json:"blocked,omitempty"`     // it waits for something that the agent cannot do
	Task        pawl.ID     `json:"task,omitempty"`        // the task that it was promoted to
	Subtasks    []Subtask   `json:"subtasks,omitempty"`    // its parts, in their order: the first one is position 2.1 of the second todo
	ToolCalls   []Call      `json:"toolCalls,omitempty"`   // the agent's tool calls for it, oldest first
	CreatedAt   Moment      `json:"createdAt,omitempty"`   // when it was added to the list
	StartedAt   Moment      `json:"startedAt,omitempty"`   // when it was first in progress
	CompletedAt Moment      `json:"completedAt,omitempty"` // when it was completed
}

// Subtask is a part of a todo.
type Subtask struct {
	ID        string      `json:"id"`                  // unique in its todo
	Content   string      `json:"content"`             // what is to be done
	Status    pawl.Status `json:"status"`              // its state
	ToolCalls []Call      `json:"toolCalls,omitempty"` // the agent's tool calls for it, oldest first
}

// Call is a tool call of the agent.
type Call struct {
	ID         string          `json:"id"`                   // as the agent names it
	Name       string          `json:"name"`                 // of the tool
	Parameters json.RawMessage `json:"parameters,omitempty"` // its arguments: paths, patterns, counts, the program and subcommand of a command, and … for others
	StartedAt  Moment          `json:"startedAt,omitempty"`  // when it began
	EndedAt    Moment          `json:"endedAt,omitempty"`    // when it ended
	Outcome    string          `json:"outcome"`              // running, succeeded, failed or interrupted
}

// Pause is why an agent paused.
type Pause struct {
	Reason string `json:"reason"` // in its own words
	At     Moment `json:"at"`     // since when
}

// TodoItems returns todos as an envelope and the tools show them.
func TodoItems(items []todo.Item) []TodoItem {
	all := []TodoItem{}
	for _, item := range items {
		t := TodoItem{
			ID: item.ID, Content: item.Content, Status: pawl.Status(item.Status), Priority: Level(item.Priority),
			ActiveForm: item.ActiveForm, Blocked: item.Blocked, Task: item.Task, ToolCalls: calls(item.ToolCalls),
			CreatedAt: Time(item.CreatedAt), StartedAt: Time(item.StartedAt), CompletedAt: Time(item.CompletedAt),
		}
		for _, sub := range item.Subtasks {
			t.Subtasks = append(t.Subtasks, Subtask{sub.ID, sub.Content, pawl.Status(sub.Status), calls(sub.ToolCalls)})
		}
		all = append(all, t)
	}
	return all
}

func calls(of []todo.ToolCall) (all []Call) {
	for _, c := range of {
		all = append(all, Call{c.ID, c.Name, c.Parameters, Time(c.StartedAt), Time(c.EndedAt), string(c.Outcome)})
	}
	return all
}

// NewPause returns nil for a list without a pause.
func NewPause(p *todo.Pause) *Pause {
	if p == nil {
		return nil
	}
	return &Pause{p.Reason, Time(p.At)}
}
