package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// foundHere is what a project without tasks has to begin with.
type foundHere struct {
	agents []string // titles of agents that are here and that Pawl is not connected to
	remote bool     // git has a remote here, which may have a shared board
	plans  []known.Place
}

// foundJSON is foundHere as --json has it.
type foundJSON struct {
	Agents []string   `json:"agents"` // agents that are on this machine and not connected yet
	Plans  []planJSON `json:"plans"`  // tasks of other programs, for pawl import
}

// planJSON is where tasks of another program are.
type planJSON struct {
	Format string `json:"format"` // its name for pawl import --from
	Title  string `json:"title"`  // what people call the program
	Path   string `json:"path"`   // below the project's folder
}

// found looks for agents and for plans, by their folders alone: it opens no plan
// and starts nothing.
func (a *app) found() foundHere {
	var f foundHere
	root, err := a.project().Root()
	if err != nil {
		return f
	}
	f.plans = known.Find(root)
	f.remote = a.env.Sharing != nil && hasRemote(root)
	home := a.home()
	if home == "" {
		return f
	}
	planner := a.agentsPlanner(home)
	record, err := planner.Record()
	if err != nil {
		return f
	}
	for _, name := range planner.Used(setup.User) {
		connected := slices.ContainsFunc(record.Setups, func(s setup.Setup) bool {
			return s.Agent == name && (s.Scope == setup.User || s.Root == root)
		})
		if agent, err := setup.Find(name); err == nil && !connected {
			f.agents = append(f.agents, agent.Title)
		}
	}
	return f
}

// hasRemote reports whether git has a remote in a folder, by git's own file.
func hasRemote(dir string) bool {
	tree, ok := gitdir.Find(dir)
	return ok && bytes.Contains(gitdir.File(filepath.Join(tree.Common, "config"), 1<<20), []byte(`[remote "`))
}

func (f foundHere) json() *foundJSON {
	j := &foundJSON{Agents: append([]string{}, f.agents...), Plans: []planJSON{}}
	for _, p := range f.plans {
		j.Plans = append(j.Plans, planJSON{p.Format.Name, p.Format.Title, p.Path})
	}
	return j
}

// begin says how to begin, with what is found here first:
//
//	No tasks here yet.
//	  pawl setup              connect Claude Code and Codex, found here
//	  pawl import             bring in Task Master's tasks, found in .taskmaster
//	  pawl plan FILE          turn a list into tasks
//	  pawl add "first task"   add one
func (a *app) begin(recent *todo.Recent) {
	a.print("No tasks here yet.\n")
	a.noNudges()
	line := func(command, does string) {
		a.print("  %-24s%s\n", a.paint.as(bold, fmt.Sprintf("%-23s", command)), does)
	}
	if a.reads() {
		line(a.command("log --follow"), readsOnly)
		a.somePlans(recent)
		return
	}
	found := a.found()
	if len(found.agents) > 0 {
		line("pawl setup", "connect "+text.Few(found.agents, 3)+", found here")
	}
	switch n := len(found.plans); {
	case n == 1:
		p := found.plans[0]
		line(a.command("import"), fmt.Sprintf("bring in the tasks of %s, found in %s", p.Format.Title, text.Line(text.Clip(p.Path, 60))))
	case oneFormat(found.plans):
		line(a.command("import"), fmt.Sprintf("bring in the tasks of %s: %d plans found", found.plans[0].Format.Title, n))
	case n > 1:
		var titles []string
		for _, p := range found.plans {
			if !slices.Contains(titles, p.Format.Title) {
				titles = append(titles, p.Format.Title)
			}
		}
		line(a.command("import"), fmt.Sprintf("choose one of %d plans found: %s", n, text.Few(titles, 3)))
	}
	line(a.command("plan FILE"), "turn a list into tasks")
	line(a.command(`add "first task"`), "add one")
	if found.remote {
		line(a.command("share"), "work on the board of your team, if the remote has one")
	}
	if len(found.agents) == 0 && len(found.plans) == 0 {
		line("pawl demo", "watch agents complete a plan, in a temporary folder")
	}
	a.somePlans(recent)
}

// onlyTodos shows agents that are at work where there are no tasks.
//
//	No tasks yet; one agent at work
//	  session 0b7c: 1 of 3 done, changed 3 min ago
//	Make one a task for all: pawl todo promote 3
func (a *app) onlyTodos(recent *todo.Recent) {
	at := "one agent at work"
	if n := len(recent.Running) + recent.More; n > 1 {
		at = fmt.Sprintf("%d agents at work", n)
	}
	a.print("No tasks yet; %s\n", at)
	a.printPlans(recent, "")
	list := &recent.Running[0]
	if i := firstOpen(list.Items); i >= 0 {
		command := fmt.Sprintf("todo promote %d --session %s", i+1, quote(list.Session))
		if list.Agent != "" {
			command += " --agent " + quote(list.Agent)
		}
		a.print("Make one a task for all: %s\n", a.command(command))
	}
}
