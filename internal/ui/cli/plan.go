package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var planVerb = verb{
	name:   "plan",
	use:    "FILE [flags]",
	short:  "turn a list into tasks",
	long:   "FILE is Markdown or JSON; - is stdin. Numbered lists, phases and steps run in order, bullets do not; headings and nesting make parents; (after: …) makes dependencies. In JSON you give tasks names of your own. Either all tasks are added or none. The same FILE again is an update: Pawl adds lines that are new, completes tasks whose boxes are ticked, and pawl sync ticks boxes. Pawl recognizes a line by its text below the same heading, or by a task number before the text. An update changes a task's text only if the line has its number and the task is open and unclaimed; it reopens and deletes no task. Without --again, a plan from stdin is refused if the board already has all its open tasks. The last line of output says how Pawl read the plan, and names lines that are not tasks.",
	kind:   "result",
	topics: planTopics,
	examples: []string{
		"pawl plan plan.md --dry-run",
		`echo '[{"ref":"a","subject":"A"},{"subject":"B","blockedBy":["a"]}]' | pawl plan -`,
	},
	min: 1, max: 1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var options plan.Options
		cmd.Flags().BoolVar(&options.Chain, "chain", false, "run everything in the order of the text: headings, and the items right below them")
		cmd.Flags().BoolVar(&options.Parallel, "parallel", false, "ignore the order of numbers, phases and steps; use only (after: …)")
		cmd.Flags().BoolVar(&options.Deep, "deep", false, "in a text with boxes, make nested items without a box tasks, not description")
		under := cmd.Flags().String("under", "", "`ID` split this task: the plan becomes its children")
		again := cmd.Flags().Bool("again", false, "add all tasks again, even if the file was planned before")
		dry := dryRunFlag(cmd)
		return func(ctx context.Context, args []string) error {
			if options.Chain && options.Parallel {
				return usage("plan", "--chain is order and --parallel is none: give one of them")
			}
			if *under != "" {
				if err := a.split(ctx, *under, &options); err != nil {
					return err
				}
			}
			if !options.Chain && !options.Parallel && options.Under == 0 {
				if taken, err := a.takeIn(ctx, args[0], true, *dry); taken {
					return err
				}
			}
			return a.plan(ctx, args[0], options, *again, *dry)
		}
	},
}

// split puts a plan below a task. The parts wait for its blockers, too,
// because a parent does not keep its children from being started.
func (a *app) split(ctx context.Context, id string, options *plan.Options) error {
	under, err := a.one(ctx, id, "plan", "--under takes one task")
	if err != nil {
		return err
	}
	answer, err := asked(ctx, a, query.TaskQuery{Names: []string{under.String()}})
	if err != nil {
		return err
	}
	if fault := answer.Tasks[0].Fault; fault != nil {
		return fault
	}
	options.Under, options.After = under, answer.Tasks[0].Detail.Task.BlockedBy
	return nil
}

func (a *app) plan(ctx context.Context, file string, options plan.Options, again, dry bool) error {
	content, err := a.slurp(file)
	if err != nil {
		return err
	}
	utf, wrong := imports.UTF8(content) // the redirections of some shells write UTF-16
	if wrong == nil {
		content = utf
	}
	if s, ok := a.foreign(file, content); ok {
		if done, err := a.handOver(ctx, s, options, dry); done {
			return err
		}
	}
	if wrong != nil {
		return pawl.Errorf(pawl.Invalid, "the plan %w", wrong)
	}
	s, lasts := a.planSource(file, options)
	var board []pawl.Task
	if lasts && !again {
		if board, err = a.tasksNamed(ctx, checklist.PlanFileBase(&s.input)); err != nil {
			return err
		}
		options.Known = checklist.FromPlanFile(board, &s.input)
	}
	p, err := plan.Parse(content, options)
	if err != nil {
		return err
	}
	if len(p.Tasks) == 0 {
		return usage("plan", "no task found in %q", text.Clip(file, 80))
	}
	if s.format = checklist.PlanFileOf(content, &p); len(options.Known) > 0 {
		r, err := imports.Read(s.format, &s.input)
		if err != nil {
			return err
		}
		return a.bringIn(ctx, s, r, board, dry)
	}
	twice, err := a.planned(ctx, p.Tasks)
	if err != nil {
		return err
	}
	if len(twice) > 0 && !again && !dry {
		return plannedTwice(file, planArgs(file, options), twice)
	}
	if lasts && !again {
		if err := checklist.NamePlanFile(s.format, &s.input, &p); err != nil {
			return err
		}
	}
	o, err := a.addPlan(ctx, p, dry)
	if err != nil {
		return p.Locate(err)
	}
	var warnings []string
	if n := len(o.Twins); len(twice) > 0 && !again {
		warnings = append(warnings, fmt.Sprintf("without --dry-run this is refused: every open task of it is open here already: %s; --again adds them twice", show.IDs(twice)))
	} else if n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s open already under the same subject: %s", text.Count(n, "task is", "tasks are"), show.IDs(o.Twins)))
	}
	if n := len(p.Skipped); n > 0 {
		warnings = append(warnings, fmt.Sprintf("left out, because the plan is too long with them: %s", text.Count(n, "task that is done", "tasks that are done")))
	}
	var undo []pawl.Revision
	if len(warnings) > 0 && !dry {
		undo = undoWith(o.Outcome)
	}
	if p.Checks > 0 && !dry {
		defer a.sayWaiting(o.Result.Tasks) // a file may come from anybody
	}
	understood := understoodOf(p, o.Result.IDs, options, dry)
	if a.json {
		j := o.json("plan")
		j.Warnings, j.Undo, j.Understood = warnings, undo, understood
		return a.printJSON(j)
	}
	if flat := !slices.ContainsFunc(o.Result.Tasks, func(t pawl.Task) bool { return t.Parent != 0 }); flat && a.tabular() {
		a.list(o.Result.Tasks, o.Head, o.Unblocks, "")
	} else {
		a.tree(o.Result.Tasks)
	}
	if err := a.flush(); err != nil {
		return err
	}
	a.say("%s", understood.Summary)
	for _, w := range warnings {
		a.say("%s", w)
	}
	a.sayUndo(o.Head.Origin, undo)
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
	o, _, err := a.carryOut(ctx, board, dry, query.WantTwins, request)
	return o, err
}
