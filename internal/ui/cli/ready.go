package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
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
			if name := anyOf(cmd, "limit", "cursor"); *why && name != "" {
				return usage("ready", "--why shows one task: leave out --%s", name)
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

// reason is why a task comes first.
type reason struct {
	Urgency  wire.Level `json:"urgency"`        // the highest priority among it and the open tasks that wait for it
	Unblocks int        `json:"unblocks"`       // number of open tasks that wait for it, directly or not
	More     bool       `json:"more,omitempty"` // there are more: counting stopped there
	Chain    int        `json:"chain"`          // length of their longest chain
}

// reasonFor says why a task comes first for which so many others wait.
func reasonFor(t *pawl.Task, unblocks int) *reason {
	return &reason{
		Urgency: wire.Level(t.Urgency.String()), Unblocks: min(unblocks, query.MostUnblocked), More: unblocks > query.MostUnblocked, Chain: t.Height,
	}
}

func (w *reason) words(t *pawl.Task) string {
	var parts []string
	switch {
	case t.Urgency > t.Priority:
		parts = append(parts, "a "+string(w.Urgency)+" priority task waits for it")
	case t.Priority == pawl.High:
		parts = append(parts, "high priority")
	}
	if w.Unblocks > 0 {
		count := fmt.Sprintf("unblocks %d", w.Unblocks)
		if w.More {
			count += "+"
		}
		// The chain begins with the task itself, as in a graph.
		parts = append(parts, count, fmt.Sprintf("longest chain %d tasks", w.Chain+1))
	}
	if len(parts) == 0 {
		parts = []string{"nothing waits for it, and nothing more urgent is ready"}
	}
	return strings.Join(parts, ", ")
}

// sayNothing says why nothing is ready, and what would help.
func (a *app) sayNothing(why *pawl.Error) {
	a.say("%s", a.sentence(why))
	if hint := a.hintFor(why); hint != "" {
		a.say("hint: %s", hint)
	}
}
