package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/trust"
	"github.com/pawl-dev/pawl/internal/view"
)

var trustVerb = verb{
	name:  "trust",
	use:   "[flags]",
	short: "let this clone use the board that its settings name",
	long:  "The setting board of a project names a folder elsewhere. It may come from anybody, so it is followed only where you said so: this address, in this clone, as long as it leads to the folder that is shown. Until then the clone's own board is used. Only a person can say so, not an agent.",
	kind:  "trust",
	examples: []string{
		"pawl trust",
		"pawl trust --revoke",
	},
	max:   1,
	build: buildTrust,
}

// trustJSON is the envelope of trust.
type trustJSON struct {
	view.Envelope
	Changed bool        `json:"changed"` // something else is trusted than before
	Trusted []trustItem `json:"trusted"` // what this is about: with --list all that is trusted, with --revoke what is no more
}

// trustItem is a board that a project may name.
type trustItem struct {
	Project string      `json:"project"` // the folder that has the settings
	Address string      `json:"address"` // as it stands in them
	Board   string      `json:"board"`   // where it leads
	At      view.Moment `json:"at"`      // since when it is trusted
}

func buildTrust(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var list, revoke bool
	cmd.Flags().BoolVar(&list, "list", false, "show what you trust, in all clones; changes nothing")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust this clone no more, or the project whose folder is named")
	return func(ctx context.Context, args []string) error {
		a.trusting = true
		switch {
		case list && revoke:
			return usage("trust", "--list shows and --revoke changes: give one of them")
		case len(args) == 1 && !revoke:
			return usage("trust", "only --revoke takes a folder; to trust, go to the clone and look at it there")
		}
		known, err := trust.Of(a.env.Getenv)
		if err != nil {
			return err
		}
		switch {
		case list:
			return a.listTrusted(known)
		case revoke:
			return a.revoke(ctx, known, args)
		default:
			return a.trust(ctx, known)
		}
	}
}

func (a *app) trust(ctx context.Context, known *trust.List) error {
	if a.address != "" || a.env.Getenv("PAWL_BOARD") != "" {
		return usage("trust", "--board and PAWL_BOARD are your own words and need no trust: leave them away here")
	}
	if _, err := a.place(); err != nil {
		return err
	}
	ask, _, asked := a.asks(a.own)
	if !asked {
		e := pawl.Errorf(pawl.NotFound, "no other board is named by the settings of this project")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl config set board FOLDER"}
		return e
	}
	if !a.caller().Person {
		e := pawl.Errorf(pawl.Invalid, "%s is to be trusted by a person, and this is an agent's command", ask.Board)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: a.trustHint()}
		return e
	}
	now := time.Now()
	changed, err := known.Add(ctx, ask, now)
	if err != nil {
		return err
	}
	entry := trust.Entry{Ask: ask, At: now}
	if a.json {
		return a.printTrusted(changed, entry)
	}
	a.print("Project %s\nasks for %s\nboard   %s\n", view.Line(ask.Project), view.Line(ask.Address), view.Line(ask.Board))
	if changed {
		a.print("Trusted from now on, as long as it leads there. To take it back: pawl trust --revoke\n")
	} else {
		a.print("Unchanged: that is trusted already\n")
	}
	return nil
}

func (a *app) revoke(ctx context.Context, known *trust.List, args []string) error {
	var project string
	if len(args) == 1 {
		if project = args[0]; !filepath.IsAbs(project) {
			project = filepath.Join(a.env.Dir, project)
		}
	} else {
		if _, err := a.place(); err != nil {
			return err
		}
		project = filepath.Dir(a.own.Dir)
	}
	gone, err := known.Revoke(ctx, project)
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(len(gone) > 0, gone...)
	}
	for _, e := range gone {
		a.print("Revoked: %s no longer leads to %s\n", view.Line(e.Project), view.Line(e.Board))
	}
	if len(gone) == 0 {
		a.print("Unchanged: nothing was trusted in %s\n", view.Line(project))
	}
	return nil
}

func (a *app) listTrusted(known *trust.List) error {
	all, err := known.All()
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(false, all...)
	}
	for _, e := range all {
		a.print("%s\n  %s leads to %s\n", view.Line(e.Project), view.Line(e.Address), view.Line(e.Board))
	}
	if len(all) == 0 {
		a.say("nothing is trusted")
	}
	return nil
}

func (a *app) printTrusted(changed bool, entries ...trust.Entry) error {
	answer := trustJSON{view.NewEnvelope("trust"), changed, []trustItem{}}
	for _, e := range entries {
		answer.Trusted = append(answer.Trusted, trustItem{e.Project, e.Address, e.Board, view.Time(e.At)})
	}
	return a.printJSON(answer)
}
