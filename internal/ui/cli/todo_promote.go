package cli

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// promote makes todos tasks. Their subtasks become a checklist in the
// description: as children they would keep the task from being done when the
// session that thought of them is long over.
func (t *todoRun) promote(ctx context.Context, args []string) error {
	if err := t.choose(ctx); err != nil {
		return err
	}
	list, err := t.lists.Read(ctx, t.key)
	if err != nil {
		return err
	}
	items, err := list.Select(args)
	if err != nil {
		return err
	}
	var faults []pawl.Fault
	var already []string
	var made []todo.Item
	op := pawl.Create{}
	for i := range items {
		switch item := &items[i]; {
		case item.Task != 0:
			already = append(already, fmt.Sprintf("%q is task %v already", text.Clip(item.Content, 80), item.Task))
		case !item.Open():
			faults = append(faults, pawl.Fault{Problem: fmt.Sprintf("%q is completed, and no work for others", text.Clip(item.Content, 80))})
		default:
			op.Tasks = append(op.Tasks, newTask(item))
			made = append(made, items[i])
		}
	}
	if len(faults) > 0 || len(made) == 0 {
		for _, problem := range already {
			faults = append(faults, pawl.Fault{Problem: problem})
		}
		return &pawl.Error{Kind: pawl.Conflict, Message: "these todos cannot become tasks", Faults: faults}
	}
	items = made
	for _, sentence := range already {
		t.say("%s", sentence)
	}
	o, err := t.create(ctx, op)
	if err != nil {
		return err
	}
	links := make([]todo.Edit, len(items))
	promoted := make([]query.Brief, len(items))
	for i, item := range items {
		links[i] = todo.Link{ID: item.ID, Content: item.Content, Task: o.Result.IDs[i]}
		promoted[i] = query.Brief{ID: o.Result.IDs[i], Subject: op.Tasks[i].Subject}
	}
	edited, err := t.lists.Edit(ctx, t.key, t.editing(), links...)
	if err != nil { // the tasks are there, whatever became of the list
		t.say("made the tasks %s, but the list does not link to them", show.IDs(o.Result.IDs))
		return err
	}
	return t.tellEdited(edited, promoted)
}

// newTask is the task that a todo becomes. A text that is too long for a subject
// stands in the description whole.
func newTask(item *todo.Item) pawl.NewTask {
	task := pawl.NewTask{Subject: strings.Join(strings.Fields(item.Content), " ")}
	task.Priority, _ = pawl.ParsePriority(string(item.Priority)) // which it has from a list
	var paragraphs []string
	if task.Subject != item.Content || utf8.RuneCountInString(task.Subject) > pawl.MaxSubject {
		task.Subject = text.Clip(task.Subject, pawl.MaxSubject)
		paragraphs = append(paragraphs, item.Content)
	}
	if item.ActiveForm != item.Content && utf8.RuneCountInString(item.ActiveForm) <= pawl.MaxActiveForm {
		task.ActiveForm = strings.Join(strings.Fields(item.ActiveForm), " ")
	}
	var checklist []string
	for _, sub := range item.Subtasks {
		box := "- [ ] "
		if sub.Status == todo.Completed {
			box = "- [x] "
		}
		checklist = append(checklist, box+strings.Join(strings.Fields(sub.Content), " "))
	}
	if len(checklist) > 0 {
		paragraphs = append(paragraphs, strings.Join(checklist, "\n"))
	}
	task.Description = strings.Join(paragraphs, "\n\n")
	return task
}
