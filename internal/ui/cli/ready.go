package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

var readyVerb = verb{
	name:  "ready",
	use:   "[flags]",
	short: "list the tasks that can be claimed now, most urgent first",
	long:  "Lists ready tasks in the order in which claim takes them: the highest priority among the task and the open tasks that depend on it, then the longest chain of these, then the number. If no task is ready, it says why, as does the exit code, the same as claim's: 9, all tasks are completed; 10, others or you are at work; 5, something blocks the rest and nobody works on it.",
	kind:  "tasks",
	examples: []string{
		"pawl ready",
		"pawl ready --label docs --limit 5",
		"pawl ready --why",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		f := newFilter(cmd)
		f.pages(cmd)
		why := cmd.Flags().Bool("why", false, "show only the task that claim would take, and why it comes first")
		return func(ctx context.Context, _ []string) error {
			for _, name := range []string{"limit", "cursor"} {
				if *why && cmd.Flags().Changed(name) {
					return usage("ready", "--why shows one task: leave out --%s", name)
				}
			}
			q, err := f.query(ctx, a)
			if err != nil {
				return err
			}
			q.Ready, q.For, q.Order = true, cmp.Or(q.Owner, a.name()), pawl.ByUrgency
			if *why {
				return a.readyWhy(ctx, q)
			}
			return a.showPage(ctx, query.TasksQuery{Query: q, Why: true}, "")
		}
	},
}

// readyWhy shows the first ready task and why it comes first.
func (a *app) readyWhy(ctx context.Context, q pawl.Query) error {
	q.Limit, q.Brief = 1, !a.json
	found, err := a.tasks(ctx, query.TasksQuery{Query: q, Why: true, Unblocks: true, Edges: a.json})
	if err != nil {
		return err
	}
	if found.Nothing != nil {
		return a.tellPage(&found, query.TasksQuery{}, "")
	}
	first := &found.Page.Tasks[0]
	reason := reasonFor(first, found.Unblocks[first.ID])
	if a.json {
		answer := a.pageJSON(&found)
		answer.Reason = reason
		return a.printJSON(answer)
	}
	a.list(found.Page.Tasks, found.Head, found.Unblocks, "")
	a.print("Why: %s\n", reason.words(first))
	return nil
}

// sayNothing says why nothing is ready, and what would help.
func (a *app) sayNothing(why *pawl.Error) {
	a.say("%s", a.sentence(why))
	if hint := a.hintFor(why); hint != "" {
		a.say("hint: %s", hint)
	}
}
