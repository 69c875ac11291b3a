package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

var statusVerb = verb{
	name:  "status",
	short: "show the board's status; pawl alone does the same",
	long:  "Shows what needs a person, who works on what and how far they are, and what is ready. If no tasks exist, it says how to begin. Then it shows the todo lists of running sessions that work on no task here.",
	kind:  "status",
	examples: []string{
		"pawl status",
		"pawl status --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error { return a.status(ctx) }
	},
}

// How many tasks status names, so that all of it is some ten lines.
const (
	mostWorking = 3
	mostReady   = 3
	mostHeld    = 3
	mostUnshown = 3
)

// statusJSON is the envelope of status.
type statusJSON struct {
	wire.Envelope
	Board    string        `json:"board"`              // its folder, or the one that would be made, or its address
	As       string        `json:"as,omitempty"`       // at an address: the name of the caller's token
	Exists   bool          `json:"exists"`             // the project has a board
	Revision pawl.Revision `json:"revision,omitempty"` // of the board, when it was read
	Counts   query.Counts  `json:"counts"`             // number of tasks
	Working  []wire.Task   `json:"working"`            // the first few in progress, most urgent first
	Ready    []wire.Task   `json:"ready"`              // the first few that are ready, most urgent first
	Held     []wire.Task   `json:"held"`               // the first few on hold, which need a person, most urgent first
	Cycles   [][]pawl.ID   `json:"cycles,omitempty"`   // the tasks of each cycle of dependencies that git or another program has made; the next change cuts one of them
	Unshown  []wire.Task   `json:"unshown,omitempty"`  // the first few completed tasks that are not shown to be done, the newest first
	Last     *lastDone     `json:"last,omitempty"`     // the task completed last, if all are completed
	Git      *statusGit    `json:"git,omitempty"`      // how it stands with git, where a merge is due
	Shared   *wire.Shared  `json:"shared,omitempty"`   // how it is shared through a git remote; absent: it is not
	Found    *foundJSON    `json:"found,omitempty"`    // what the project has to begin with, if it has no tasks

	TodoLists wire.TodoLists `json:"todoLists"` // of the project's sessions
}

// lastDone is the task that was completed last.
type lastDone struct {
	ID      pawl.ID     `json:"id"`              // its number
	Subject string      `json:"subject"`         // one line
	Owner   string      `json:"owner,omitempty"` // who had it
	At      wire.Moment `json:"at,omitempty"`    // when it was completed
}

func (a *app) status(ctx context.Context) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	answer := statusJSON{
		Envelope: wire.NewEnvelope("status"), Board: place.Where(), Exists: place.Exists,
		Working: []wire.Task{}, Ready: []wire.Task{}, Held: []wire.Task{},
	}
	recent := a.recent(ctx)
	answer.TodoLists = wire.NewTodoLists(&recent)
	var found query.Overview
	var git *merge.State
	if place.Exists {
		git = a.withGit(ctx, place.Dir)
		q := query.OverviewQuery{Working: mostWorking, Ready: mostReady, Held: mostHeld, Merging: mostHeld, Unshown: mostUnshown, Last: true, Edges: a.json, Unblocks: a.tabular()}
		archive, err := a.archiveAfter()
		if err != nil {
			return err
		}
		if found, err = askedFor(ctx, a, archive, q); err != nil {
			return err
		}
	}
	if place.Distant() {
		answer.As = a.name()
	}
	answer.Cycles = found.Cycles
	answer.Revision, answer.Counts = found.Revision, found.Counts
	none := found.Counts.Open+found.Counts.Completed+found.Counts.Archived+found.Counts.Damaged == 0
	if a.json {
		answer.Git = a.gitJSON(git)
		answer.Shared = wire.NewShared(found.Shared, found.Now)
		if none {
			answer.Found = a.found().json()
		}
		if t := found.Last; t != nil {
			answer.Last = &lastDone{t.ID, t.Subject, t.Owner, wire.Time(t.CompletedAt)}
		}
		answer.Working = wire.TasksOf(a.name(), found.Working, found.Waiting)
		answer.Ready = wire.TasksOf(a.name(), found.Ready, found.Waiting)
		answer.Held = wire.TasksOf(a.name(), found.Held, found.Waiting)
		answer.Unshown = wire.TasksOf(a.name(), found.Unshown, found.Waiting)
		return a.printJSON(answer)
	}
	if place.Distant() {
		a.print("%s\n", a.paint.as(faint, fmt.Sprintf("%s, as %s", place.Address, text.Line(a.name()))))
	}
	switch {
	case none && len(recent.Running) == 0:
		a.begin(&recent)
	case none:
		a.onlyTodos(&recent)
		a.noNudges()
	default:
		a.stand(ctx, &place, &found, &recent, git)
	}
	a.tellShared(found.Shared, found.Now)
	if runs := a.seenRuns(ctx); runs != nil {
		if st, ever := runs.Status(); ever {
			a.tellRun(&st)
		}
	}
	if err := a.flush(); err != nil {
		return err
	}
	a.tellGit(git)
	return nil
}

// somePlans prints todo lists under a title.
func (a *app) somePlans(recent *todo.Recent) {
	if !recent.Empty() {
		a.print("%s\n", a.paint.as(bold, "Todo lists"))
		a.printPlans(recent, "  ")
	}
}
