package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
)

var uninstallVerb = verb{
	name:  "uninstall",
	use:   "[AGENT...] [flags]",
	short: "remove Pawl from the configuration of agents",
	long: "Removes what pawl setup added. A file unchanged since then becomes what it was before, byte for byte; in a file that somebody changed, those changes stay. Files and folders that setup made are deleted. It first shows which files change, line by line with --diff, and asks; without a terminal it needs --yes. Boards and todo lists stay.\n\n" +
		"Unless --project or --user says which, it is about this project's files and yours.",
	kind: "setup",
	examples: []string{
		"pawl uninstall claude",
		"pawl uninstall --all --yes",
	},
	max:   -1,
	build: buildUninstall,
}

func buildUninstall(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	i := newInstalling(a, cmd)
	cmd.Flags().BoolVar(&i.all, "all", false, "remove it from all agents that are set up")
	return func(ctx context.Context, names []string) error {
		if err := i.begin(names); err != nil {
			return err
		}
		record, err := i.desk.Record()
		if err != nil {
			return err
		}
		known := slices.DeleteFunc(append(slices.Clone(record.Setups), i.desk.Found(i.root)...), func(s setup.Setup) bool { return !i.means(s) })
		if len(names) == 0 && !i.all {
			e := usage("uninstall", "uninstall needs the names of agents, or --all")
			if len(known) > 0 {
				e.(*pawl.Error).Hint.Text = "pawl uninstall " + known[0].Agent
			}
			return e
		}
		var setups []setup.Setup
		for _, s := range known {
			if i.all || slices.Contains(names, s.Agent) {
				setups = append(setups, s)
				if !slices.Contains(names, s.Agent) {
					names = append(names, s.Agent)
				}
			}
		}
		for _, name := range names {
			if !slices.ContainsFunc(setups, func(s setup.Setup) bool { return s.Agent == name }) {
				setups = append(setups, i.setup(name))
			}
		}
		if len(setups) == 0 && !i.json {
			i.print("Unchanged: no agent is set up\n")
		}
		i.others(record)
		plan, err := i.desk.Uninstall(setups)
		if err != nil {
			return err
		}
		return i.carryOut(ctx, plan, names)
	}
}

// means reports whether the flags mean a setup.
func (i *installing) means(s setup.Setup) bool {
	if s.Scope == setup.Project {
		return !i.user && s.Root == i.root
	}
	return !i.project
}

// others tells of projects that are not meant.
func (i *installing) others(record *setup.Record) {
	var roots []string
	for _, s := range record.Setups {
		if s.Scope != setup.Project || s.Root == i.root || slices.Contains(roots, s.Root) {
			continue
		}
		if _, err := os.Stat(s.Root); err == nil {
			roots = append(roots, s.Root)
		}
	}
	if len(roots) > 0 && !i.json {
		i.say("agents are also set up in other projects, which stay as they are: %s", text.Line(strings.Join(roots, ", ")))
	}
}
