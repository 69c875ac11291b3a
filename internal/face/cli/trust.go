package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var trustVerb = verb{
	name:  "trust",
	use:   "[checks] [flags]",
	short: "trust the board that this clone's settings name, or the checks of its tasks",
	long: "The project's setting board names a board in another folder, or at the address of a server. Anybody may have written it, so Pawl uses that board only if you trust it: this address, in this clone, while it leads to the folder that is shown. Until then Pawl uses the clone's own board. Only a person can trust a board, not an agent. A board on a server also needs a token: pawl join trusts the address and asks for it.\n\n" +
		"trust checks shows the commands that the tasks and the settings of this project ask to run, whole, and trusts exactly these in this clone: program, arguments, folder, variables and time. Any change of one has to be trusted again. The project's settings run.setup and run.copy are trusted there too: a command, and paths that agents can read, in each new work tree of pawl run. If a task has lost a check that was trusted, pawl done refuses it until you agree here. Afterwards it offers to run the checks of tasks that have waited: those that agents have finished are completed, or ready again if a check fails; completed ones are shown to be done, or not.",
	kind: "trust",
	examples: []string{
		"pawl trust",
		"pawl trust --revoke",
		"pawl trust checks",
	},
	max:   1,
	build: buildTrust,
}

// trustJSON is the envelope of trust.
type trustJSON struct {
	wire.Envelope
	Changed bool           `json:"changed"`           // the trusted board changed
	Trusted []trustItem    `json:"trusted"`           // with --list all trusted boards, with --revoke the one that no longer is
	Checks  []trustedCheck `json:"checks,omitempty"`  // with trust checks: the commands that may run in this clone
	Waiting []trustedCheck `json:"waiting,omitempty"` // with trust checks: those that wait for a person's trust
}

// trustItem is a board that a project may name.
type trustItem struct {
	Project string      `json:"project"` // the folder that has the settings
	Address string      `json:"address"` // as the settings files have it
	Board   string      `json:"board"`   // where it leads
	At      wire.Moment `json:"at"`      // since when it is trusted
}

func buildTrust(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var list, revoke, yes, run bool
	cmd.Flags().BoolVar(&run, "run", false, "with checks: then run the checks of tasks that wait for trust, without asking")
	cmd.Flags().BoolVar(&yes, "yes", false, "with checks: trust what is shown without asking")
	cmd.Flags().BoolVar(&list, "list", false, "list the boards that you trust, in all clones")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "end the trust in this clone, or in the project in the named folder")
	return func(ctx context.Context, args []string) error {
		switch {
		case list && revoke:
			return usage("trust", "--list and --revoke contradict each other: give one of them")
		case len(args) == 1 && args[0] == "checks" && revoke:
			return a.revokeChecks(ctx)
		case len(args) == 1 && args[0] == "checks" && list:
			return a.listChecks(ctx)
		case len(args) == 1 && args[0] == "checks":
			return a.trustChecks(ctx, yes, run)
		case yes || run:
			return usage("trust", "--yes and --run are for pawl trust checks")
		case len(args) == 1 && !revoke:
			return usage("trust", "only --revoke takes a folder: to trust a board, run pawl trust in the clone")
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
	if a.project().Told() {
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
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: a.asPerson("pawl trust")}
		return e
	}
	entry, changed, err := a.project().Trust(ctx, time.Now())
	if e, ok := errors.AsType[*pawl.Error](err); ok && board == "" {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help trust"}
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printTrusted(changed, entry)
	}
	a.print("Project %s\nasks for %s\nboard   %s\n", text.Line(entry.Project), text.Line(entry.Address), text.Line(entry.Board))
	switch {
	case changed && address.Is(entry.Board):
		a.print("Trusted while the settings name this address. It needs a token: pawl join. To revoke: pawl trust --revoke\n")
	case changed:
		a.print("Trusted while the address leads to this folder. To revoke: pawl trust --revoke\n")
	default:
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
	answer := trustJSON{Envelope: wire.NewEnvelope("trust"), Changed: changed, Trusted: []trustItem{}}
	for _, e := range entries {
		answer.Trusted = append(answer.Trusted, trustItem{e.Project, e.Address, e.Board, wire.Time(e.At)})
	}
	return a.printJSON(answer)
}
