package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var graphVerb = verb{
	name:  "graph",
	use:   "[ID] [flags]",
	short: "draw the graph of dependencies",
	long:  "Draws the open tasks that have dependencies, each to the right of the tasks that it depends on; dashed lines lead from children to their parent. With ID, draws what that task depends on and what depends on it. If the graph is too wide for the terminal, lists it layer by layer.",
	kind:  "graph",
	examples: []string{
		"pawl graph",
		"pawl graph 12 --all --format mermaid",
	},
	max:   1,
	build: buildGraph,
}

func buildGraph(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var q query.GraphQuery
	f := newFilter(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&q.All, "all", false, "include completed tasks")
	flags.IntVar(&q.Depth, "depth", 0, "`N` with ID: only tasks at most N steps away")
	as := choice(cmd, "format", "text", "`FORMAT` output format (json is the same as --json)", "text", "mermaid", "dot", "json")
	return func(ctx context.Context, args []string) error {
		format, err := as()
		switch {
		case err != nil:
			return err
		case a.json && flags.Changed("format") && format != "json":
			return usage("graph", "--json and --format %s contradict each other: give one of them", format)
		case flags.Changed("depth") && (len(args) == 0 || q.Depth < 1):
			return usage("graph", "--depth needs a task, and is at least 1: pawl graph ID --depth 2")
		}
		a.json = a.json || format == "json"
		if q.Tasks, err = f.query(ctx, a); err != nil {
			return err
		}
		q.Alone = f.chooses() != ""
		if len(args) == 1 {
			if q.Alone {
				return usage("graph", "flags and %q both choose tasks: give one of them", args[0])
			}
			if q.Around, err = a.one(ctx, args[0], "graph", "graph draws around one task at a time"); err != nil {
				return err
			}
		}
		return a.graph(ctx, q, format)
	}
}

func (a *app) graph(ctx context.Context, q query.GraphQuery, format string) error {
	if q.Most, q.Waits = mostNodes, a.json; !a.json && format == "text" {
		q.Most = mostLines
	}
	found, err := asked(ctx, a, q)
	if err != nil {
		return err
	}
	if a.json {
		answer := wire.GraphOf(a.name(), &found)
		answer.Envelope = wire.NewEnvelope("graph")
		return a.printJSON(answer)
	}
	g := show.NewGraph(found.Tasks, found.Missing, a.name())
	g.Around = q.Around
	switch {
	case format == "mermaid":
		a.print("%s", g.Mermaid())
	case format == "dot":
		a.print("%s", g.Dot())
	default:
		a.drawGraph(g, &query.Facts{Name: a.name(), Now: found.Now, Shared: found.Shared})
	}
	if err := a.flush(); err != nil {
		return err
	}
	a.aboutGraph(g, q, found.Alone)
	return nil
}

// leastChain is the shortest chain worth being called the longest one.
const leastChain = 3

// How many tasks a graph may have: more lines than that nobody follows, and a
// program that lays out more of them takes more memory than a command should,
// 90 MiB.
const (
	mostLines = 5_000
	mostNodes = 20_000
)

// widePipe is how wide a drawing may be that goes into a pipe: there is no edge
// of a terminal to cut it at, and a subject has room.
const widePipe = 1000

// drawGraph draws the graph, and says which chain is the longest.
func (a *app) drawGraph(g *show.Graph, facts *query.Facts) {
	sc := a.screen.Screen
	if !a.screen.on && a.env.Getenv("COLUMNS") == "" {
		sc.Width = widePipe
	}
	for _, line := range sc.Graph(g, facts) {
		a.print("%s\n", a.paint.line(line))
	}
	if len(g.Chain) < leastChain {
		return
	}
	arrow := " → "
	if !a.screen.Unicode {
		arrow = " > "
	}
	names := make([]string, len(g.Chain))
	for i, id := range g.Chain {
		names[i] = id.String()
	}
	head := fmt.Sprintf("Longest chain, %d tasks: ", len(g.Chain))
	a.print("\n%s\n", sc.Fit(head+strings.Join(names, arrow), sc.Width))
}

// aboutGraph says what a drawing does not show.
func (a *app) aboutGraph(g *show.Graph, q query.GraphQuery, alone int) {
	for _, cycle := range g.Cycles {
		a.say("a cycle, in which no task can start: %s; %s explains it", show.IDs(cycle), a.command("doctor"))
	}
	switch {
	case a.none:
	case len(g.Nodes) == 0 && q.Alone:
		a.say("no task matches; %s shows all", a.command("graph --all"))
	case len(g.Nodes) == 0 && alone == 0:
		a.say("no task is open; %s shows the completed ones", a.command("graph --all"))
	case len(g.Nodes) == 0:
		a.say("no task depends on another; %s shows the %s", a.command("list"), text.Count(alone, "task", "tasks"))
	case alone > 0:
		a.say("left out: %s without dependencies; %s shows them", text.Count(alone, "task", "tasks"), a.command("list"))
	}
}
