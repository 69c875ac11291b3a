package wire

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/todo"
)

// TodoLists are the todo lists of a project's sessions, as they stand beside its
// tasks.
type TodoLists struct {
	Running  []TodoList `json:"running"`            // with open todos, and changed within 12 hours; the one that changed last first
	More     int        `json:"more,omitempty"`     // number of further running ones; at most 16 are listed
	Finished *TodoList  `json:"finished,omitempty"` // the list that was finished last; absent after a day
}

// TodoList is a todo list without its tool calls.
type TodoList struct {
	Session string `json:"session"`          // whose it is
	Agent   string `json:"agent,omitempty"`  // the subagent whose list it is; absent: the session's main agent
	At      Moment `json:"at"`               // when it last changed; of the finished one, when it was finished
	Paused  bool   `json:"paused,omitempty"` // its agent paused, and is not asked to continue
	Done    int    `json:"done"`             // number of completed todos
	Of      int    `json:"of"`               // number of todos
	Above   int    `json:"above,omitempty"`  // number of todos before those in todos, left out
	Todos   []Todo `json:"todos"`            // at most 50 in their order, the current one among them
}

// Todo is a step of a session's plan.
type Todo struct {
	Text    string      `json:"text"`              // what is to be done
	Doing   string      `json:"doing,omitempty"`   // of the one in progress: what is being done, if its text does not say so
	Status  pawl.Status `json:"status"`            // pending, in_progress or completed
	Blocked bool        `json:"blocked,omitempty"` // it waits for something that the agent cannot do
	Task    pawl.ID     `json:"task,omitempty"`    // the task that it was promoted to
	Done    int         `json:"done,omitempty"`    // number of completed subtasks
	Of      int         `json:"of,omitempty"`      // of how many
}

// mostTodos is how many todos of a list come along in an envelope.
const mostTodos = 50

// NewTodoLists returns lists as envelopes show them.
func NewTodoLists(r *todo.Recent) TodoLists {
	lists := TodoLists{Running: []TodoList{}, More: r.More}
	for _, p := range show.Plans(r) {
		items, above, _ := p.Window(mostTodos)
		l := TodoList{Session: p.Session, Agent: p.Agent, At: Time(p.At), Paused: p.Paused, Done: p.Done(), Of: len(p.Items), Above: above, Todos: make([]Todo, len(items))}
		for i := range items {
			l.Todos[i] = newTodo(&items[i])
		}
		if p.Finished {
			lists.Finished = &l
		} else {
			lists.Running = append(lists.Running, l)
		}
	}
	return lists
}

func newTodo(item *todo.Item) Todo {
	t := Todo{Text: item.Content, Status: pawl.Status(item.Status), Blocked: item.Blocked, Task: item.Task, Of: len(item.Subtasks)}
	if item.Status == todo.InProgress && item.ActiveForm != item.Content {
		t.Doing = item.ActiveForm
	}
	for i := range item.Subtasks {
		if item.Subtasks[i].Status == todo.Completed {
			t.Done++
		}
	}
	return t
}

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

// TodoItems returns todos as an envelope and the tools show them, with their tool calls or
// without.
func TodoItems(items []todo.Item, toolCalls bool) []TodoItem {
	calls := func(of []todo.ToolCall) (all []Call) {
		for _, c := range of {
			if toolCalls {
				all = append(all, Call{c.ID, c.Name, c.Parameters, Time(c.StartedAt), Time(c.EndedAt), string(c.Outcome)})
			}
		}
		return all
	}
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

// NewPause returns nil for a list without a pause.
func NewPause(p *todo.Pause) *Pause {
	if p == nil {
		return nil
	}
	return &Pause{p.Reason, Time(p.At)}
}
