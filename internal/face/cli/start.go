package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var startVerb = verb{
	name:  "start",
	use:   "ID... [flags]",
	short: "begin to work on these tasks",
	long:  "Like claim, for tasks that you name, several at once if need be; what you work on already is left alone.",
	kind:  "result",
	examples: []string{
		"pawl start 12",
		"pawl start 12 13 --lease 2h",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Start
		lease := leaseFlag(cmd)
		cmd.Flags().BoolVar(&op.Force, "force", false, "although one waits, is held, or is claimed by or assigned to somebody else")
		return func(ctx context.Context, args []string) (err error) {
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			if op.Lease, err = lease(a); err != nil {
				return err
			}
			board, result, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tell(ctx, "start", "Started", board, result)
		}
	},
}
