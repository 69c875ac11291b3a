package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
)

// takeOut is setup --remove.
func (i *installing) takeOut(ctx context.Context, names []string) error {
	i.others(i.record)
	setups := i.meant(names)
	if len(names) == 0 {
		for _, s := range setups {
			if !slices.Contains(names, s.Agent) {
				names = append(names, s.Agent)
			}
		}
	}
	if len(setups) == 0 && !i.json {
		i.print("No agent is set up here; nothing to do\n")
		return nil
	}
	make := func(names []string) (*setup.Plan, error) { return i.planner.Uninstall(i.meant(names)) }
	plan, err := i.planner.Uninstall(setups)
	if err != nil {
		return err
	}
	return i.carry(ctx, plan, names, make, func(names []string) ([]string, error) {
		if err := i.canAsk(); err != nil {
			return nil, err
		}
		return names, i.agreeTo(fmt.Sprintf("Take Pawl out of %s? %s.", i.places(setups), text.Count(len(plan.Changes), "file", "files")))
	})
}

// meant are the setups of the agents with the names, or all, that the flags mean.
func (i *installing) meant(names []string) (setups []setup.Setup) {
	for _, s := range slices.Concat(i.record.Setups, i.planner.Found(i.root)) {
		if i.means(s) && (len(names) == 0 || slices.Contains(names, s.Agent)) {
			setups = append(setups, s)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(setups, func(s setup.Setup) bool { return s.Agent == name }) {
			setups = append(setups, i.setup(name))
		}
	}
	return setups
}

// places are agents with where they are set up: Claude Code and Codex here.
func (i *installing) places(setups []setup.Setup) string {
	var here, shared, user []string
	for _, s := range setups {
		title := i.titles([]string{s.Agent})
		switch {
		case s.Agent == setup.Git, s.Scope == setup.Here:
			here = append(here, title)
		case s.Scope == setup.Project:
			shared = append(shared, title)
		default:
			user = append(user, title)
		}
	}
	var parts []string
	for _, p := range []struct {
		titles []string
		where  string
	}{{here, " here"}, {shared, " in this project's files"}, {user, " in all projects"}} {
		if len(p.titles) > 0 {
			parts = append(parts, text.And(p.titles)+p.where)
		}
	}
	return strings.Join(parts, ", and ")
}

// agreeTo asks a question at the terminal to which Enter is a yes.
func (i *installing) agreeTo(question string) error {
	fmt.Fprintf(i.env.Stderr, "%s [Y/n] ", question)
	line, err := bufio.NewReader(i.env.Stdin).ReadString('\n')
	switch said := strings.ToLower(strings.TrimSpace(line)); {
	case said == "y" || said == "yes", said == "" && err == nil:
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "nothing was written")
}

// means reports whether the flags mean a setup.
func (i *installing) means(s setup.Setup) bool {
	switch s.Scope {
	case setup.Project:
		return !i.user && !i.here && s.Root == i.root
	case setup.Here:
		return !i.user && !i.project && s.Root == i.root
	}
	return !i.project && !i.here
}

// others tells of projects that are not meant.
func (i *installing) others(record *setup.Record) {
	var roots []string
	for _, s := range record.Setups {
		if s.Scope == setup.User || s.Root == i.root || slices.Contains(roots, s.Root) {
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
