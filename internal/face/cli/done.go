package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var doneVerb = verb{
	name:  "done",
	use:   "ID... [flags]",
	short: "complete tasks, and show which others became ready",
	long:  "Completes tasks that you have claimed or nobody has: all of them or none. Fails if one is blocked, on hold, or has an open child. Prints the tasks that became ready.",
	kind:  "result",
	examples: []string{
		"pawl done 12",
		"pawl done 12 --token 1795235197344",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Complete
		tokenFlag(cmd, &op.Token)
		cmd.Flags().BoolVar(&op.Force, "force", false, "complete them even if blocked, on hold or claimed by somebody else")
		return func(ctx context.Context, args []string) (err error) {
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			o, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tell("done", "Completed", o)
		}
	},
}
