package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// claudeWrite replaces the todo list.
func (k *kit) claudeWrite(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	r, notes, err := k.todoWrite(ctx, by, a)
	if data, ok := r.Data.(writtenJSON); ok {
		r.Data = claudeTodos{claudeItems(data.Old), claudeItems(data.New)}
	}
	return r, notes, err
}

// claudeTodos is what programs get of a list that was written.
type claudeTodos struct {
	Old []claudeTodo `json:"oldTodos"`
	New []claudeTodo `json:"newTodos"`
}

type claudeTodo struct {
	Content    string      `json:"content"`
	Status     pawl.Status `json:"status"`
	ActiveForm string      `json:"activeForm"`
}

func claudeItems(items []wire.TodoItem) []claudeTodo {
	out := make([]claudeTodo, len(items))
	for i, it := range items {
		out[i] = claudeTodo{it.Content, it.Status, it.ActiveForm}
	}
	return out
}

// claudeCreate makes a task; several, when the call knows that it can.
func (k *kit) claudeCreate(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	_, o, note, err := k.create(ctx, by, a)
	if err != nil {
		return Result{}, noted(note), err
	}
	var b strings.Builder
	var data claudeCreated
	for i := range o.Result.Tasks {
		t := &o.Result.Tasks[i]
		if i == mostLines {
			fmt.Fprintf(&b, "and %s\n", text.Count(len(o.Result.Tasks)-i, "more task", "more tasks"))
			break
		}
		fmt.Fprintf(&b, "Task %v created successfully: %s\n", t.ID, line(clip(t.Subject, mostSubject)))
		data.Tasks = append(data.Tasks, claudeName{decimal(t.ID), clip(t.Subject, pawl.MaxSubject)})
	}
	if data.Task = &data.Tasks[0]; len(o.Result.Tasks) == 1 {
		data.Tasks = nil
	}
	other := *o
	other.Ready = nil // a new task that waits for nothing is not news
	other.consequences(&b, k.names)
	return said(b.String(), data), noted(note), nil
}

// claudeCreated is what programs get of a new task.
type claudeCreated struct {
	Task  *claudeName  `json:"task"`
	Tasks []claudeName `json:"tasks,omitempty"` // when there are several
}

type claudeName struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
}

// claudeUpdate changes a task.
func (k *kit) claudeUpdate(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	e := a.edit()
	e.as = claudeActor
	o, note, err := k.edit(ctx, by, e, a)
	data := claudeUpdated{Success: err == nil, UpdatedFields: []string{}}
	if len(e.tasks) > 0 {
		data.TaskID = clip(e.tasks[0].word, mostRemark)
	}
	if len(e.ids) > 0 {
		data.TaskID = decimal(e.ids[0])
	}
	if still, ok := errors.AsType[*runningError](err); ok {
		r := k.names.running(still)
		data.Running = true
		r.Data = data
		return r, nil, nil
	}
	if err != nil {
		r := k.failed(err, a.form)
		data.Error = r.ReturnDisplay
		r.Data = data
		return r, nil, nil
	}
	var b strings.Builder
	for i := range e.before {
		was := &e.before[i]
		fields := []string{"deleted"}
		status := statusChange{string(was.Status), deleted}
		if !e.delete {
			c := o.change(was.ID)
			if c == nil || c.Before == nil || c.After == nil || len(claudeFields(c)) == 0 {
				so := "is so already"
				if _, known := o.Already[was.ID]; known {
					so = show.CompletedBefore(&o.Outcome, was.ID, show.Clock{})
				}
				fmt.Fprintf(&b, "Task %v %s\n", was.ID, so)
				continue
			}
			fields, status = claudeFields(c), statusChange{string(c.Before.Status), string(c.After.Status)}
		}
		fmt.Fprintf(&b, "Updated task %v %s\n", was.ID, strings.Join(fields, ", "))
		if i == 0 {
			data.UpdatedFields = fields
			if status.From != status.To {
				data.StatusChange = &status
			}
		}
	}
	o.report.told(&b)
	o.consequences(&b, k.names)
	return said(b.String(), data), noted(note), nil
}

// claudeUpdated is what programs get of an update.
type claudeUpdated struct {
	Success       bool          `json:"success"`
	TaskID        string        `json:"taskId"`
	UpdatedFields []string      `json:"updatedFields"`
	Error         string        `json:"error,omitempty"`
	StatusChange  *statusChange `json:"statusChange,omitempty"`
	Running       bool          `json:"running,omitempty"` // its checks run, and complete it if they pass
}

type statusChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// claudeActor is in whose name a call acts. Agents that learned these tools say
// with owner what they are called when they start a task, and share a session:
// a task that one agent of that session has claimed counts as the caller's.
func claudeActor(by Caller, e *edit) string {
	if e.owner != nil && *e.owner != "" && e.status == string(pawl.InProgress) && utf8.RuneCountInString(*e.owner) <= pawl.MaxName {
		return *e.owner
	}
	if e.status == "" && e.owner == nil && !e.release {
		return by.Name // the rest anybody may do
	}
	for i := range e.before {
		if t := &e.before[i]; t.Claim.Live() && t.Claim.Of(by.Session) && t.Owner != "" {
			return t.Owner
		}
	}
	return by.Name
}

// claudeFields are what a change did to a task, in Claude Code's words: the
// status stands last.
func claudeFields(c *pawl.Change) []string {
	fields := told(c)
	if c.Before.Owner != c.After.Owner && !slices.Contains(fields, string(pawl.FieldOwner)) {
		fields = append(fields, string(pawl.FieldOwner))
	}
	if c.Before.Status != c.After.Status {
		fields = append(fields, string(pawl.FieldStatus))
	}
	return fields
}
