package cli

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var setupVerb = verb{
	name:  "setup",
	use:   "[AGENT...] [flags]",
	short: "set up agents to use Pawl",
	long: "Writes the agent's configuration: the MCP server, the hooks, a skill and, if the agent supports them, chat commands, a status line and the permission to call Pawl's tools. It first shows which files change, line by line with --diff, and asks; without a terminal it needs --yes. The rest of each file stays as it is, comments included. An agent is set up completely or not at all, and a second run changes nothing. pawl uninstall undoes it.\n\n" +
		"Sets up your own files, for all projects, unless --project is given. Without an agent's name it lists the agents. pawl doctor checks those that are set up.",
	kind: "setup",
	examples: []string{
		"pawl setup claude --dry-run",
		"pawl setup --all --yes",
	},
	max:   -1,
	build: buildSetup,
}

// installing are the flags of setup and uninstall.
type installing struct {
	*app
	verb               string
	all, project, user bool
	dry, yes, block    bool
	diff               bool
	desk               *setup.Desk
	root               string
}

func newInstalling(a *app, cmd *cobra.Command) *installing {
	i := &installing{app: a, verb: cmd.Name()}
	flags := cmd.Flags()
	flags.BoolVar(&i.project, "project", false, "change the files of this project, which others may receive with it")
	flags.BoolVar(&i.user, "user", false, "change your own files, for all projects")
	flags.BoolVar(&i.dry, "dry-run", false, "show the changes line by line, without making them")
	flags.BoolVar(&i.diff, "diff", false, "show the changes line by line before asking")
	flags.BoolVarP(&i.yes, "yes", "y", false, "do not ask for confirmation")
	return i
}

func buildSetup(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	i := newInstalling(a, cmd)
	cmd.Flags().BoolVar(&i.all, "all", false, "set up all agents whose folders exist")
	cmd.Flags().BoolVar(&i.block, "agents-md", false, "also mention the board in the project's AGENTS.md")
	return func(ctx context.Context, names []string) error {
		if err := i.begin(names); err != nil {
			return err
		}
		if len(names) == 0 && !i.all && !i.block {
			return i.list()
		}
		if i.all {
			if names = i.desk.Used(i.setup("").Scope); len(names) == 0 {
				e := pawl.Errorf(pawl.NotFound, "found no agent that Pawl can set up")
				e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl setup claude"}
				return e
			}
		}
		var setups []setup.Setup
		for _, name := range names {
			setups = append(setups, i.setup(name))
		}
		if i.block && !slices.Contains(names, setup.AgentsMD) {
			names = append(names, setup.AgentsMD)
			setups = append(setups, i.setup(setup.AgentsMD))
		}
		plan, err := i.desk.Setup(setups)
		if err != nil {
			return err
		}
		if err := i.carryOut(ctx, plan, names); err != nil {
			return err
		}
		if board, err := a.project().Board(); err == nil && board.Exists && !i.dry {
			_ = a.env.Prepare(board.Dir) // it only makes reading faster
		}
		return nil
	}
}

// begin finds out what the plans depend on.
func (i *installing) begin(names []string) error {
	switch {
	case i.project && i.user:
		return usage(i.verb, "--project and --user contradict each other: give one of them")
	case i.all && len(names) > 0:
		return usage(i.verb, "--all and %s contradict each other: give one of them", names[0])
	}
	a := i.app
	home := a.env.Getenv("HOME")
	if runtime.GOOS == "windows" && home == "" {
		home = a.env.Getenv("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		e := pawl.Errorf(pawl.NotFound, "HOME is not set, so your agents cannot be found")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "set HOME to your folder"}
		return e
	}
	i.desk = a.agentsDesk(home)
	root, err := a.project().Root()
	if err != nil {
		return err
	}
	if home, _ := filepath.EvalSymlinks(home); i.project && home == root {
		return usage(i.verb, "%s is your home folder, not a project: use --user", text.Line(root))
	}
	i.root = root
	return nil
}

// agentsDesk is where setups are planned and looked at.
func (a *app) agentsDesk(home string) *setup.Desk {
	d := &setup.Desk{Getenv: a.env.Getenv, OS: runtime.GOOS, Home: home}
	d.Choose(a.env.Program(), a.env.Started)
	return d
}

func (i *installing) setup(name string) setup.Setup {
	if i.project || name == setup.AgentsMD {
		return i.desk.ForProject(name, i.root)
	}
	return i.desk.ForUser(name)
}

// suggestAgents are for the verbs that are about agents' programs; the flag of
// others is about a subagent, which has any name.
func suggestAgents(_ *app, v verb, _ context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	if v.name == setupVerb.name || v.name == uninstallVerb.name {
		for _, agent := range setup.Agents() {
			if strings.HasPrefix(agent.Name, begun) && !slices.Contains(args, agent.Name) {
				found = append(found, cobra.CompletionWithDesc(agent.Name, agent.Title))
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// list shows the agents that there are.
func (i *installing) list() error {
	items, err := i.agents(nil)
	if err != nil {
		return err
	}
	if i.json {
		return i.printJSON(setupJSON{wire.NewEnvelope("setup"), false, false, items, []fileItem{}, []noteItem{}, []noteItem{}})
	}
	for _, item := range items {
		state := ""
		switch {
		case len(item.Setup) > 0:
			state = "set up: " + strings.Join(item.Setup, ", ")
		case item.Used:
			state = "used here"
		}
		i.print("%s\n", strings.TrimRight(draw.Pad(item.Agent, 9)+"  "+draw.Pad(item.Title, 12)+"  "+text.Line(state), " "))
	}
	return nil
}

// agents are those with the names, or all.
func (i *installing) agents(names []string) ([]agentItem, error) {
	record, err := i.desk.Record()
	if err != nil {
		return nil, err
	}
	setups := append(record.Setups, i.desk.Found(i.root)...)
	used := i.desk.Used(setup.User)
	items := []agentItem{}
	for _, agent := range setup.Agents() {
		if names != nil && !slices.Contains(names, agent.Name) {
			continue
		}
		item := agentItem{Agent: agent.Name, Title: agent.Title, Used: slices.Contains(used, agent.Name)}
		for _, s := range setups {
			if s.Agent == agent.Name {
				item.Setup = append(item.Setup, where(s))
			}
		}
		items = append(items, item)
	}
	return items, nil
}

// where is the configuration that a setup is about.
func where(s setup.Setup) string {
	switch {
	case s.Scope == setup.Project:
		return s.Root
	case s.Profile != "":
		return s.Profile
	}
	return string(s.Scope)
}

// carryOut shows a plan, asks, and does it.
func (i *installing) carryOut(ctx context.Context, plan *setup.Plan, names []string) error {
	answer := setupJSON{Envelope: wire.NewEnvelope("setup"), Changed: !plan.Empty(), DryRun: i.dry, Files: []fileItem{}, Notes: noteItems(plan.Notes), Steps: []noteItem{}}
	for _, c := range plan.Changes {
		item := fileItem{File: c.Path, Change: "changed", For: c.For, Diff: shownDiff(i.shortPath(c.Path), c)}
		switch {
		case c.Old == nil:
			item.Change = "made"
		case c.New == nil:
			item.Change = "removed"
		}
		if item.For == nil {
			item.For = []string{}
		}
		answer.Files = append(answer.Files, item)
		if !i.json {
			i.printDiff(item, c)
		}
	}
	if !i.json {
		for _, n := range answer.Notes {
			i.say("%s", i.noteLine(n))
		}
	}
	if !i.dry && answer.Changed {
		if err := i.ask(plan); err != nil {
			return err
		}
		if err := plan.Apply(ctx); err != nil {
			return err
		}
	}
	answer.Steps = noteItems(plan.Steps)
	if i.json {
		var err error
		if answer.Agents, err = i.agents(names); err != nil {
			return err
		}
		if err := i.printJSON(answer); err != nil {
			return err
		}
	} else {
		i.tell(plan, answer, names)
	}
	if plan.Failed() {
		return errFound
	}
	return nil
}

// tell says what was done, and what is left to do.
func (i *installing) tell(plan *setup.Plan, answer setupJSON, names []string) {
	failed := func(name string) bool {
		return slices.ContainsFunc(plan.Notes, func(n setup.Note) bool { return n.Agent == name && n.Error })
	}
	done := slices.DeleteFunc(slices.Clone(names), failed)
	if len(done) == 0 {
		return
	}
	list := strings.Join(done, ", ")
	switch {
	case i.dry && answer.Changed:
		i.print("Nothing was written: this is what %s would change for %s\n", i.verb, list)
		return
	case !answer.Changed:
		i.print("Unchanged: %s\n", list)
		return
	case i.verb == "setup" && len(plan.Changes) == 0:
		i.print("Set up %s: the files were complete already\n", list)
	case i.verb == "setup":
		i.print("Set up %s in %s\n", list, text.Count(len(plan.Changes), "file", "files"))
	default:
		i.print("Taken out of %s: %s\n", list, text.Count(len(plan.Changes), "file", "files"))
	}
	for _, step := range answer.Steps {
		if !failed(step.Agent) {
			i.print("next, %s: %s\n", step.Agent, text.Line(step.Text))
		}
	}
}

// ask asks the person at the terminal.
func (i *installing) ask(plan *setup.Plan) error {
	what := "write"
	if i.verb != "setup" {
		what = "take Pawl out of"
	}
	return i.confirm(i.yes, what+" "+text.Count(len(plan.Changes), "file", "files"), "nothing was written")
}
