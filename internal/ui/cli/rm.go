package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

var rmVerb = verb{
	name:  "rm",
	use:   "ID... [flags]",
	short: "delete tasks",
	long:  "Deletes the tasks and every reference to them. Their numbers are never used again. pawl undo restores them.",
	kind:  "result",
	examples: []string{
		"pawl rm 12",
		"pawl rm 12 13 --dry-run",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Delete
		a.personFlag(cmd, &op.Force, "force", "delete them even if claimed by somebody else")
		dry := dryRunFlag(cmd)
		return func(ctx context.Context, args []string) (err error) {
			if op.IDs, err = a.resolveWords(ctx, args); err != nil {
				return err
			}
			board, err := a.open()
			if err != nil {
				return err
			}
			requests, err := a.screened(ctx, board, a.request(op))
			if err != nil {
				return err
			}
			o, came, err := a.carryOut(ctx, board, *dry, 0, requests...)
			if err != nil {
				return err
			}
			return a.tellRemoved(&o, undoWith(came...))
		}
	},
}

func (a *app) tellRemoved(o *outcome, undo []pawl.Revision) error {
	gone := map[pawl.ID]*pawl.Task{}
	for _, c := range o.Result.Changes {
		if c.After == nil {
			gone[c.ID] = c.Before
		}
	}
	if a.json {
		j := o.json("rm")
		j.Changes, j.Undo = changesJSON(o.Result), undo
		for _, id := range o.Result.IDs {
			j.Removed = append(j.Removed, query.Brief{ID: id, Subject: gone[id].Subject})
		}
		return a.printJSON(j)
	}
	done := "Removed"
	if o.dry {
		done = "Would remove"
	}
	for _, id := range o.Result.IDs {
		a.print("%s %s\n", done, show.Removed(gone[id], func(id pawl.ID) bool { return gone[id] == nil }))
	}
	a.readyNow(o)
	if err := a.flush(); err != nil {
		return err
	}
	a.sayUndo(o.Head.Origin, undo)
	return nil
}
