package remote

import (
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// Check holds a session to the limits, in requests and in answers: either side may be
// another program.
func (s *Session) Check() error {
	for _, word := range []struct {
		what, text string
		most       int
	}{
		{"session", s.Session, MaxKey}, {"agent", s.Agent, MaxKey}, {"machine", s.Machine, MaxWord}, {"program", s.Program, MaxWord},
		{"folder", s.Folder, MaxWord}, {"name", s.Name, MaxWord}, {"home", s.Home, MaxWord}, {"id", s.ID, MaxWord},
	} {
		if len(word.text) > word.most || !utf8.ValidString(word.text) {
			return pawl.Errorf(pawl.Invalid, "the %s of a session is UTF-8 of at most %d bytes", word.what, word.most)
		}
	}
	if key := (todo.Key{Session: s.Session, Agent: s.Agent}); key != key.Normal() {
		return pawl.Errorf(pawl.Invalid, "a session has a name, without spaces around it")
	}
	if s.Version < 0 {
		return pawl.Errorf(pawl.Invalid, "the version of a session is not negative")
	}
	if s.List == nil {
		return nil
	}
	return s.List.check()
}

func (l *List) check() error {
	n := listChecker{calls: todo.MaxItems * todo.MaxToolCalls}
	if len(l.Past) > MaxPast {
		n.wrong("a list remembers at most %d todos", MaxPast)
	}
	n.items(l.Items)
	for i := range l.Past {
		n.items([]todo.Item{l.Past[i].Item})
		switch l.Past[i].How {
		case todo.Finished, todo.Cancelled, todo.Dropped, todo.Cleared:
		default:
			n.wrong("a todo leaves a list as finished, cancelled, dropped or cleared")
		}
	}
	if l.Pause != nil {
		n.text("reason", l.Pause.Reason, todo.MaxReason)
	}
	return n.err
}

// A listChecker keeps the first fault.
type listChecker struct {
	calls int // that are left
	err   error
}

func (n *listChecker) wrong(format string, args ...any) {
	if n.err == nil {
		n.err = pawl.Errorf(pawl.Invalid, format, args...)
	}
}

func (n *listChecker) text(what, text string, most int) {
	if len(text) > most*utf8.UTFMax || !utf8.ValidString(text) || utf8.RuneCountInString(text) > most {
		n.wrong("the %s of a todo has at most %d characters", what, most)
	}
}

func (n *listChecker) status(s todo.Status) {
	switch s {
	case todo.Pending, todo.InProgress, todo.Completed:
	default:
		n.wrong("a todo is pending, in_progress or completed")
	}
}

func (n *listChecker) items(items []todo.Item) {
	if len(items) > todo.MaxItems {
		n.wrong("a list has at most %d todos", todo.MaxItems)
		return
	}
	for i := range items {
		item := &items[i]
		n.text("id", item.ID, todo.MaxID)
		n.text("content", item.Content, todo.MaxContent)
		n.text("active form", item.ActiveForm, todo.MaxContent)
		n.status(item.Status)
		switch item.Priority {
		case todo.High, todo.Medium, todo.Low, "":
		default:
			n.wrong("the priority of a todo is high, medium or low")
		}
		if item.Task < 0 {
			n.wrong("the task of a todo has a number")
		}
		n.toolCalls(item.ToolCalls)
		if len(item.Subtasks) > todo.MaxSubtasks {
			n.wrong("a todo has at most %d subtasks", todo.MaxSubtasks)
			return
		}
		for s := range item.Subtasks {
			sub := &item.Subtasks[s]
			n.text("id", sub.ID, todo.MaxID)
			n.text("content", sub.Content, todo.MaxContent)
			n.status(sub.Status)
			n.toolCalls(sub.ToolCalls)
		}
	}
}

func (n *listChecker) toolCalls(calls []todo.ToolCall) {
	if n.calls -= len(calls); len(calls) > todo.MaxToolCalls || n.calls < 0 {
		n.wrong("a todo has at most %d tool calls", todo.MaxToolCalls)
		return
	}
	for i := range calls {
		call := &calls[i]
		n.text("tool call", call.ID, todo.MaxID)
		n.text("tool", call.Name, todo.MaxID)
		switch call.Outcome {
		case todo.Running, todo.Succeeded, todo.Failed, todo.Interrupted:
		default:
			n.wrong("a tool call is running, succeeded, failed or interrupted")
		}
		if len(call.Parameters) > todo.MaxArguments {
			n.wrong("the arguments of a tool call have at most %d bytes", todo.MaxArguments)
		}
	}
}

// Shift moves all times of a list, from one clock to another. The list shares no
// memory with what it was.
func (l *List) Shift(by time.Duration) {
	if by == 0 {
		return
	}
	move := func(times ...*time.Time) {
		for _, t := range times {
			if !t.IsZero() {
				*t = t.Add(by)
			}
		}
	}
	calls := func(calls []todo.ToolCall) {
		for i := range calls {
			move(&calls[i].StartedAt, &calls[i].EndedAt)
		}
	}
	item := func(item *todo.Item) {
		move(&item.CreatedAt, &item.StartedAt, &item.CompletedAt)
		calls(item.ToolCalls)
		for s := range item.Subtasks {
			calls(item.Subtasks[s].ToolCalls)
		}
	}
	whole := todo.List{Items: l.Items, Pause: l.Pause, Past: l.Past}.Clone()
	l.Items, l.Pause, l.Past = whole.Items, whole.Pause, whole.Past
	move(&l.StartedAt, &l.UpdatedAt, &l.FinishedAt)
	for i := range l.Items {
		item(&l.Items[i])
	}
	for i := range l.Past {
		move(&l.Past[i].At)
		item(&l.Past[i].Item)
	}
	if l.Pause != nil {
		move(&l.Pause.At)
	}
}

// Shift moves the times of a list's head.
func (h *ListHead) Shift(by time.Duration) {
	for _, t := range []*time.Time{&h.StartedAt, &h.UpdatedAt, &h.FinishedAt} {
		if !t.IsZero() {
			*t = t.Add(by)
		}
	}
}

// Apart is by how much times of one clock are moved to stand by another. What a line
// may take is not a difference.
func Apart(from, to time.Time) time.Duration {
	const same = 2 * time.Second
	if d := to.Sub(from); !from.IsZero() && (d > same || d < -same) {
		return d.Round(time.Second)
	}
	return 0
}
