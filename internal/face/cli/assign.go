package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var assignVerb = verb{
	name:  "assign",
	use:   "ID... [flags]",
	short: "say who shall do tasks",
	long:  "Nobody else is given them then. To take a task from somebody who works on it, release it first.",
	kind:  "result",
	examples: []string{
		"pawl assign 12 13 --to bob",
		"pawl assign 12 --nobody",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Assign
		var nobody bool
		cmd.Flags().StringVar(&op.Owner, "to", "", "`NAME` the one who shall do them")
		cmd.Flags().BoolVar(&nobody, "nobody", false, "anybody may take them")
		return func(ctx context.Context, args []string) (err error) {
			switch to := cmd.Flags().Changed("to"); {
			case to == nobody:
				return usage("assign", "give --to with a name, or --nobody")
			case to && op.Owner == "":
				return usage("assign", "--to needs a name; --nobody is for none")
			}
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			board, result, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			done := "Assigned"
			if nobody {
				done = "Unassigned"
			}
			return a.tell(ctx, "assign", done, board, result)
		}
	},
}
