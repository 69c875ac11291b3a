package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// trustItemOf is a consent as --json has it.
func trustItemOf(e *project.Consent) trustItem {
	item := trustItem{
		Kind: string(e.Kind), What: e.Shown, Project: e.Where(), Board: e.Board, At: wire.Time(e.At), By: e.By, Gone: !e.Holds(), Sum: e.Sum(), at: e.At,
	}
	if e.Board != "" && !address.Is(e.Board) && !filepath.IsAbs(e.Board) {
		item.Board = filepath.Join(e.In, filepath.FromSlash(e.Board))
	}
	return item
}

// listConsents lists all that the user has agreed to, and what others keep of that.
func (a *app) listConsents() error {
	all, err := a.project().Consents()
	if err != nil {
		return err
	}
	items := []trustItem{}
	for i := range all {
		items = append(items, trustItemOf(&all[i]))
	}
	slices.SortStableFunc(items, func(x, y trustItem) int { return strings.Compare(x.Project, y.Project) })
	items = append(items, a.keptElsewhere()...)
	if a.json {
		return a.printJSON(trustJSON{Envelope: wire.NewEnvelope("trust"), Trusted: items})
	}
	a.showConsents(items)
	if len(items) == 0 {
		a.say("nothing is trusted")
	}
	return nil
}

// keptElsewhere are tokens, what setup has put into the configuration of agents' programs,
// and how pawl run starts the agent's program of this project. It says which tokens or record
// it cannot read.
func (a *app) keptElsewhere() (items []trustItem) {
	if store, err := credentials.Of(a.env.Getenv); err == nil {
		all, err := store.All()
		if err != nil {
			a.say("%s", plainError(err))
		}
		for i := range all {
			c := &all[i]
			items = append(items, trustItem{Kind: "token", What: c.Address + " as " + c.Name, In: store.Path(), At: wire.Time(c.At), at: c.At})
		}
	}
	record, err := a.agentsPlanner("").Record()
	if err != nil {
		a.say("%s", plainError(err))
		return items
	}
	for _, p := range record.Permissions() {
		items = append(items, trustItem{Kind: "permission", What: p.What, In: p.File})
	}
	s, err := a.settings()
	if err != nil {
		return items
	}
	if program := known.Find(settings.Of[string](s, "run.agent")); program != nil && program.Headless != nil {
		for _, arg := range program.Headless.Started(agent.Turn{Work: true}) {
			if strings.HasPrefix(arg, "-") && strings.Contains(arg, "trust") {
				items = append(items, trustItem{Kind: "flag", What: arg + ", with which pawl run starts " + program.Name + " in its work trees"})
			}
		}
	}
	return items
}

// showConsents prints items by project: a line each, and what they have in common once.
func (a *app) showConsents(items []trustItem) {
	last := ""
	for i := range items {
		item := &items[i]
		if at := item.Project + item.In; at != last {
			last = at
			if at != "" {
				a.print("%s\n", text.Line(at))
			}
		}
		line := "  " + item.Kind + strings.Repeat(" ", max(1, 11-len(item.Kind))) + show.Escaped(item.What)
		if item.Board != "" && filepath.Dir(item.Board) != item.Project {
			line += ", of the board " + show.Escaped(item.Board)
		}
		if !item.at.IsZero() {
			line += ", since " + item.at.Local().Format("2006-01-02 15:04")
		}
		if item.By != "" {
			line += ", by " + text.Line(item.By)
		}
		if item.Gone {
			line += " (no effect: that clone is gone)"
		}
		a.print("%s\n", line)
	}
}

// forgetConsents takes back what the user has agreed to in this clone, or in those that are
// or were in a folder.
func (a *app) forgetConsents(ctx context.Context, args []string) error {
	if err := a.consents("take back what is trusted", commandLine("pawl trust --forget", args...)); err != nil {
		return err
	}
	where, err := a.project().Root()
	if err != nil {
		return err
	}
	folder := ""
	if len(args) == 1 {
		folder = a.absolute(args[0])
		where = folder
	}
	gone, err := a.project().Forget(ctx, folder)
	if err != nil {
		return err
	}
	if a.json {
		return a.printConsentsOf(len(gone) > 0, gone)
	}
	if len(gone) == 0 {
		a.print("Unchanged: nothing was trusted in %s\n", text.Line(where))
		return nil
	}
	a.print("No longer trusted:\n")
	items := make([]trustItem, len(gone))
	for i := range gone {
		items[i] = trustItemOf(&gone[i])
		items[i].Gone = false
	}
	a.showConsents(items)
	return nil
}

func (a *app) printConsentsOf(changed bool, all []project.Consent) error {
	answer := trustJSON{Envelope: wire.NewEnvelope("trust"), Changed: changed, Trusted: []trustItem{}}
	for i := range all {
		answer.Trusted = append(answer.Trusted, trustItemOf(&all[i]))
	}
	return a.printJSON(answer)
}
