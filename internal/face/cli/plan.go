package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/view"
)

var planVerb = verb{
	name:   "plan",
	use:    "FILE [flags]",
	short:  "add a whole graph of tasks at once",
	long:   "FILE is a Markdown checklist, where nesting makes parents and (after: …) makes edges, or JSON, where tasks have names of your own; - is stdin. All of it is added, or nothing.",
	kind:   "result",
	topics: planTopics,
	examples: []string{
		"pawl plan plan.md",
		`echo '[{"ref":"a","subject":"A"},{"subject":"B","blockedBy":["a"]}]' | pawl plan -`,
	},
	min: 1, max: 1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var options plan.Options
		cmd.Flags().BoolVar(&options.Chain, "chain", false, "each item of the top level waits for the one before")
		return func(ctx context.Context, args []string) error { return a.plan(ctx, args[0], options) }
	},
}

func (a *app) plan(ctx context.Context, file string, options plan.Options) error {
	text, err := a.slurp(file)
	if err != nil {
		return err
	}
	p, err := plan.Parse(text, options)
	if err != nil {
		return err
	}
	for _, subject := range p.Skipped {
		a.say("left out, for it is done already: %s", subject)
	}
	if len(p.Tasks) == 0 {
		return usage("plan", "there is no task in %q", view.Clip(file, 80))
	}
	board, result, err := a.create(ctx, pawl.Create{Tasks: p.Tasks})
	if err != nil {
		return p.Locate(err)
	}
	if a.json {
		return a.tell(ctx, "plan", "Added", board, result)
	}
	return a.listNow(ctx, board, result.Tasks)
}
