package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var releaseVerb = verb{
	name:  "release",
	use:   "ID... [flags]",
	short: "end your claims, so that others can take the tasks",
	long:  "With --hold nobody can claim them until the hold is lifted: pawl hold --lift ID.",
	kind:  "result",
	examples: []string{
		"pawl release 12",
		`pawl release 12 --hold "needs the staging password"`,
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Release
		hold := textFlag(cmd, "hold", "`REASON` also put them on hold, for this reason")
		tokenFlag(cmd, &op.Token)
		a.personFlag(cmd, &op.Force, "force", "end the claims and assignments of others too")
		return func(ctx context.Context, args []string) (err error) {
			if op.Hold, err = hold.read(a); err != nil {
				return err
			}
			if hold.given() && op.Hold == "" {
				return usage("release", "--hold needs a reason")
			}
			if op.IDs, err = a.resolveWords(ctx, args); err != nil {
				return err
			}
			return a.doAndTell(ctx, op, "release", "Released")
		}
	},
}
