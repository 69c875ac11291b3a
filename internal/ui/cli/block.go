package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
)

var blockVerb = verb{
	name:  "block",
	use:   "ID --by ID [flags]",
	short: "make a task depend on others, or no longer",
	long: "Makes ID depend on the tasks after --by; --by itself is optional. Fails if the dependency creates a cycle, and prints the cycle. A dependency on a completed task is recorded too; it blocks only if that task is reopened.\n\n" +
		"With --remove, removes these dependencies, also on completed tasks. Use it for a dependency that was wrong: a completed task stops blocking by itself.",
	kind: "result",
	examples: []string{
		"pawl block 12 --by 8,11",
		"pawl block 12 bv-2a4",
		"pawl block 12 --by 8 --remove",
	},
	min: 1, max: -1,
	build: buildBlock,
}

func buildBlock(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var by []string
	cmd.Flags().StringArrayVar(&by, "by", nil, "`ID,ID` tasks that must be completed first")
	remove := cmd.Flags().Bool("remove", false, "remove these dependencies")
	return func(ctx context.Context, args []string) error {
		line := "pawl block"
		if *remove {
			line += " --remove"
		}
		switch {
		case len(args) > 1 && len(by) > 0:
			return usage("block", "block changes one task, and %q is one too many", args[1])
		case len(args) > 2 && slices.Contains([]string{"on", "by", "after", "from"}, args[1]):
			return pawl.Errorf(pawl.Invalid, "leave out the word %q", args[1]).
				Say(commandLine(line, slices.Concat(args[:1], args[2:])...))
		case len(args) == 3 && args[1] == "before":
			return pawl.Errorf(pawl.Invalid, "the task that waits stands first").
				Say(commandLine(line, args[2], args[0]))
		case len(args) == 2 && slices.Contains([]string{"before", "on", "by", "after", "from"}, args[1]) && a.names(ctx, args[1]):
			return usage("block", "block needs another task after %q", args[1])
		case len(args) > 1:
			by = args[1:]
		case len(by) == 0:
			return usage("block", "block needs --by with the tasks that %s depends on", args[0])
		}
		waiter, err := a.one(ctx, args[0], "block", "block changes one task: name the others with --by")
		if err != nil {
			return err
		}
		blockers, err := a.resolve(ctx, by...)
		if err != nil {
			return err
		}
		op, told := pawl.Update{ID: waiter, AddBlockedBy: blockers}, blocked
		if *remove {
			op, told = pawl.Update{ID: waiter, RemoveBlockedBy: blockers}, unblocked
		}
		o, err := a.do(ctx, op)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(o.json("block"))
		}
		for _, line := range told(o, blockers) {
			a.print("%s\n", line)
		}
		a.readyNow(o)
		return nil
	}
}

// blocked tells which of the blockers are new, and which of these block nothing
// for now.
//
//	Blocked #3 three (blocked by #1, #2)
//	#3 depends on #4, which is completed: nothing to wait for, unless it is reopened
//	#3 depends on #5 already
func blocked(o *outcome, blockers []pawl.ID) (lines []string) {
	t := &o.Result.Tasks[0]
	open, completed, before := edges(o, blockers)
	switch {
	case len(open) > 0 && t.Open():
		lines = append(lines, "Blocked "+withRemarks(t, show.Remarks(t)))
	case len(open) > 0:
		lines = append(lines, fmt.Sprintf("%v depends on %s, and is completed: nothing waits, unless it is reopened", t.ID, show.IDs(open)))
	}
	switch len(completed) {
	case 0:
	case 1:
		lines = append(lines, fmt.Sprintf("%v depends on %v, which is completed: nothing to wait for, unless it is reopened", t.ID, completed[0]))
	default:
		lines = append(lines, fmt.Sprintf("%v depends on %s, which are completed: nothing to wait for, unless they are reopened", t.ID, show.IDs(completed)))
	}
	if len(before) > 0 {
		lines = append(lines, fmt.Sprintf("%v depends on %s already", t.ID, show.IDs(before)))
	}
	return lines
}

// unblocked tells which of the edges are gone, and whether the task waits still.
//
//	Unblocked #3 three (ready now)
//	#3 three no longer depends on #2 (blocked by #1)
//	#3 does not depend on #5
func unblocked(o *outcome, blockers []pawl.ID) (lines []string) {
	t := &o.Result.Tasks[0]
	open, completed, never := edges(o, blockers)
	switch gone := slices.Concat(open, completed); {
	case freed(&o.Result, t.ID):
		lines = append(lines, "Unblocked "+withRemarks(t, append(show.Remarks(t), "ready now")))
	case len(gone) > 0:
		line := show.Name(t) + " no longer depends on " + show.IDs(gone)
		if remarks := show.Remarks(t); len(remarks) > 0 {
			line += " (" + strings.Join(remarks, "; ") + ")"
		}
		lines = append(lines, line)
	}
	if len(never) > 0 {
		lines = append(lines, fmt.Sprintf("%v does not depend on %s", t.ID, show.IDs(never)))
	}
	return lines
}

// edges divides what a task was to be blocked by, or not, into the open and the
// completed ones of which that has changed, and those of which it was so already.
func edges(o *outcome, blockers []pawl.ID) (open, completed, same []pawl.ID) {
	waiter := o.Result.Tasks[0].ID
	for _, id := range blockers {
		i := slices.IndexFunc(o.Result.Changes, func(c pawl.Change) bool {
			return c.ID == id && c.Before != nil && c.After != nil &&
				slices.Contains(c.Before.Blocks, waiter) != slices.Contains(c.After.Blocks, waiter)
		})
		switch {
		case i < 0:
			same = append(same, id)
		case o.Result.Changes[i].After.Open():
			open = append(open, id)
		default:
			completed = append(completed, id)
		}
	}
	return open, completed, same
}
