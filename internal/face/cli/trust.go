package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
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
		switch {
		case list && revoke:
			return usage("trust", "--list shows and --revoke changes: give one of them")
		case len(args) == 1 && !revoke:
			return usage("trust", "only --revoke takes a folder; to trust, go to the clone and look at it there")
		}
		switch {
		case list:
			return a.listTrusted()
		case revoke:
			return a.revoke(ctx, args)
		default:
			return a.trust(ctx)
		}
	}
}

func (a *app) trust(ctx context.Context) error {
	own, err := a.project().Own()
	if err != nil {
		return err
	}
	if own.Source != project.Folder {
		return usage("trust", "a board named with --board or PAWL_BOARD needs no trust: leave them out here")
	}
	board, warnings, err := a.project().Named()
	for _, text := range warnings {
		a.once("%s", text)
	}
	if err != nil {
		return err
	}
	if board != "" && !a.caller().Person {
		e := pawl.Errorf(pawl.Invalid, "only a person may trust %s, and this is an agent's command", board)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: a.trustHint()}
		return e
	}
	entry, changed, err := a.project().Trust(ctx, time.Now())
	if e, ok := errors.AsType[*pawl.Error](err); ok && board == "" {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl config set board FOLDER"}
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(changed, entry)
	}
	a.print("Project %s\nasks for %s\nboard   %s\n", text.Line(entry.Project), text.Line(entry.Address), text.Line(entry.Board))
	if changed {
		a.print("Trusted while the address leads to this folder. To revoke: pawl trust --revoke\n")
	} else {
		a.print("Unchanged: already trusted\n")
	}
	return nil
}

func (a *app) revoke(ctx context.Context, args []string) error {
	named := ""
	if len(args) == 1 {
		named = args[0]
	}
	folder, gone, err := a.project().Revoke(ctx, named)
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(len(gone) > 0, gone...)
	}
	for _, e := range gone {
		a.print("Revoked: %s no longer leads to %s\n", text.Line(e.Project), text.Line(e.Board))
	}
	if len(gone) == 0 {
		a.print("Unchanged: nothing was trusted in %s\n", text.Line(folder))
	}
	return nil
}

func (a *app) listTrusted() error {
	all, err := project.AllTrusted(a.env.Getenv)
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(false, all...)
	}
	for _, e := range all {
		a.print("%s\n  %s leads to %s\n", text.Line(e.Project), text.Line(e.Address), text.Line(e.Board))
	}
	if len(all) == 0 {
		a.say("nothing is trusted")
	}
	return nil
}

func (a *app) printTrusted(changed bool, entries ...project.Trusted) error {
	answer := trustJSON{view.NewEnvelope("trust"), changed, []trustItem{}}
	for _, e := range entries {
		answer.Trusted = append(answer.Trusted, trustItem{e.Project, e.Address, e.Board, view.Time(e.At)})
	}
	return a.printJSON(answer)
}
