package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/wire"
)

var showVerb = verb{
	name:  "show",
	use:   "ID",
	short: "show a task in full",
	long:  "Shows the task's texts, its dependencies in both directions, its children and its owner. ID is a number (12 or #12), or the name that the task had in the tracker it was imported from.",
	kind:  "task",
	examples: []string{
		"pawl show 12",
		"pawl show bv-2a4 --json",
	},
	min: 1, max: 1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			board, err := a.read()
			if err != nil {
				return err
			}
			id, err := board.Resolve(ctx, args[0])
			if err != nil {
				return err
			}
			return a.showTask(ctx, board, id)
		}
	},
}

// taskJSON is the envelope of one task.
type taskJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"` // of the board, when it was read
	Task     wire.Task     `json:"task"`     // the task
}

func (a *app) showTask(ctx context.Context, board *pawl.Board, id pawl.ID) error {
	var detail *ask.Detail
	facts := &ask.Facts{Name: a.name(), Zone: a.screen.zone()}
	answer := taskJSON{Envelope: wire.NewEnvelope("task")}
	err := board.View(ctx, func(r pawl.Reader) (err error) {
		answer.Revision, facts.Now = r.Revision(), r.Now()
		if detail, err = ask.LoadDetail(r, id); err != nil || !a.json {
			return err
		}
		tasks, err := wire.NewTasks(r, a.name(), []pawl.Task{detail.Task})
		if err == nil {
			answer.Task = tasks[0]
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer)
	}
	a.detail("", detail, facts)
	return nil
}
