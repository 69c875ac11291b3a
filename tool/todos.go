package tool

import (
	"context"

	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// todoWrite replaces the todo list.
func (k *kit) todoWrite(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	merge := a.truth("merge")
	if !a.has("todos") {
		a.fault("todos", "is missing: give the list, each todo with content and status")
	}
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	draft, err := todo.Decode(a.values["todos"], merge)
	if err != nil {
		return Result{}, nil, err
	}
	written, err := k.Todos.Write(ctx, by.Key(), draft, todo.Writing{Merge: merge, Project: by.Project})
	if err != nil {
		return Result{}, nil, err
	}
	r := k.shown(ctx, by, &written)
	r.Data = writtenJSON{
		Old: plain(written.Old), New: plain(written.New), Notes: written.Notes,
		Diff: diffJSON{plain(written.Diff.Added), plain(written.Diff.Removed), written.Diff.Changed},
	}
	return r, append(written.Notes, awaited(&written.List)...), nil
}

// awaited says what a list waits for whose todos are all completed. No tool runs it: what
// an agent may run, its clone says.
func awaited(l *todo.List) []string {
	if !l.AwaitsCheck() {
		return nil
	}
	if l.Check == nil {
		return []string{"All todos are completed, and the check of the list cannot be read: tell your user, who can take it away with pawl todo check --none."}
	}
	how := "pawl check --todos --session " + line(l.Session)
	if l.Agent != "" {
		how += " --agent " + line(l.Agent)
	}
	return []string{"All todos are completed. The list is done when its check " + line(l.Check.Name) + " has passed: run " + how}
}

// writtenJSON is what programs get of a list that was written.
type writtenJSON struct {
	Old   []wire.TodoItem `json:"oldTodos"`
	New   []wire.TodoItem `json:"newTodos"` // as given and repaired, also when all of it is completed
	Diff  diffJSON        `json:"diff"`
	Notes []string        `json:"notes,omitempty"` // what was repaired
}

// diffJSON is a [todo.Diff].
type diffJSON struct {
	Added   []wire.TodoItem `json:"added,omitempty"`
	Removed []wire.TodoItem `json:"removed,omitempty"`
	Changed []todo.Change   `json:"changed,omitempty"`
}

// plain are todos without the tool calls of theirs, which can be long: they are
// for who looks at the list, not for who writes it.
func plain(items []todo.Item) []wire.TodoItem { return wire.TodoItems(items, false) }

// shown chooses the text form of a list that was written:
//
//	session                          the model reads       a person is shown
//	nobody watches                   simplified            simplified
//	somebody watches, in a panel     "TODO list updated"   nothing, the panel has it
//	somebody watches, without one    structured            structured
func (k *kit) shown(ctx context.Context, by Caller, written *todo.Written) Result {
	settings := k.Settings(ctx, by.Session)
	switch {
	case !k.interactive(ctx, by, settings):
		text := todo.Simplified(written.New)
		return Result{LLMContent: text, ReturnDisplay: text}
	case !settings.PanelOff:
		return Result{LLMContent: "TODO list updated"}
	}
	list := written.List
	list.Items = written.New
	text := todo.Structured(&list, k.Now())
	return Result{LLMContent: text, ReturnDisplay: text}
}

// interactive reports whether somebody watches the session: as the caller says,
// else as the settings say, else when a panel is open on it.
func (k *kit) interactive(ctx context.Context, by Caller, settings Settings) bool {
	switch {
	case by.Interactive != nil:
		return *by.Interactive
	case settings.Interactive == Always:
		return true
	case settings.Interactive == Never:
		return false
	}
	watched, err := k.Todos.Watched(ctx, by.Key().Session)
	return watched && err == nil
}

// todoRead shows the todo list, with everything that a panel shows.
func (k *kit) todoRead(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	list, err := k.Todos.Read(ctx, by.Key())
	if err != nil {
		return Result{}, nil, err
	}
	text := todo.Structured(&list, k.Now())
	return Result{LLMContent: text, ReturnDisplay: text, Data: readJSON{plain(list.Items), wire.NewPause(list.Pause)}}, nil, nil
}

// readJSON is what programs get of a list.
type readJSON struct {
	Todos []wire.TodoItem `json:"todos"`
	Pause *wire.Pause     `json:"pause,omitempty"`
}

// todoPause halts continuation until the user's next prompt.
func (k *kit) todoPause(ctx context.Context, by Caller, a *arguments) (Result, []string, error) {
	reason, _ := a.text("reason")
	if err := a.err(); err != nil {
		return Result{}, nil, err
	}
	pause, err := k.Todos.Pause(ctx, by.Key(), by.Project, reason)
	if err != nil {
		return Result{}, nil, err
	}
	told := line(pause.Reason)
	return Result{
		LLMContent: "AI execution paused due to: " + told +
			"\nEnd your turn now: call no more tools, tell your user what you need, and wait for the answer. Your todos stay as they are.",
		ReturnDisplay: "AI paused: " + told,
		Data: struct {
			Paused bool        `json:"paused"`
			Pause  *wire.Pause `json:"pause"`
		}{true, wire.NewPause(&pause)},
	}, nil, nil
}
