package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var showVerb = verb{
	name:  "show",
	use:   "ID",
	short: "show a task in full",
	long:  "Shows the task's texts, its dependencies in both directions, its children and its owner. ID is a number (12 or #12), the name that the task had in the tracker it was imported from, or words of its subject, if only one task has them.",
	kind:  "task",
	examples: []string{
		"pawl show 12",
		"pawl show retry hooks",
		"pawl show bv-2a4 --json",
	},
	min: 1, max: -1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error {
			if len(args) > 1 {
				if _, err := pawl.ParseID(args[0]); err == nil {
					return usage("show", "show is for one task: leave out %q", args[1])
				}
			}
			return a.showTask(ctx, strings.Join(args, " "))
		}
	},
}

// taskJSON is the envelope of one task.
type taskJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`         // of the board, when it was read
	Task     wire.Task     `json:"task"`             // the task
	Checks   []lookedJSON  `json:"checks,omitempty"` // what this clone knows of the task's checks, and of those that the project asks
	Once     []query.Brief `json:"once,omitempty"`   // tasks that had its number until merges with other branches gave them others
	Shared   *wire.Shared  `json:"shared,omitempty"` // how the board is shared through a git remote; absent: it is not
}

func (a *app) showTask(ctx context.Context, name string) error {
	answer, err := asked(ctx, a, query.TaskQuery{Names: []string{name}})
	if err != nil {
		return err
	}
	found := &answer.Tasks[0]
	if _, isID := pawl.ParseID(name); found.Fault != nil && found.Fault.Kind == pawl.NotFound && isID != nil {
		tasks, _, err := a.titled(ctx, name)
		switch {
		case err != nil:
			return err
		case len(tasks) == 1:
			return a.showTask(ctx, tasks[0].ID.String())
		case len(tasks) > 1:
			return fitting(name, tasks)
		}
	}
	switch {
	case found.Fault != nil:
		return found.Fault
	case a.json:
		task := wire.TasksOf(a.name(), []pawl.Task{found.Detail.Task}, answer.Waiting)[0]
		shown := taskJSON{Envelope: wire.NewEnvelope("task"), Revision: answer.Revision, Task: task, Shared: wire.NewShared(answer.Shared, answer.Now)}
		shown.Checks = checksJSON(a.known(ctx, &found.Detail.Task))
		for _, name := range a.lost(&found.Detail.Task) {
			shown.Checks = append(shown.Checks, lookedJSON{Check: name, State: "lost"})
		}
		shown.Once = briefs(found.Detail.Once)
		return a.printJSON(shown)
	}
	a.detail(ctx, "", found.Detail, &query.Facts{Name: a.name(), Zone: a.screen.zone(), Now: answer.Now, Shared: answer.Shared})
	return nil
}

// mostTailLines is how much of what a failed check printed is below it.
const mostTailLines = 10

// shownChecks are the checks of a task, with what this clone knows of them and those that
// the task lost.
func (a *app) shownChecks(ctx context.Context, t *pawl.Task, clock show.Clock) []show.Shown {
	var shown []show.Shown
	for _, l := range a.known(ctx, t) {
		s := l.Line(clock)
		if s.Is == pawl.CheckedFailed {
			lines := show.TailLines(l.Tail)
			s.Tail = lines[max(0, len(lines)-mostTailLines):]
		}
		shown = append(shown, s)
	}
	for _, name := range a.lost(t) {
		shown = append(shown, show.Shown{Is: pawl.CheckedFailed, What: text.Line(name), Last: "needed, and taken away since a person here trusted it: pawl trust checks agrees to that, in an open task"})
	}
	return shown
}

// known is what this clone knows of a task's checks. Where it cannot find out what has
// changed, it is what the task says.
func (a *app) known(ctx context.Context, t *pawl.Task) []show.Looked {
	look, _ := a.looked()
	all, err := look(ctx, t, true)
	if err != nil {
		return show.Claimed(t)
	}
	return show.AndOthers(all, t)
}

// lost are the checks that a task needed here and was parted from, before it was completed
// or after.
func (a *app) lost(t *pawl.Task) []string {
	service, err := a.checks()
	if err != nil {
		return nil
	}
	names, _ := service.Lost(t)
	return names
}

// lookedJSON is what this clone knows of a check.
type lookedJSON struct {
	Check   string `json:"check"`             // what it is called
	State   string `json:"state"`             // open: it has not run; passed, failed; stale: it has passed on other files than those that are there now; lost: the task needed it, and somebody took it away
	Project bool   `json:"project,omitempty"` // the project asks it, not the task
	Seen    bool   `json:"seen"`              // this clone has seen the last run; else the task's file claims it
	Trusted bool   `json:"trusted"`           // it may run here
	Tail    string `json:"tail,omitempty"`    // of a check that failed here: the end of what it printed, with secrets masked
}

func checksJSON(all []show.Looked) []lookedJSON {
	var out []lookedJSON
	for i := range all {
		l := &all[i]
		j := lookedJSON{Check: l.Check.Name, State: string(l.Is()), Project: l.Project, Seen: l.Seen, Trusted: !l.Waits && len(l.Check.Run) > 0}
		if l.Stale {
			j.State = string(checks.Stale)
		}
		if l.Is() == pawl.CheckedFailed {
			j.Tail = l.Tail
		}
		out = append(out, j)
	}
	return out
}
