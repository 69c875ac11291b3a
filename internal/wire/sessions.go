package wire

import (
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// Sessions is the envelope of the existing todo lists.
type Sessions struct {
	Envelope
	Project  string    `json:"project"`  // the folder of the project that was asked about; empty: all projects
	Sessions []Session `json:"sessions"` // the newest first, as resume numbers them
}

// Session is a list without its todos.
type Session struct {
	Number     int    `json:"number"`              // for resume
	Session    string `json:"session"`             // whose it is
	Agent      string `json:"agent,omitempty"`     // the subagent whose list it is; absent: the session's main agent
	Project    string `json:"project"`             // the folder of its project; empty: unknown
	StartedAt  Moment `json:"startedAt,omitempty"` // of the session, as far as the list knows
	UpdatedAt  Moment `json:"updatedAt"`           // when it last changed
	Title      string `json:"title"`               // what it is about: the todo in progress, else the first open one, else the last that left
	Pending    int    `json:"pending"`             // todos that nobody has started
	InProgress int    `json:"inProgress"`          // 1 or 0
	Completed  int    `json:"completed"`           // todos that are done
	Past       int    `json:"past"`                // todos that have left the list and are remembered
	Paused     bool   `json:"paused"`              // its agent paused, and is not asked to continue
	Running    bool   `json:"running"`             // it has open todos, and changed lately
}

// NewSessions returns lists as an envelope shows them.
func NewSessions(heads []todo.Head, now time.Time) []Session {
	all := make([]Session, len(heads))
	for i, h := range heads {
		all[i] = Session{
			i + 1, h.Session, h.Agent, h.Project, Time(h.StartedAt), Time(h.UpdatedAt), h.Title,
			h.Pending, h.InProgress, h.Completed, h.Past, h.Paused, h.Running(now),
		}
	}
	return all
}
