package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var reopenVerb = verb{
	name:  "reopen",
	use:   "ID...",
	short: "make completed tasks pending again",
	long:  "Open tasks that depend on them are blocked again.",
	kind:  "result",
	examples: []string{
		"pawl reopen 12",
		"pawl reopen 8 11 --json",
	},
	min: 1, max: -1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			ids, err := a.resolveWords(ctx, args)
			if err != nil {
				return err
			}
			return a.doAndTell(ctx, pawl.Reopen{IDs: ids}, "reopen", "Reopened")
		}
	},
}
