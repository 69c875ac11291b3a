package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// save changes the task as the text says. A text that cannot be saved goes back
// to the editor.
func (e editing) save(ctx context.Context, board query.Board, who query.Asker, seen pawl.Query, text string) tea.Msg {
	after, err := parse(text, e.before)
	if err != nil {
		return e.again(text, err.Error())
	}
	op, changed := e.before.change(e.id, e.read, after)
	if !changed {
		e.drop()
		return answerMsg{said: "Nothing changed"}
	}
	msg := answerMsg{board: board, about: e.id, op: op}
	if msg.tell(ctx, pawl.Request{By: who.By, Op: op}, seen); msg.err == nil {
		e.drop()
		return msg
	}
	if theirs := changedFields(msg.err); len(theirs) > 0 {
		now, err := detailOf(ctx, board, who, e.id)
		if err != nil {
			return e.again(text, err.Error())
		}
		return e.again(text, e.rebase(&now.Task, theirs))
	}
	return e.again(text, msg.err.Error())
}

// changedFields are those that somebody else has changed since they were read, if
// an update was refused for that.
func changedFields(err error) (fields []string) {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.Conflict {
		return nil
	}
	for _, f := range e.Faults {
		fields = append(fields, f.Path)
	}
	return fields
}

// rebase takes fields as the task has them now for what was read, so that saving
// once more replaces them, and says what they are.
func (e *editing) rebase(t *pawl.Task, fields []string) string {
	var said []string
	now := draftNow(t)
	for _, field := range fields {
		name, value := field, ""
		switch field {
		case "subject":
			e.before.subject, e.read.Subject, value = now.subject, &t.Subject, now.subject
		case "description":
			e.before.description, e.read.Description, value = now.description, &t.Description, now.description
		case "activeForm":
			name = "active form"
			e.before.activeForm, e.read.ActiveForm, value = now.activeForm, &t.ActiveForm, now.activeForm
		case "priority":
			e.before.priority, e.read.Priority, value = now.priority, &t.Priority, now.priority.String()
		case "parent":
			if e.before.parent, e.read.Parent = now.parent, &t.Parent; t.Parent != 0 {
				value = t.Parent.String()
			}
		}
		said = append(said, fmt.Sprintf("Somebody else has changed the %s. It is now:", name))
		said = append(said, quoted(value)...)
	}
	return strings.Join(append(said, "To replace it with your text, delete this line, save and quit."), "\n")
}

// mostQuoted is how many lines of another's text stand above the reader's own.
const mostQuoted = 20

// quoted sets a text off from the words around it.
func quoted(value string) []string {
	lines := strings.Split(value, "\n")
	if value == "" {
		lines = []string{"(empty)"}
	}
	if len(lines) > mostQuoted {
		lines = append(lines[:mostQuoted], "...")
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// again brings a text back to the editor.
func (e editing) again(text, fault string) tea.Msg {
	e.fault = fault
	return e.ready(e.write(withFault(text, e.fault)))
}
