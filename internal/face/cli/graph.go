package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/view"
)

var graphVerb = verb{
	name:  "graph",
	use:   "[ID] [flags]",
	short: "draw who waits for whom",
	long:  "Draws the open tasks that wait for others or that others wait for, each to the right of all that it waits for; dashes lead from children to their parent. With ID it draws what that task waits for and what waits for it. A graph that does not fit the width of the terminal is listed layer by layer instead.",
	kind:  "graph",
	examples: []string{
		"pawl graph",
		"pawl graph 12 --all --format mermaid",
	},
	max:   1,
	build: buildGraph,
}

func buildGraph(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var q view.GraphQuery
	f := newFilter(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&q.All, "all", false, "completed tasks too")
	flags.IntVar(&q.Depth, "depth", 0, "`N` with ID: at most so many steps away from it")
	as := choice(cmd, "format", "text", "`FORMAT` of the picture, json being the same as --json", "text", "mermaid", "dot", "json")
	return func(ctx context.Context, args []string) error {
		format, err := as()
		switch {
		case err != nil:
			return err
		case a.json && flags.Changed("format") && format != "json":
			return usage("graph", "--json and --format %s ask for two things: give one of them", format)
		case flags.Changed("depth") && (len(args) == 0 || q.Depth < 1):
			return usage("graph", "--depth is a number of steps from a task, from 1 on: pawl graph ID --depth 2")
		}
		a.json = a.json || format == "json"
		if q.Tasks, err = f.query(ctx, a); err != nil {
			return err
		}
		q.Alone = f.chooses()
		if len(args) == 1 {
			if q.Alone {
				return usage("graph", "flags choose tasks, and so does %q: give one of them", args[0])
			}
			ids, err := a.resolve(ctx, args[0])
			if err != nil {
				return err
			}
			if len(ids) > 1 {
				return usage("graph", "graph draws around one task at a time")
			}
			q.Around = ids[0]
		}
		return a.graph(ctx, q, format)
	}
}

func (a *app) graph(ctx context.Context, q view.GraphQuery, format string) error {
	board, err := a.read()
	if err != nil {
		return err
	}
	var g *view.Graph
	var alone int
	if q.Most = mostNodes; !a.json && format == "text" {
		q.Most = mostLines
	}
	facts := &view.Facts{Name: a.name()}
	var answer *view.GraphJSON
	err = board.View(ctx, func(r pawl.Reader) (err error) {
		facts.Now = r.Now()
		if g, alone, err = view.LoadGraph(r, a.name(), q); err == nil && a.json {
			answer, err = g.JSON(r, a.name(), alone, nil)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case a.json:
		answer.Envelope = view.NewEnvelope("graph")
		return a.printJSON(answer)
	case format == "mermaid":
		a.print("%s", g.Mermaid())
	case format == "dot":
		a.print("%s", g.Dot())
	default:
		a.drawGraph(g, facts)
	}
	if err := a.flush(); err != nil {
		return err
	}
	a.aboutGraph(g, q, alone)
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
func (a *app) drawGraph(g *view.Graph, facts *view.Facts) {
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
func (a *app) aboutGraph(g *view.Graph, q view.GraphQuery, alone int) {
	for _, cycle := range g.Cycles {
		a.say("a cycle, in which none can begin: %s; %s explains", view.IDs(cycle), a.command("doctor"))
	}
	switch {
	case a.none:
	case len(g.Nodes) == 0 && q.Alone:
		a.say("no task like that; %s shows all", a.command("graph --all"))
	case len(g.Nodes) == 0 && alone == 0:
		a.say("no task is open; %s shows the completed ones", a.command("graph --all"))
	case len(g.Nodes) == 0:
		a.say("no task waits for another one; %s shows the %s", a.command("list"), text.Count(alone, "task", "tasks"))
	case alone > 0:
		a.say("left out: %s without edges; %s shows them", text.Count(alone, "task", "tasks"), a.command("list"))
	}
}
