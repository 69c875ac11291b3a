package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

var forgetVerb = verb{
	name:  "forget",
	use:   "[flags]",
	short: "erase the data stored about a session",
	long: "Erases the todo lists of a session and of its subagents, with their tool calls and history, the hooks' state, its settings, and the record of its process. This cannot be undone. It asks first; without a terminal it needs --yes.\n\n" +
		"It keeps tasks, the board's history, which names the session in each change, and files of the agent's program, such as its transcript. A running session is recorded again at its next step.",
	kind: "forget",
	examples: []string{
		"pawl forget --session 0f0d7052-fe5d-45d1",
		"pawl forget --session 0f0d7052-fe5d-45d1 --yes",
	},
	build: buildForget,
}

// forgetJSON is the envelope of forget.
type forgetJSON struct {
	wire.Envelope
	Session string `json:"session"` // whose it was
	Lists   int    `json:"lists"`   // todo lists: its own and those of its subagents
	Todos   int    `json:"todos"`   // in them
	Past    int    `json:"past"`    // todos that had left the lists
	Calls   int    `json:"calls"`   // tool calls
	Files   int    `json:"files"`   // of hooks and settings, and notes about its process
}

func buildForget(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	t := &todoRun{app: a, cmd: cmd}
	var yes bool
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return func(ctx context.Context, _ []string) error {
		if who := a.caller(); who.Person && !t.named() {
			e := usage("forget", "forget needs --session")
			e.Hint.Text = "pawl todo sessions"
			return e
		}
		if err := t.reach(); err != nil {
			return err
		}
		session := (todo.Key{Session: a.caller().Session}).Normal().Session
		if err := a.confirm(yes, "erase all that is stored of session "+text.Clip(session, 80), "nothing was erased"); err != nil {
			return err
		}
		state, err := userdir.State(a.env.Getenv)
		if err != nil {
			return err
		}
		lists, err := t.lists.Forget(ctx, session)
		if err != nil {
			return t.explain(err)
		}
		answer := forgetJSON{Envelope: wire.NewEnvelope("forget"), Session: session, Lists: len(lists)}
		for i := range lists {
			answer.Todos += len(lists[i].Items)
			answer.Past += len(lists[i].Past)
			answer.Calls += lists[i].Calls()
		}
		if answer.Files, err = a.env.Agents.Forget(state, session); err != nil {
			return pawl.Errorf(pawl.Unavailable, "not all of it could be erased: %w", err)
		}
		return a.tellForgotten(&answer)
	}
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
