package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
)

var planVerb = verb{
	name:   "plan",
	use:    "FILE [flags]",
	short:  "add a plan: many tasks with dependencies",
	long:   "FILE is a Markdown checklist or JSON; - is stdin. In Markdown, nesting makes children, and (after: …) makes dependencies; in JSON you give tasks names of your own. Either all tasks are added or none.",
	kind:   "result",
	topics: planTopics,
	examples: []string{
		"pawl plan plan.md --dry-run",
		`echo '[{"ref":"a","subject":"A"},{"subject":"B","blockedBy":["a"]}]' | pawl plan -`,
	},
	min: 1, max: 1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var options plan.Options
		cmd.Flags().BoolVar(&options.Chain, "chain", false, "make each top-level item depend on the one before")
		dry := dryRunFlag(cmd)
		return func(ctx context.Context, args []string) error { return a.plan(ctx, args[0], options, *dry) }
	},
}

func (a *app) plan(ctx context.Context, file string, options plan.Options, dry bool) error {
	content, err := a.slurp(file)
	if err != nil {
		return err
	}
	p, err := plan.Parse(content, options)
	if err != nil {
		return err
	}
	for _, subject := range p.Skipped {
		a.say("left out, because it is done: %s", subject)
	}
	if len(p.Tasks) == 0 {
		return usage("plan", "no task found in %q", text.Clip(file, 80))
	}
	o, err := a.addPlan(ctx, p, dry)
	if err != nil {
		return p.Locate(err)
	}
	var warnings []string
	if n := len(o.Twins); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s open already under the same subject: %s", text.Count(n, "task is", "tasks are"), say.IDs(o.Twins)))
	}
	var undo []pawl.Revision
	if len(warnings) > 0 && !dry {
		undo = undoWith(o.Outcome)
	}
	if a.json {
		j := o.json("plan")
		j.Warnings, j.Undo = warnings, undo
		return a.printJSON(j)
	}
	a.list(o.Result.Tasks, a.facts(o.Head, o.Unblocks), "")
	if err := a.flush(); err != nil {
		return err
	}
	if dry {
		a.say("dry run: nothing was written")
	}
	for _, w := range warnings {
		a.say("%s", w)
	}
	a.sayUndo(undo)
	return nil
}

// addPlan adds the tasks of a plan, or with dry only finds out what would come
// of it.
func (a *app) addPlan(ctx context.Context, p plan.Plan, dry bool) (outcome, error) {
	request := pawl.Request{By: a.caller().Actor, Op: pawl.Create{Tasks: p.Tasks}}
	board, err := a.boardFor(ctx, dry, request)
	if err != nil {
		return outcome{}, err
	}
	want := ask.WantTwins
	if a.tabular() {
		want |= ask.WantUnblocks
	}
	o, _, err := a.carryOut(ctx, board, dry, want, request)
	return o, err
}
