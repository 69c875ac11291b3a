package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

var readyVerb = verb{
	name:  "ready",
	use:   "[flags]",
	short: "list the tasks that can be claimed now, most urgent first",
	long:  "Lists ready tasks in the order in which claim takes them: priority, then the longest chain of tasks that depend on it, then number. If none is ready it says why: all tasks are completed, others are at work, or something blocks the rest.",
	kind:  "tasks",
	examples: []string{
		"pawl ready",
		"pawl ready --label docs --limit 5",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		f := newFilter(cmd)
		f.pages(cmd)
		return func(ctx context.Context, _ []string) error {
			q, err := f.query(ctx, a)
			if err != nil {
				return err
			}
			q.Ready, q.For, q.Order = true, cmp.Or(q.Owner, a.name()), pawl.ByUrgency
			return a.showPage(ctx, ask.TasksQuery{Query: q, Why: true}, "")
		}
	},
}

// sayNothing says why nothing is ready, and what would help.
func (a *app) sayNothing(why *pawl.Error) {
	a.say("%s", a.sentence(why))
	if hint := a.hintFor(why); hint != "" {
		a.say("hint: %s", hint)
	}
}
