package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

var statusVerb = verb{
	name:  "status",
	short: "show the board's status; pawl alone does the same",
	long:  "Shows the number of tasks in each state, the tasks in progress and the next ready ones. Below follow the todo lists of running sessions and, for a day, the one finished last.",
	kind:  "status",
	examples: []string{
		"pawl status",
		"pawl status --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error { return a.status(ctx) }
	},
}

// How many tasks status names, so that all of it is ten lines.
const (
	mostWorking = 3
	mostReady   = 3
)

// statusJSON is the envelope of status.
type statusJSON struct {
	wire.Envelope
	Board    string        `json:"board"`              // its folder, or the one that would be made
	Exists   bool          `json:"exists"`             // the project has a board
	Revision pawl.Revision `json:"revision,omitempty"` // of the board, when it was read
	Counts   statusCounts  `json:"counts"`             // number of tasks
	Working  []wire.Task   `json:"working"`            // the first few in progress, most urgent first
	Ready    []wire.Task   `json:"ready"`              // the first few that are ready, most urgent first

	TodoLists wire.TodoLists `json:"todoLists"` // of the project's sessions
}

// statusCounts is the number of tasks in each state; a task on hold that also
// waits counts twice, and a damaged one in the state that was last known of it.
type statusCounts struct {
	Open       int `json:"open"`       // not completed
	Ready      int `json:"ready"`      // can be claimed by the caller now
	InProgress int `json:"inProgress"` // in progress
	Blocked    int `json:"blocked"`    // pending, and waiting for a blocker or a child
	Held       int `json:"held"`       // on hold
	Completed  int `json:"completed"`  // done
	Damaged    int `json:"damaged"`    // their files cannot be read; never ready or blocked, but the tasks that wait for them are blocked
}

func (a *app) status(ctx context.Context) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	answer := statusJSON{
		Envelope: wire.NewEnvelope("status"), Board: place.Dir, Exists: place.Exists,
		Working: []wire.Task{}, Ready: []wire.Task{},
	}
	recent := a.recent(ctx)
	answer.TodoLists = wire.NewTodoLists(&recent)
	if !place.Exists {
		if a.json {
			return a.printJSON(answer)
		}
		if !recent.Empty() {
			a.print("No tasks here yet: %s\n", a.command(`add "first task"`))
			a.somePlans(&recent)
			return nil
		}
		a.print("No board exists here yet. Three ways to begin:\n")
		a.print("  %-24sadd a task, which makes the board\n", a.command(`add "first task"`))
		a.print("  %-24sadd a plan: a Markdown checklist or JSON\n", a.command("plan plan.md"))
		a.print("  %-24swatch agents complete a plan, in a temporary folder\n", "pawl demo")
		a.print("All verbs: pawl help\n")
		return nil
	}
	found, err := asked(ctx, a, ask.OverviewQuery{Working: mostWorking, Ready: mostReady, Edges: a.json, Unblocks: a.tabular()})
	if err != nil {
		return err
	}
	answer.Revision, answer.Counts = found.Revision, statusCounts(found.Counts)
	if a.json {
		answer.Working = wire.TasksOf(a.name(), found.Working, found.Waiting)
		answer.Ready = wire.TasksOf(a.name(), found.Ready, found.Waiting)
		return a.printJSON(answer)
	}
	n := &answer.Counts
	if n.Damaged > 0 {
		a.print("%s\n", a.paint.as(red, fmt.Sprintf("%d damaged: %s", n.Damaged, a.command("doctor"))))
	}
	a.print("%s: %s, %d completed\n", text.Line(place.Dir), text.Count(n.Open, "open task", "open tasks"), n.Completed)
	a.print("%d ready, %d in progress, %d blocked, %d on hold\n", n.Ready, n.InProgress, n.Blocked, n.Held)
	facts := a.facts(found.Head, found.Unblocks)
	a.some("In progress", found.Working, n.InProgress, facts)
	a.some("Ready", found.Ready, n.Ready, facts)
	a.somePlans(&recent)
	if err := a.flush(); err != nil {
		return err
	}
	switch {
	case n.Ready > 0:
		a.say("hint: %s", a.command("claim"))
	case n.Open > 0:
		a.say("hint: %s", a.command("list"))
	case n.Completed > 0:
		a.say("all tasks are completed; hint: %s", a.command(`add "next task"`))
	default:
		a.say("hint: %s", a.command(`add "first task"`))
	}
	return nil
}

// somePlans prints todo lists under a title.
func (a *app) somePlans(recent *todo.Recent) {
	if !recent.Empty() {
		a.print("%s\n", a.paint.as(bold, "Todo lists"))
		a.printPlans(recent, "  ")
	}
}

// some prints tasks under a title that says how many there are in all.
func (a *app) some(title string, tasks []pawl.Task, total int, facts *ask.Facts) {
	if total == 0 {
		return
	}
	if total > len(tasks) {
		title += fmt.Sprintf(" (%d more)", total-len(tasks))
	}
	a.print("%s\n", a.paint.as(bold, title))
	a.list(tasks, facts, "  ")
}
