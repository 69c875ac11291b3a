package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var agentsVerb = verb{
	name:  "agents",
	short: "show who works on which task, and since when",
	long:  "Prints the claimed tasks of each agent and person, with the start of the claim, its last renewal and the end of its lease, then the assigned tasks. A person's claim has no lease. On a shared board, also prints the agents of other clones, as of the last sync. Then prints the todo lists of running sessions and, for a day, the list finished last.",
	kind:  "agents",
	examples: []string{
		"pawl agents",
		"pawl agents --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, _ []string) error { return a.agents(ctx) }
	},
}

// agentsJSON is the envelope of agents.
type agentsJSON struct {
	wire.Envelope
	Revision pawl.Revision    `json:"revision"`         // of the board
	Agents   []wire.AgentJSON `json:"agents"`           // all that have claimed tasks, by name; on a shared board those of this clone first, then those of each other one
	Shared   *wire.Shared     `json:"shared,omitempty"` // how the board is shared through a git remote; absent: it is not

	TodoLists wire.TodoLists `json:"todoLists"` // of the project's sessions
}

func (a *app) agents(ctx context.Context) error {
	found, err := asked(ctx, a, query.AgentsQuery{})
	if err != nil {
		return err
	}
	agents, now := found.Agents, found.Now
	answer := agentsJSON{Envelope: wire.NewEnvelope("agents"), Revision: found.Revision}
	recent := a.recent(ctx)
	if !recent.Empty() {
		a.none = false // a board is not what is missing
	}
	switch {
	case a.json:
		answer.Agents, answer.TodoLists, answer.Shared = wire.NewAgents(agents, now), wire.NewTodoLists(&recent), wire.NewShared(found.Shared, now)
		return a.printJSON(answer)
	case len(agents) == 0 && !a.none && recent.Empty():
		a.say("nobody has a task; %s shows what can be worked on", a.command("ready"))
	case a.screen.on:
		for _, line := range a.screen.Agents(agents, now, found.Shared) {
			a.print("%s\n", a.paint.line(line))
		}
	default:
		for _, line := range show.AgentLines(agents, now, found.Shared) {
			a.print("%s\n", line)
		}
	}
	a.printPlans(&recent, "")
	a.tellShared(found.Shared, now)
	return nil
}
