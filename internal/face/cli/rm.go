package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

var rmVerb = verb{
	name:  "rm",
	use:   "ID... [flags]",
	short: "delete tasks",
	long:  "Removes the tasks and every reference to them. Their numbers are never given again.",
	kind:  "result",
	examples: []string{
		"pawl rm 12",
		"pawl rm 12 13 --json",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Delete
		cmd.Flags().BoolVar(&op.Force, "force", false, "although somebody else works on one")
		return func(ctx context.Context, args []string) (err error) {
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			board, err := a.read()
			if err != nil {
				return err
			}
			before, err := board.Get(ctx, op.IDs...)
			if err != nil {
				return err
			}
			board, result, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			o, err := a.learn(ctx, board, result)
			if err != nil {
				return err
			}
			if a.json {
				j := o.json("rm")
				j.Removed = briefs(before)
				return a.printJSON(j)
			}
			for i := range before {
				a.print("Removed %s\n", view.Name(&before[i]))
			}
			a.readyNow(o.ready)
			return nil
		}
	},
}
