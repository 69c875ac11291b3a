package cli

import (
	"context"
	"fmt"
	"slices"

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
	done, err := a.addPlan(ctx, p, dry)
	if err != nil {
		return p.Locate(err)
	}
	var warnings []string
	if n := len(done.twins); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s open already under the same subject: %s", text.Count(n, "task is", "tasks are"), say.IDs(done.twins)))
	}
	var undo []pawl.Revision
	if len(warnings) > 0 && !dry {
		undo = undoWith(done.result)
	}
	if a.json {
		j := done.json("plan")
		j.Warnings, j.Undo = warnings, undo
		return a.printJSON(j)
	}
	a.list(done.result.Tasks, done.facts, "")
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

// planned is what came of a plan.
type planned struct {
	outcome
	facts *ask.Facts // for a terminal
	twins []pawl.ID  // open tasks that were there, under subjects of the plan
}

// addPlan adds the tasks of a plan, or with dry only finds out what would come
// of it.
func (a *app) addPlan(ctx context.Context, p plan.Plan, dry bool) (planned, error) {
	requests := []pawl.Request{{By: a.caller().Actor, Op: pawl.Create{Tasks: p.Tasks}}}
	board, err := a.boardFor(ctx, dry, requests...)
	if err != nil {
		return planned{}, err
	}
	var done planned
	look := func(r pawl.Reader, results []pawl.Result, failed error) (err error) {
		done = planned{outcome: outcome{result: results[0], dry: dry}}
		if failed != nil {
			return pawl.ErrorAt(failed, 0)
		}
		if done.facts, err = a.facts(r, done.result.Tasks); err != nil {
			return err
		}
		if done.twins, err = twins(r, done.result); err != nil {
			return err
		}
		return done.read(a, r)
	}
	if dry {
		err = board.Preview(ctx, requests, look)
		return done, err
	}
	var failed error
	results, err := board.DoThen(ctx, requests, func(r pawl.Reader, results []pawl.Result, err error) { failed = look(r, results, err) })
	if err != nil {
		return done, pawl.ErrorAt(err, 0)
	}
	done.result = results[0]
	return done, failed
}

// mostTwins bounds the open tasks that a plan is compared with: this is a
// courtesy, and must not be felt.
const mostTwins = 5_000

// twins finds open tasks that are called like those that a request made.
func twins(r pawl.Reader, made pawl.Result) ([]pawl.ID, error) {
	subjects := map[string]bool{}
	for _, t := range made.Tasks {
		subjects[t.Subject] = true
	}
	var found []pawl.ID
	seen := 0
	for q := (pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Brief: true}); seen < mostTwins; {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tasks {
			if subjects[t.Subject] && !slices.Contains(made.IDs, t.ID) {
				found = append(found, t.ID)
			}
		}
		seen += len(page.Tasks)
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	return found, nil
}
