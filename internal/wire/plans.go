package wire

import (
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
