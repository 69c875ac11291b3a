package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/wire"
)

var showVerb = verb{
	name:  "show",
	use:   "ID",
	short: "show a task in full",
	long:  "Shows the task's texts, its dependencies in both directions, its children and its owner. ID is a number (12 or #12), the name that the task had in the tracker it was imported from, or words of its subject, if only one task has them.",
	kind:  "task",
	examples: []string{
		"pawl show 12",
		"pawl show retry hooks",
		"pawl show bv-2a4 --json",
	},
	min: 1, max: -1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			if len(args) > 1 {
				if _, err := pawl.ParseID(args[0]); err == nil {
					return usage("show", "show is for one task: leave out %q", args[1])
				}
			}
			return a.showTask(ctx, strings.Join(args, " "))
		}
	},
}

// taskJSON is the envelope of one task.
type taskJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`         // of the board, when it was read
	Task     wire.Task     `json:"task"`             // the task
	Once     []onceJSON    `json:"once,omitempty"`   // tasks that had its number until merges with other branches gave them others
	Shared   *wire.Shared  `json:"shared,omitempty"` // how the board is shared through a git remote; absent: it is not
}

// onceJSON is a task that once had another one's number.
type onceJSON struct {
	ID      pawl.ID `json:"id"`      // its number now
	Subject string  `json:"subject"` // one line
}

func (a *app) showTask(ctx context.Context, name string) error {
	answer, err := asked(ctx, a, ask.TaskQuery{Names: []string{name}})
	if err != nil {
		return err
	}
	found := &answer.Tasks[0]
	if _, isID := pawl.ParseID(name); found.Fault != nil && found.Fault.Kind == pawl.NotFound && isID != nil {
		tasks, _, err := a.titled(ctx, name)
		switch {
		case err != nil:
			return err
		case len(tasks) == 1:
			return a.showTask(ctx, tasks[0].ID.String())
		case len(tasks) > 1:
			return fitting(name, tasks)
		}
	}
	switch {
	case found.Fault != nil:
		return found.Fault
	case a.json:
		task := wire.TasksOf(a.name(), []pawl.Task{found.Detail.Task}, answer.Waiting)[0]
		shown := taskJSON{Envelope: wire.NewEnvelope("task"), Revision: answer.Revision, Task: task, Shared: wire.NewShared(answer.Shared, answer.Now)}
		for _, t := range found.Detail.Once {
			shown.Once = append(shown.Once, onceJSON{t.ID, t.Subject})
		}
		return a.printJSON(shown)
	}
	a.detail("", found.Detail, &ask.Facts{Name: a.name(), Zone: a.screen.zone(), Now: answer.Now, Shared: answer.Shared})
	return nil
}
