package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var blockVerb = verb{
	name:  "block",
	use:   "ID --by ID",
	short: "make a task depend on others",
	long:  "Records in all of these tasks that ID depends on those after --by; the word --by may be left out. Fails if the dependency creates a cycle, and prints the cycle. A dependency on a completed task is recorded too; it blocks only if that task is reopened.",
	kind:  "result",
	examples: []string{
		"pawl block 12 --by 8,11",
		"pawl block 12 bv-2a4",
	},
	min: 1, max: -1,
	build: buildEdges("block", "`ID,ID` tasks that must be completed first", "Blocked", func(op *pawl.Update, ids []pawl.ID) { op.AddBlockedBy = ids }),
}

var unblockVerb = verb{
	name:  "unblock",
	use:   "ID --by ID",
	short: "remove dependencies of a task",
	long:  "Removes the dependencies of ID on the tasks after --by, also on completed ones. Use it for a dependency that was wrong: a completed task stops blocking by itself.",
	kind:  "result",
	examples: []string{
		"pawl unblock 12 --by 8",
		"pawl unblock 12 --by 8,11 --json",
	},
	min: 1, max: -1,
	build: buildEdges("unblock", "`ID,ID` tasks that no longer block it", "Unblocked", func(op *pawl.Update, ids []pawl.ID) { op.RemoveBlockedBy = ids }),
}

func buildEdges(verb, what, done string, set func(*pawl.Update, []pawl.ID)) func(*app, *cobra.Command) func(context.Context, []string) error {
	return func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var by []string
		cmd.Flags().StringArrayVar(&by, "by", nil, what)
		return func(ctx context.Context, args []string) error {
			switch {
			case len(args) > 1 && len(by) > 0:
				return usage(verb, "%s changes one task, and %q is one too many", verb, args[1])
			case len(args) > 1:
				by = args[1:]
			case len(by) == 0:
				return usage(verb, "%s needs --by with the tasks that %s depends on", verb, args[0])
			}
			waiter, err := a.resolve(ctx, args[0])
			if err != nil {
				return err
			}
			if len(waiter) > 1 {
				return usage(verb, "%s changes one task: name the others with --by", verb)
			}
			blockers, err := a.resolve(ctx, by...)
			if err != nil {
				return err
			}
			op := pawl.Update{ID: waiter[0]}
			set(&op, blockers)
			o, err := a.do(ctx, op)
			if err != nil {
				return err
			}
			return a.tell(verb, done, o)
		}
	}
}
