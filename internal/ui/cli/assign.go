package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

var assignVerb = verb{
	name:  "assign",
	use:   "ID... [flags]",
	short: "assign tasks to somebody",
	long:  "A name after the tasks is the same as --to; @me is you. Others then need --force to claim them. To assign a task that somebody works on, release it first.",
	kind:  "result",
	examples: []string{
		"pawl assign 12 13 --to bob",
		"pawl assign 12 --nobody",
	},
	min: 1, max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var op pawl.Assign
		var nobody bool
		cmd.Flags().StringVar(&op.Owner, "to", "", "`NAME` assign them to this name")
		cmd.Flags().BoolVar(&nobody, "nobody", false, "remove the assignment")
		a.personFlag(cmd, &op.Force, "force", "assign them to yourself even if they are assigned to somebody else")
		return func(ctx context.Context, args []string) (err error) {
			if !nobody && !cmd.Flags().Changed("to") && len(args) > 1 && a.names(ctx, args[len(args)-1]) {
				if err := cmd.Flags().Set("to", args[len(args)-1]); err != nil {
					return err
				}
				args = args[:len(args)-1]
			}
			op.Owner = a.person(op.Owner)
			if last := len(args) - 1; last > 0 && cmd.Flags().Changed("to") && slices.Contains([]string{"to", "for"}, args[last]) && a.names(ctx, args[last]) {
				return pawl.Errorf(pawl.Invalid, "leave out the word %q", args[last]).
					Say(commandLine("pawl assign", append(args[:last:last], "--to", op.Owner)...))
			}
			switch to := cmd.Flags().Changed("to"); {
			case !to && !nobody && len(args) > 1 && a.names(ctx, args[0]) && !a.names(ctx, args[1]):
				return pawl.Errorf(pawl.Invalid, "the tasks stand before the name").
					Say(commandLine("pawl assign", append(args[1:], args[0])...))
			case to == nobody:
				return usage("assign", "give --to with a name, or --nobody")
			case to && op.Owner == "":
				return usage("assign", "--to needs a name; --nobody is for none")
			}
			if op.IDs, err = a.resolve(ctx, args...); err != nil {
				return err
			}
			done := "Assigned"
			if nobody {
				done = "Unassigned"
			}
			return a.doAndTell(ctx, op, "assign", done)
		}
	},
}

// names reports whether a word without a flag is somebody's name: it is when it
// can be no task.
func (a *app) names(ctx context.Context, word string) bool {
	if strings.HasPrefix(word, "@") {
		return true
	}
	if strings.ContainsAny(word, "0123456789#,") && strings.Trim(word, "0123456789#,-") == "" {
		return false
	}
	_, err := a.resolve(ctx, word)
	return pawl.KindOf(err) == pawl.NotFound
}
