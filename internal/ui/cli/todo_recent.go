package cli

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// How many todo lists stand below tasks, and how many todos of each: pawl todo
// has all of them.
const (
	mostPlans = 3
	mostSteps = 5
)

// recent reads the todo lists that stand beside the tasks. Where that cannot be
// done it is reported, and the tasks are shown without them.
func (a *app) recent(ctx context.Context) todo.Recent {
	t := &todoRun{app: a}
	if a.env.Dir == "" || t.reach() != nil {
		return todo.Recent{} // no command sees lists here: pawl todo says why
	}
	recent, err := t.lists.Recent(ctx, t.ours(), t.keep)
	if err != nil {
		a.once("cannot read the todo lists: %s", t.explain(err))
	}
	for _, problem := range t.lists.Problems() {
		a.once("%s", problem)
	}
	return recent
}

// printPlans prints todo lists behind an indent, the ones that run first.
func (a *app) printPlans(recent *todo.Recent, indent string) {
	now := time.Now()
	plans, running := show.Plans(recent), len(recent.Running)
	for i := range plans {
		p := &plans[i]
		if i >= mostPlans && !p.Finished {
			continue
		}
		if a.screen.on {
			screen := a.screen.Screen
			screen.Width -= len(indent)
			for _, line := range screen.Plan(p, mostSteps, now) {
				a.print("%s%s\n", indent, a.paint.line(line))
			}
			continue
		}
		for _, line := range p.Lines(mostSteps, now) {
			a.print("%s%s\n", indent, line)
		}
	}
	if more := running + recent.More - mostPlans; more > 0 {
		a.print("%sand %s: %s\n", indent, text.Count(more, "more list", "more lists"), a.command("todo sessions"))
	}
}
