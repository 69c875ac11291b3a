package cli

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// forgetJSON is the envelope of todo forget.
type forgetJSON struct {
	wire.Envelope
	Session string `json:"session"` // whose it was
	Lists   int    `json:"lists"`   // todo lists: its own and those of its subagents
	Todos   int    `json:"todos"`   // in them
	Past    int    `json:"past"`    // todos that had left the lists
	Calls   int    `json:"calls"`   // tool calls
	Files   int    `json:"files"`   // of hooks and settings, and notes about its process
}

// forget erases the todo lists of a session and of its subagents, with their tool
// calls and history, the hooks' state, its settings, and the record of its process.
func (t *todoRun) forget(ctx context.Context, _ []string) error {
	if who := t.caller(); who.Person && !t.named() {
		e := usage("todo", "todo forget needs --session")
		e.Hint.Text = "pawl todo sessions"
		return e
	}
	if t.agent != "" {
		return usage("todo", "todo forget erases a session with its subagents: leave out --agent")
	}
	session := (todo.Key{Session: t.caller().Session}).Normal().Session
	if !t.caller().Person {
		return t.consents("erase a session", "pawl todo forget --session "+session)
	}
	if err := t.confirm(t.yes, "erase all that is stored of session "+text.Clip(session, 80), "nothing was erased"); err != nil {
		return err
	}
	state, err := userdir.State(t.env.Getenv)
	if err != nil {
		return err
	}
	lists, err := t.lists.Forget(ctx, session)
	if err != nil {
		return err
	}
	answer := forgetJSON{Envelope: wire.NewEnvelope("forget"), Session: session, Lists: len(lists)}
	for i := range lists {
		answer.Todos += len(lists[i].Items)
		answer.Past += len(lists[i].Past)
		answer.Calls += lists[i].Calls()
	}
	if answer.Files, err = t.env.Agents.Forget(state, session); err != nil {
		return pawl.Errorf(pawl.Unavailable, "not all of it could be erased: %w", err)
	}
	return t.tellForgotten(&answer)
}

func (a *app) tellForgotten(f *forgetJSON) error {
	if a.json {
		return a.printJSON(f)
	}
	if f.Lists+f.Files == 0 {
		a.print("Unchanged: nothing is stored of session %s\n", text.Clip(f.Session, 80))
		return nil
	}
	a.print("Erased of session %s: %s with %s (%d more had left), %s, %s of hooks\n", text.Clip(f.Session, 80),
		text.Count(f.Lists, "todo list", "todo lists"), text.Count(f.Todos, "todo", "todos"), f.Past, text.Count(f.Calls, "tool call", "tool calls"), text.Count(f.Files, "file", "files"))
	a.say("the board's tasks and history stay, and so does what the agent's own program keeps")
	return nil
}
