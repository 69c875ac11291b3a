package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var startVerb = verb{
	name:  "start",
	use:   "ID... [flags]",
	short: "start working on the named tasks: claim ID",
	long:  "The older name of claim ID. It does not change claims that you already have.",
	kind:  "result",
	examples: []string{
		"pawl start 12",
		"pawl start 12 13 --lease 2h",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Start
		lease := leaseFlag(cmd)
		a.offlineFlag(cmd)
		a.personFlag(cmd, &op.Force, "force", "claim them even if blocked, on hold, or claimed by or assigned to somebody else; lifts the hold")
		return func(ctx context.Context, args []string) (err error) {
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			if op.Lease, err = lease(a); err != nil {
				return err
			}
			return a.doAndTell(ctx, op, "start", "Started")
		}
	},
}
