package cli

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var setupVerb = verb{
	name:  "setup",
	use:   "[AGENT...] [flags]",
	short: "connect your agents, or disconnect them",
	long: "Finds installed agents by a program on PATH or its folder, says what a setup changes and costs, and asks. It writes the MCP server, the hooks, a skill and, if the agent supports them, chat commands, a status line and the permission to call Pawl's tools. The rest of each file stays as it is, comments included. An agent is set up completely or not at all, and a second run changes nothing.\n\n" +
		"By default a setup is for you in this project only, in files that git does not see. --user sets up all your projects; --project writes files that the project shares. An agent that is already set up keeps its scope. Without a terminal setup needs --yes. pawl doctor checks what is set up.\n\n" +
		"--remove takes Pawl out again: from the named agents, or from all, for you in this project, in the project's files, and for you in all projects; --here, --project or --user selects one of these. A file unchanged since setup becomes what it was before, byte for byte; in other files, later changes stay. Files and folders that setup made are deleted. It too shows the files and asks. Boards and todo lists stay.\n\n" +
		"pawl setup git makes git call Pawl when it merges a task, in this clone only, by .git/config and .git/info/attributes. Without it Pawl merges at its next change, or at pawl merge.",
	kind: "setup",
	examples: []string{
		"pawl setup",
		"pawl setup claude --diff",
		"pawl setup --user --yes",
		"pawl setup git",
		"pawl setup claude --remove",
	},
	max:   -1,
	build: buildSetup,
}

// installing are the flags of setup.
type installing struct {
	*app
	all, project, user, here bool
	dry, yes, block          bool
	diff, remove             bool
	ownList                  string // true, false; empty: as it is
	planner                  *setup.Planner
	root                     string
	args                     []string // the command, as a hint repeats it
	record                   *setup.Record
}

func buildSetup(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	i := &installing{app: a, args: a.env.Args}
	flags := cmd.Flags()
	flags.BoolVar(&i.here, "here", false, "for you, in this project only: files that git does not see")
	flags.BoolVar(&i.user, "user", false, "for you, in all projects")
	flags.BoolVar(&i.project, "project", false, "change the files of this project, which others may receive with it")
	flags.BoolVar(&i.dry, "dry-run", false, "show the changes line by line, without making them")
	flags.BoolVar(&i.diff, "diff", false, "show the changes line by line before asking")
	flags.BoolVarP(&i.yes, "yes", "y", false, "do not ask for confirmation")
	flags.BoolVar(&i.remove, "remove", false, "remove what setup added; without a terminal, with --yes")
	flags.BoolVar(&i.all, "all", false, "set up all installed agents, or with --remove all that are set up, as without names")
	flags.BoolVar(&i.block, "agents-md", false, "also mention the board in the project's AGENTS.md; without AGENT and --all, change only that file")
	flags.StringVar(&i.ownList, "own-list", "", "give each model the agent's own todo list, where its program gives it only to some (claude); --own-list=false takes it back")
	flags.Lookup("own-list").NoOptDefVal = "true"
	return func(ctx context.Context, names []string) error {
		err := i.begin(ctx, names)
		if err != nil {
			return err
		}
		for _, name := range names {
			if _, err := setup.Find(name); err != nil {
				return err
			}
		}
		if i.remove {
			return i.takeOut(ctx, names)
		}
		if i.json && len(names) == 0 && !i.all && !i.block && !i.yes && !i.dry {
			items, err := i.agents(nil)
			if err != nil {
				return err
			}
			return i.printJSON(setupJSON{wire.NewEnvelope("setup"), false, false, items, []fileItem{}, []setup.Note{}, []setup.Note{}})
		}
		if len(names) == 0 && (i.all || !i.block) {
			var alone []string
			if names, alone = i.offered(); len(names) == 0 {
				return i.nobody(alone)
			}
			if len(alone) > 0 && !i.json {
				i.say("for all projects only, so not offered here: %s (pawl setup %s)", i.titles(alone), strings.Join(alone, " "))
			}
		}
		if !i.json {
			if names, err = i.incomplete(names); err != nil {
				return err
			}
		}
		if i.block && !slices.Contains(names, setup.AgentsMD) {
			names = append(names, setup.AgentsMD)
		}
		if len(names) > 0 || i.json {
			if err := i.carryOut(ctx, names); err != nil {
				return err
			}
		}
		board, err := a.project().Board()
		if err != nil || i.dry {
			return nil
		}
		if board.Exists && !board.Distant() {
			_ = a.env.Boards.Prepare(board.Dir) // it only makes reading faster
		}
		if a.atTerminal() {
			_, err = a.takePart(ctx, board, a.offered(ctx, board))
		}
		return err
	}
}

// begin finds out what the plans depend on.
func (i *installing) begin(ctx context.Context, names []string) error {
	said := 0
	for _, scope := range []bool{i.project, i.user, i.here} {
		if scope {
			said++
		}
	}
	switch {
	case i.remove && i.block:
		return usage("setup", "--remove and --agents-md contradict each other: pawl setup agents-md --remove")
	case i.ownList != "" && i.ownList != "true" && i.ownList != "false":
		return usage("setup", "--own-list is true or false, not %q", i.ownList)
	case said > 1:
		return usage("setup", "--here, --user and --project contradict one another: give one of them")
	case said > 0 && slices.Contains(names, setup.Git):
		return usage("setup", "git is set up in this clone only: leave out --here, --user and --project")
	case i.ownList != "" && (i.remove || len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { a, err := setup.Find(name); return err == nil && a.Config.List == nil })):
		return usage("setup", "--own-list is for an agent whose program gives only some models a todo list: pawl setup claude --own-list")
	case i.all && len(names) > 0:
		return usage("setup", "--all and %s contradict each other: give one of them", names[0])
	}
	a := i.app
	home := a.home()
	if home == "" {
		return pawl.Errorf(pawl.NotFound, "HOME is not set, so your agents cannot be found").
			Say("set HOME to your folder")
	}
	i.planner = a.agentsPlanner(home)
	root, err := a.project().Root()
	if err != nil {
		return err
	}
	if home, _ := filepath.EvalSymlinks(home); home == root {
		if i.project || i.here {
			return usage("setup", "%s is your home folder, not a project: use --user", text.Line(root))
		}
		i.user = i.user || !i.remove
	}
	i.root = root
	if !i.remove && (!i.user && !i.project || slices.Contains(names, setup.Git)) {
		if i.planner.Git, err = setup.Sees(ctx, root); err != nil {
			i.say("git does not say what it sees here: %s", text.Line(err.Error()))
		}
	}
	i.record, err = i.planner.Record()
	return err
}

// agentsPlanner is where setups are planned and looked at.
func (a *app) agentsPlanner(home string) *setup.Planner {
	d := &setup.Planner{Getenv: a.env.Getenv, OS: runtime.GOOS, Home: home}
	d.Choose(a.env.Program(), a.env.Started)
	return d
}

// isAgent reports whether a name is that of an agent, and not of what else is set up.
func isAgent(name string) bool { return name != setup.AgentsMD && name != setup.Git }

// setup is the setup of an agent that the flags mean. What they do not say stays as it is.
func (i *installing) setup(name string) setup.Setup {
	s := i.scoped(name)
	for _, known := range i.record.Setups {
		if known.Same(s) {
			s.OwnList = known.OwnList
		}
	}
	if i.ownList != "" {
		s.OwnList = i.ownList == "true"
	}
	return s
}

// scoped is it in the scope that the flags mean. Without one it is where the agent is set
// up already, else for the user in this project.
func (i *installing) scoped(name string) setup.Setup {
	switch {
	case i.project || !isAgent(name):
		return i.planner.ForProject(name, i.root)
	case i.user:
		return i.planner.ForUser(name)
	case i.here:
		return i.planner.ForHere(name, i.root)
	}
	for _, s := range slices.Concat(i.record.Setups, i.planner.Found(i.root)) {
		if s.Agent != name || s.Scope != setup.User && s.Root != i.root {
			continue
		}
		s.Command = i.planner.Command
		if s.Scope == setup.User {
			return i.planner.ForUser(name) // in the profile that is in force
		}
		return s
	}
	if a, err := setup.Find(name); err == nil && a.Config.NoProject != "" {
		return i.planner.ForUser(name)
	}
	return i.planner.ForHere(name, i.root)
}

// offered are the agents that are here. alone are those that cannot be set up for
// one project, where that is what would be done.
func (i *installing) offered() (names, alone []string) {
	for _, p := range i.planner.Present() {
		switch s := i.setup(p.Name); {
		case p.Config.NoProject == "" || i.user, s.Scope == setup.User && i.record.Has(s):
			names = append(names, p.Name)
		default:
			alone = append(alone, p.Name)
		}
	}
	return names, alone
}

// incomplete are the agents for which something is to be done. It names the others.
func (i *installing) incomplete(names []string) (left []string, err error) {
	var complete []string
	for _, name := range names {
		plan, err := i.plan([]string{name})
		if err != nil {
			return nil, err
		}
		if plan.Empty() && !plan.Failed() {
			complete = append(complete, name)
			for _, n := range plan.Notes {
				i.say("%s", i.noteLine(n))
			}
		} else {
			left = append(left, name)
		}
	}
	if len(complete) > 0 {
		end := ""
		if len(left) == 0 {
			end = "; nothing to do"
		}
		i.print("%s set up already%s%s\n", isAre(complete, i.titles(complete)), i.whereAll(complete), end)
	}
	return left, nil
}

// whereAll says where agents are set up that are all in one place.
func (i *installing) whereAll(names []string) string {
	if slices.Equal(names, []string{setup.Git}) {
		return ", in this clone"
	}
	scope := i.setup(names[0]).Scope
	for _, name := range names {
		if i.setup(name).Scope != scope {
			return ""
		}
	}
	return ", " + i.whereIs(scope)
}

// whereIs is a scope in words.
func (i *installing) whereIs(scope setup.Scope) string {
	return map[setup.Scope]string{setup.Here: "for you in this project", setup.Project: "in this project's files", setup.User: "for all your projects"}[scope]
}

// plan is what the agents with the names need.
func (i *installing) plan(names []string) (*setup.Plan, error) {
	var setups []setup.Setup
	for _, name := range names {
		setups = append(setups, i.setup(name))
	}
	return i.planner.Setup(setups)
}

// titles are the names that people know.
func (i *installing) titles(names []string) string {
	var all []string
	for _, name := range names {
		if a, err := setup.Find(name); err == nil {
			all = append(all, a.Title)
		}
	}
	return text.And(all)
}

// suggestAgents are for the verbs that are about agents' programs; the flag of
// others is about a subagent, which has any name.
func suggestAgents(_ *app, v verb, _ context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	if v.name == setupVerb.name {
		for _, agent := range setup.Agents() {
			if strings.HasPrefix(agent.Name, begun) && !slices.Contains(args, agent.Name) {
				found = append(found, cobra.CompletionWithDesc(agent.Name, agent.Title))
			}
		}
		if strings.HasPrefix(setup.Git, begun) && !slices.Contains(args, setup.Git) {
			found = append(found, cobra.CompletionWithDesc(setup.Git, "git calls Pawl when it merges a task"))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// agents are those with the names, or all.
func (i *installing) agents(names []string) ([]agentItem, error) {
	record, err := i.planner.Record() // as it is now
	if err != nil {
		return nil, err
	}
	setups := append(record.Setups, i.planner.Found(i.root)...)
	used := i.planner.Used(setup.User)
	items := []agentItem{}
	known := setup.Agents()
	for _, name := range names {
		if a, err := setup.Find(name); err == nil && !isAgent(name) {
			known = append(known, a)
		}
	}
	for _, agent := range known {
		if names != nil && !slices.Contains(names, agent.Name) {
			continue
		}
		item := agentItem{Agent: agent.Name, Title: agent.Title, Used: slices.Contains(used, agent.Name) || !isAgent(agent.Name)}
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
	case s.Scope == setup.Here:
		return s.Root + ", for you"
	case s.Scope == setup.Project:
		return s.Root
	case s.Profile != "":
		return s.Profile
	}
	return string(s.Scope)
}
