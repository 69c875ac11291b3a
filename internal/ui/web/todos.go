package web

import (
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// outlineJSON is the todo list of a session as rows, in the order in which its
// agent reads it.
type outlineJSON struct {
	wire.Envelope
	Session   string      `json:"session"`             // its session
	Agent     string      `json:"agent,omitempty"`     // its subagent; absent: the session's main agent
	Now       wire.Moment `json:"now"`                 // by the clock of the lists
	StartedAt wire.Moment `json:"startedAt,omitempty"` // of the session, as far as the list knows
	UpdatedAt wire.Moment `json:"updatedAt"`           // when the list last changed; tool calls do not count
	Running   bool        `json:"running"`             // it has open todos and changed lately
	Paused    string      `json:"paused,omitempty"`    // why its agent paused, in the agent's words
	PausedAt  wire.Moment `json:"pausedAt,omitempty"`  // when it paused
	Ended     string      `json:"ended,omitempty"`     // why the list has no todos, in a sentence; rows then show what was completed last
	Rows      []rowJSON   `json:"rows"`                // todos, each followed by its subtasks and the latest tool calls
	Past      int         `json:"past"`                // number of remembered todos that left the list
}

// rowJSON is a line of a todo list.
type rowJSON struct {
	Kind      string      `json:"kind"`                // todo, subtask, call, or before: there are earlier calls
	Indent    int         `json:"indent"`              // its depth
	Item      int         `json:"item"`                // the position of its todo, from 0
	Text      string      `json:"text"`                // the content, or the call
	Status    pawl.Status `json:"status,omitempty"`    // of a todo or subtask
	Priority  wire.Level  `json:"priority,omitempty"`  // of a todo
	Doing     string      `json:"doing,omitempty"`     // of the todo in progress: its active form, if it differs from the text
	Done      int         `json:"done,omitempty"`      // of a todo: number of completed subtasks
	Of        int         `json:"of,omitempty"`        // of a todo: number of subtasks
	Blocked   bool        `json:"blocked,omitempty"`   // it depends on something that the agent cannot do
	Task      pawl.ID     `json:"task,omitempty"`      // the task that the todo was promoted to
	Outcome   string      `json:"outcome,omitempty"`   // of a call: running, succeeded, failed or interrupted
	Times     int         `json:"times,omitempty"`     // of a call: how often it was made in a row; of before: number of earlier calls
	StartedAt wire.Moment `json:"startedAt,omitempty"` // of a todo or a call: when it started
}

func (v *visit) todos(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	key := todo.Key{Session: a.text("session"), Agent: a.text("agent")}.Normal()
	heads, err := v.heads(r.Context())
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(heads, func(h todo.Head) bool { return h.Key == key })
	if at < 0 {
		return nil, pawl.Errorf(pawl.NotFound, "no session %q of this project has todos", text.Clip(key.Session, 80)).
			Say("look at the sessions that there are")
	}
	list, err := v.Todos.Read(r.Context(), key)
	v.aside.tell(v.Server)
	if err != nil {
		return nil, todosError(err)
	}
	now := v.Now()
	answer := outlineJSON{
		Envelope: wire.NewEnvelope("outline"), Session: key.Session, Agent: key.Agent, Now: wire.Time(now),
		StartedAt: wire.Time(list.StartedAt), UpdatedAt: wire.Time(list.UpdatedAt), Running: heads[at].Running(now), Past: len(list.Past),
	}
	if p := list.Pause; p != nil {
		answer.Paused, answer.PausedAt = p.Reason, wire.Time(p.At)
	}
	if end := show.EndOf(&list); !end.At.IsZero() {
		answer.Ended, list.Items = end.Told(now), end.Done
	}
	answer.Rows = newRows(&list)
	return answer, nil
}

var rowKinds = map[todo.RowKind]string{todo.ItemRow: "todo", todo.SubtaskRow: "subtask", todo.CallRow: "call", todo.CallsBefore: "before"}

func newRows(list *todo.List) []rowJSON {
	rows := []rowJSON{}
	for _, r := range todo.Outline(list) {
		j := rowJSON{
			Kind: rowKinds[r.Kind], Indent: r.Indent, Item: r.Item, Text: r.Text, Status: pawl.Status(r.Status), Priority: wire.Level(r.Priority),
			Done: r.Done, Of: r.Of, Blocked: r.Blocked, Task: r.Task, Outcome: string(r.Outcome), Times: r.Times, StartedAt: wire.Time(r.StartedAt),
		}
		if item := &list.Items[r.Item]; r.Kind == todo.ItemRow {
			j.StartedAt = wire.Time(item.StartedAt)
			if item.Status == todo.InProgress && item.ActiveForm != item.Content {
				j.Doing = item.ActiveForm
			}
		}
		rows = append(rows, j)
	}
	return rows
}
