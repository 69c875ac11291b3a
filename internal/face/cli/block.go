package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var blockVerb = verb{
	name:  "block",
	use:   "ID --by ID",
	short: "let a task wait for others",
	long:  "Records that ID waits for the tasks behind --by, on both sides; the word --by may be left out. What would close a circle is refused with the whole of it; a task that is completed already is recorded too, and blocks nothing unless it is reopened.",
	kind:  "result",
	examples: []string{
		"pawl block 12 --by 8,11",
		"pawl block 12 bv-2a4",
	},
	min: 1, max: -1,
	build: buildEdges("block", "`ID,ID` the tasks to wait for", "Blocked", func(op *pawl.Update, ids []pawl.ID) { op.AddBlockedBy = ids }),
}

var unblockVerb = verb{
	name:  "unblock",
	use:   "ID --by ID",
	short: "let a task no longer wait for others",
	long:  "Forgets that ID waits, or ever waited, for the tasks behind --by. Completing those ends the wait by itself; this is for edges that were wrong.",
	kind:  "result",
	examples: []string{
		"pawl unblock 12 --by 8",
		"pawl unblock 12 --by 8,11 --json",
	},
	min: 1, max: -1,
	build: buildEdges("unblock", "`ID,ID` the tasks to wait for no longer", "Unblocked", func(op *pawl.Update, ids []pawl.ID) { op.RemoveBlockedBy = ids }),
}

func buildEdges(verb, what, done string, set func(*pawl.Update, []pawl.ID)) func(*app, *cobra.Command) func(context.Context, []string) error {
	return func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var by []string
		cmd.Flags().StringArrayVar(&by, "by", nil, what)
		return func(ctx context.Context, args []string) error {
			switch {
			case len(args) > 1 && len(by) > 0:
				return usage(verb, "%s is about one task that waits, and %q is one too many", verb, args[1])
			case len(args) > 1:
				by = args[1:]
			case len(by) == 0:
				return usage(verb, "%s needs --by, with the tasks that %s waits for", verb, args[0])
			}
			waiter, err := a.resolve(ctx, args[0])
			if err != nil {
				return err
			}
			if len(waiter) > 1 {
				return usage(verb, "%s is about one task that waits: name the others with --by", verb)
			}
			blockers, err := a.resolve(ctx, by...)
			if err != nil {
				return err
			}
			op := pawl.Update{ID: waiter[0]}
			set(&op, blockers)
			board, result, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tell(ctx, verb, done, board, result)
		}
	}
}
