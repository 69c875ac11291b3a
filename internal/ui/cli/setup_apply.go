package cli

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// carryOut plans what the agents with the names need, shows it, asks, and does it.
func (i *installing) carryOut(ctx context.Context, names []string) error {
	plan, err := i.plan(names)
	if err != nil {
		return err
	}
	i.warnOfTwo(names)
	return i.carry(ctx, plan, names, i.plan, func(names []string) ([]string, error) {
		i.offer(ctx, plan, done(plan, names))
		return i.choose(plan, done(plan, names))
	})
}

// warnOfTwo tells of agents that are set up in another place too: their hooks would
// run twice.
func (i *installing) warnOfTwo(names []string) {
	if i.json {
		return
	}
	for _, name := range names {
		s := i.setup(name)
		for _, other := range i.record.Setups {
			if other.Agent == name && other.Scope != s.Scope && (other.Scope == setup.User || s.Scope == setup.User || other.Root == s.Root) && (other.Scope == setup.User || other.Root == i.root) {
				i.say("%s is set up %s too, and its hooks would run twice: pawl setup %s --remove --%s", i.titles([]string{name}), i.whereIs(other.Scope), name, other.Scope)
			}
		}
	}
}

// carry shows a plan, has it agreed to, and does it. make makes it again, for the
// names that a person agreed to, when nobody else can write. agree returns these.
func (i *installing) carry(ctx context.Context, plan *setup.Plan, names []string, make func([]string) (*setup.Plan, error), agree func([]string) ([]string, error)) error {
	answer := setupJSON{Envelope: wire.NewEnvelope("setup"), Changed: !plan.Empty(), DryRun: i.dry, Files: i.fileItems(plan), Notes: append([]setup.Note{}, plan.Notes...)}
	i.warnOfPath(names)
	if !i.json && (i.dry || i.diff) {
		for n, c := range plan.Changes {
			i.printDiff(answer.Files[n], c)
		}
	}
	if !i.json {
		for _, n := range answer.Notes {
			i.say("%s", i.noteLine(n))
		}
	}
	if !i.dry && answer.Changed {
		if !i.caller().Person && len(plan.Allows()) > 0 {
			return i.consents("let agents call Pawl's tools unasked", i.keep("pawl "+strings.Join(i.args, " ")))
		}
		if !i.yes {
			chosen, err := agree(names)
			if err != nil {
				return err
			}
			if len(chosen) < len(done(plan, names)) {
				names = chosen
				if plan, err = make(names); err != nil {
					return err
				}
			}
		}
		var err error
		if plan, err = i.apply(ctx, plan, func() (*setup.Plan, error) { return make(names) }); err != nil {
			return err
		}
		answer.Changed, answer.Files = !plan.Empty(), i.fileItems(plan)
	}
	answer.Steps = append([]setup.Note{}, plan.Steps...)
	if i.json {
		var err error
		if answer.Agents, err = i.agents(names); err != nil {
			return err
		}
		if err := i.printJSON(answer); err != nil {
			return err
		}
	} else {
		i.tell(ctx, plan, answer, names)
	}
	if plan.Failed() {
		return errFound
	}
	return nil
}

// apply makes the plan again while no other setup can write, and carries it out.
func (i *installing) apply(ctx context.Context, shown *setup.Plan, make func() (*setup.Plan, error)) (*setup.Plan, error) {
	unlock, err := i.planner.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	plan, err := make()
	if err != nil {
		return nil, err
	}
	if !i.yes && !plan.Empty() && !plan.Like(shown) {
		return nil, pawl.Errorf(pawl.Conflict, "somebody else has changed the files that were shown; nothing was written").
			Next(pawl.HintRetry)
	}
	return plan, plan.Apply(ctx)
}

func (i *installing) fileItems(plan *setup.Plan) []fileItem {
	items := []fileItem{}
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
		items = append(items, item)
	}
	return items
}

// done are the names for which a plan does not fail.
func done(plan *setup.Plan, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(plan.Notes, func(n setup.Note) bool { return n.Agent == name && n.Error })
	})
}

// tell says what was done, and what is left to do.
func (i *installing) tell(ctx context.Context, plan *setup.Plan, answer setupJSON, names []string) {
	well := done(plan, names)
	if len(well) == 0 {
		return
	}
	list := i.titles(well)
	switch {
	case i.dry && answer.Changed:
		i.print("Nothing was written: this is what %s would change for %s\n", map[bool]string{false: "setup", true: "setup --remove"}[i.remove], list)
		return
	case i.remove && answer.Changed:
		i.print("%s\n", i.undone(ctx, plan))
		return
	case i.remove:
		i.print("Unchanged: %s\n", list)
		return
	case !answer.Changed: // another setup did it meanwhile
		i.print("%s set up already; nothing to do\n", isAre(well, list))
		return
	case len(plan.Changes) == 0:
		i.print("Set up %s: the files were complete already\n", list)
	default:
		i.print("Set up %s in %s\n", list, text.Count(len(plan.Changes), "file", "files"))
	}
	for _, n := range plan.Lists {
		if slices.Contains(well, n.Agent) {
			i.print("  todo list: %s\n", n.Text)
		}
	}
	for _, name := range well {
		var steps []string
		for _, step := range answer.Steps {
			if step.Agent == name {
				steps = append(steps, step.Text)
			}
		}
		if len(steps) > 0 {
			i.print("  %s: %s\n", i.titles([]string{name}), text.Line(strings.Join(steps, "; ")))
		}
	}
	if agents := slices.DeleteFunc(well, func(name string) bool { return !isAgent(name) }); len(agents) > 0 {
		whom := "it"
		if len(agents) > 1 {
			whom = "one of them"
		}
		i.print("Then give %s a job of three steps, and watch it: pawl\n", whom)
	}
}

func isAre(names []string, list string) string {
	if len(names) == 1 {
		return list + " is"
	}
	return list + " are"
}

// undone says what became of the files of an uninstalling, and what is left.
func (i *installing) undone(ctx context.Context, plan *setup.Plan) string {
	var restored, gone, kept int
	for _, c := range plan.Changes {
		switch {
		case c.New == nil:
			gone++
		case c.Restored:
			restored++
		default:
			kept++
		}
	}
	var parts []string
	if restored > 0 {
		parts = append(parts, text.Count(restored, "file is", "files are")+" as before")
	}
	if gone > 0 {
		parts = append(parts, text.Count(gone, "file", "files")+" that setup made "+map[bool]string{true: "is", false: "are"}[gone == 1]+" gone")
	}
	if kept > 0 {
		parts = append(parts, text.Count(kept, "file", "files")+" changed since: only Pawl's part is gone")
	}
	line := text.And(parts)
	if left := i.left(ctx); left != "" {
		line += ". Kept: " + left
	}
	return line
}

// left is what uninstalling does not touch: the tasks here, and what Pawl remembers
// of sessions.
func (i *installing) left(ctx context.Context) string {
	var parts []string
	if place, err := i.app.project().Board(); err == nil && place.Exists && !place.Distant() {
		found, err := asked(ctx, i.app, query.OverviewQuery{})
		if n := found.Counts.Open + found.Counts.Completed; err == nil && n > 0 {
			parts = append(parts, text.Count(n, "task", "tasks"))
		}
	}
	if state, err := userdir.State(i.env.Getenv); err == nil {
		var notes []string
		for _, of := range []struct {
			word    string
			folders []string
		}{{"todo lists", []string{"todos"}}, {"notes about sessions", []string{"hooks", "callers"}}} {
			if slices.ContainsFunc(of.folders, func(dir string) bool { return hasFiles(filepath.Join(state, dir)) }) {
				notes = append(notes, of.word)
			}
		}
		if len(notes) > 0 {
			parts = append(parts, text.And(notes)+" in "+text.Line(i.shortPath(state)))
		}
	}
	return strings.Join(parts, "; ")
}

// hasFiles reports whether a folder has a file at any depth, locks aside.
func hasFiles(dir string) (has bool) {
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			has = true
			return fs.SkipAll
		}
		return nil
	})
	return has
}

// canAsk refuses where nobody can be asked.
func (i *installing) canAsk() error {
	if !i.json && terminal.Is(i.env.Stdin) && terminal.Is(i.env.Stdout) {
		return i.flush()
	}
	return pawl.Errorf(pawl.Invalid, "nothing was written: cannot ask for confirmation without a terminal").
		Say(i.again("--yes"))
}
