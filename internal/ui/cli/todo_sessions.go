package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// heads are the lists that sessions and resume choose from, the newest first.
func (t *todoRun) heads(ctx context.Context) ([]todo.Head, error) {
	if t.all {
		return t.lists.Sessions(ctx, "")
	}
	return t.ofProject(ctx)
}

// ofProject are the lists of the project. A list knows the folder that its
// agent was in, which may be anywhere in it.
func (t *todoRun) ofProject(ctx context.Context) ([]todo.Head, error) {
	heads, err := t.lists.Sessions(ctx, "")
	if err != nil {
		return nil, err
	}
	ours := t.ours()
	return slices.DeleteFunc(heads, func(h todo.Head) bool { return !ours(h) }), nil
}

// ours tells whether a list is of the project. It remembers the answer for each
// folder.
func (t *todoRun) ours() func(todo.Head) bool {
	known := map[string]bool{"": false, t.project: true}
	return func(h todo.Head) bool {
		ours, looked := known[h.Project]
		if !looked {
			project, err := project.Root(h.Project)
			ours = err == nil && project == t.project
			known[h.Project] = ours
		}
		return ours
	}
}

func (t *todoRun) sessions(ctx context.Context, _ []string) error {
	if _, err := t.lists.Sweep(ctx, t.keep); err != nil {
		t.say("cannot delete old lists: %s", err) // which keeps nobody from reading the others
	}
	heads, err := t.heads(ctx)
	if err != nil {
		return err
	}
	if t.json {
		answer := wire.Sessions{Envelope: wire.NewEnvelope("sessions"), Project: t.project, Sessions: wire.NewSessions(heads, time.Now())}
		if t.all {
			answer.Project = ""
		}
		return t.printJSON(answer)
	}
	if len(heads) == 0 {
		where := "in this project"
		if t.all {
			where = "anywhere"
		}
		t.say("no todo lists %s", where)
		return nil
	}
	t.printHeads(heads)
	return nil
}

// printHeads prints a line for each list:
//
//	1  3 min ago  0b7c1f52          1 in progress, 2 pending  Write tests
//	2  2 d ago    0b7c1f52/reviewer  finished                  Review the diff
func (t *todoRun) printHeads(heads []todo.Head) {
	rows := make([][]string, len(heads))
	for i, h := range heads {
		name := text.Clip(h.Session, 40)
		if h.Agent != "" {
			name += "/" + text.Clip(h.Agent, 40)
		}
		rows[i] = []string{strconv.Itoa(i + 1), text.Ago(time.Now(), h.UpdatedAt), text.Line(name), headState(h)}
		if t.all {
			rows[i] = append(rows[i], text.Line(h.Project))
		}
		rows[i] = append(rows[i], text.Line(text.Clip(h.Title, 80)))
	}
	for _, line := range t.screen.columns(rows, gap, math.MaxInt) {
		t.print("%s\n", line)
	}
}

// headState says how far a list is.
func headState(h todo.Head) string {
	parts := text.Counts([]string{"in progress", "pending", "completed"}, h.InProgress, h.Pending, h.Completed)
	if len(parts) == 0 {
		parts = []string{"empty"}
		if h.Past > 0 {
			parts = []string{"finished"}
		}
	}
	if h.Paused {
		parts = append(parts, "paused")
	}
	return strings.Join(parts, ", ")
}

func (t *todoRun) resume(ctx context.Context, args []string) error {
	if t.cmd.Flags().Changed("transcript") {
		if len(args) > 0 {
			return usage("todo", "--transcript and %q name two sessions: give one of them", text.Clip(args[0], 40))
		}
		return t.resumeTranscript(ctx)
	}
	if err := t.choose(ctx); err != nil {
		return err
	}
	heads, err := t.heads(ctx)
	if err != nil {
		return err
	}
	from, err := t.pick(heads, args)
	if err != nil {
		return err
	}
	list, err := t.lists.Resume(ctx, t.key, t.editing(), from.Key)
	if err != nil {
		return err
	}
	return t.tellResumed(list, fmt.Sprintf("resumed the todos of %s", listName(from.Key)))
}

// pick chooses the list to resume: by its number, by its session or the
// beginning of that, or the newest with open todos.
func (t *todoRun) pick(heads []todo.Head, args []string) (todo.Head, error) {
	if len(args) == 0 {
		for _, h := range heads {
			if h.Key != t.key && h.Agent == t.key.Agent && h.Pending+h.InProgress > 0 {
				return h, nil
			}
		}
		return todo.Head{}, t.noSession("no other session here has open todos")
	}
	var found []todo.Head
	if n, err := strconv.Atoi(args[0]); err == nil && n >= 1 && n <= len(heads) {
		found = heads[n-1 : n]
	}
	for _, fits := range []func(todo.Head) bool{
		func(h todo.Head) bool { return h.Session == args[0] && h.Agent == t.key.Agent },
		func(h todo.Head) bool { return h.Session == args[0] },
		func(h todo.Head) bool { return args[0] != "" && strings.HasPrefix(h.Session, args[0]) },
	} {
		if len(found) > 0 {
			break
		}
		for _, h := range heads {
			if fits(h) {
				found = append(found, h)
			}
		}
	}
	switch {
	case len(found) == 0 && len(heads) > 0:
		return todo.Head{}, t.noSession("no session has the number %q: they are numbered 1 to %d", text.Clip(args[0], 80), len(heads))
	case len(found) == 0:
		return todo.Head{}, t.noSession("unknown session %q", text.Clip(args[0], 80))
	case len(found) > 1:
		return todo.Head{}, t.noSession("%q could be %d sessions: give its number", text.Clip(args[0], 80), len(found))
	case found[0].Key == t.key:
		return todo.Head{}, t.noSession("%s is this list itself: nothing to resume", listName(t.key))
	}
	return found[0], nil
}

func (t *todoRun) noSession(format string, args ...any) error {
	e := pawl.Errorf(pawl.NotFound, format, args...).Say("pawl todo sessions")
	if t.all {
		e.Hint.Text += " --all"
	}
	return e
}

// resumeTranscript restores the last list of a transcript.
func (t *todoRun) resumeTranscript(ctx context.Context) error {
	file, err := t.app.openInput(t.transcript, maxStream)
	if err != nil {
		return err
	}
	defer file.Close()
	items, err := todo.FromTranscript(file)
	if err != nil {
		return err
	}
	if err := t.choose(ctx); err != nil {
		return err
	}
	what := "resumed the todos of a transcript"
	list, err := t.lists.Restore(ctx, t.key, t.editing(), items, what)
	if err != nil {
		return err
	}
	return t.tellResumed(list, what)
}

func (t *todoRun) tellResumed(list todo.List, what string) error {
	replaced := 0
	if list.Before != nil {
		replaced = len(list.Before.Items)
	}
	if replaced > 0 {
		what += ", in the place of " + text.Count(replaced, "todo", "todos")
	}
	if err := t.tellEdited(todo.Edited{List: list, What: []string{what}, Changed: true}, nil); err != nil || t.json {
		return err
	}
	t.printList(&list)
	if replaced > 0 {
		t.say("undo: %s", t.command("todo undo"+t.agentFlag()))
	}
	return nil
}
