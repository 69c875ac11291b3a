package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var trustVerb = verb{
	name:  "trust",
	use:   "[checks | FOLDER] [flags]",
	short: "trust the board that this clone's settings name, or the checks of its tasks",
	long: "The project's setting board names a board in another folder, or at the address of a server. Anybody may have written it, so Pawl uses that board only if you trust it: this address, in this clone, while it leads to the folder that is shown. Until then Pawl uses the clone's own board. Only a person can trust a board, not an agent. A board on a server also needs a token: pawl join trusts the address and asks for it.\n\n" +
		"trust checks shows in full the commands that this project's tasks and settings run, and trusts exactly these in this clone: program, arguments, folder, variables and time. A changed command must be trusted again. The project's settings run.setup and run.copy are trusted there too: a command, and paths that agents can read, in each new work tree of pawl run. If a task has lost a check that was trusted, pawl done refuses it until you agree here. Afterwards it offers to run the checks of waiting tasks. If they pass, a task that an agent has finished is completed, and a completed one is shown to be done; if one fails, a finished task is ready again.\n\n" +
		"Trust belongs to a clone, with its linked work trees, and to one board, folder and command in it. It is kept in consent.json in your state folder. In a clone that was moved, copied, unpacked or made again at the same path, Pawl asks again. --list shows all that you have agreed to: boards, joins, shares and checks, and the tokens and permissions that are kept elsewhere. --forget revokes it in this clone, or with FOLDER in all clones that are or were there.",
	kind: "trust",
	examples: []string{
		"pawl trust",
		"pawl trust checks",
		"pawl trust --list",
		"pawl trust --forget",
	},
	max:   1,
	build: buildTrust,
}

// trustJSON is the envelope of trust.
type trustJSON struct {
	wire.Envelope
	Changed bool           `json:"changed"`           // something is trusted now that was not, or is no longer
	Trusted []trustItem    `json:"trusted"`           // with --list all that you have agreed to, with --forget what you no longer agree to, else what is trusted here
	Waiting []waitingCheck `json:"waiting,omitempty"` // with trust checks: what waits for a person's trust
}

// trustItem is something that a person has agreed to.
type trustItem struct {
	Kind    string      `json:"kind"`              // board, join, share, check, setup or copy; kept elsewhere: token, permission or flag
	What    string      `json:"what"`              // as it was shown
	Name    string      `json:"name,omitempty"`    // of a check: what it is called now
	Sum     string      `json:"sum,omitempty"`     // of a check: of all that decides what runs
	Project string      `json:"project,omitempty"` // the folder that it is for
	Board   string      `json:"board,omitempty"`   // of which board: its folder or address
	In      string      `json:"in,omitempty"`      // the file that keeps it, of what is kept elsewhere
	At      wire.Moment `json:"at,omitzero"`       // since when; absent: that is not known
	By      string      `json:"by,omitempty"`      // whose login it was
	Gone    bool        `json:"gone,omitempty"`    // it has no effect: its clone is gone, or is elsewhere
	at      time.Time
}

func buildTrust(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var list, forget, yes, run bool
	cmd.Flags().BoolVar(&run, "run", false, "with checks: then run the checks of tasks that wait for trust, without asking")
	cmd.Flags().BoolVar(&yes, "yes", false, "with checks: trust what is shown without asking")
	cmd.Flags().BoolVar(&list, "list", false, "list all that you have agreed to, in all clones")
	cmd.Flags().BoolVar(&forget, "forget", false, "revoke all that you have agreed to in this clone, or in clones in the named folder")
	return func(ctx context.Context, args []string) error {
		checks := len(args) == 1 && args[0] == "checks"
		switch {
		case list && forget:
			return usage("trust", "--list and --forget contradict each other: give one of them")
		case (yes || run) && (list || forget || !checks):
			return usage("trust", "--yes and --run are for pawl trust checks")
		case list && len(args) > 0:
			return usage("trust", "--list takes no argument: it lists all that you have agreed to, the checks too")
		case list:
			return a.listConsents()
		case forget && checks:
			return usage("trust", "--forget takes back all of this clone: leave out %q", args[0])
		case forget:
			return a.forgetConsents(ctx, args)
		case checks:
			return a.trustChecks(ctx, yes, run)
		case len(args) == 1:
			return usage("trust", "only --forget takes a folder: to trust a board, run pawl trust in the clone")
		}
		return a.trust(ctx)
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
	if board != "" {
		if err := a.consents("trust "+board, "pawl trust"); err != nil {
			return err
		}
	}
	ask, changed, err := a.project().Trust(ctx, time.Now())
	if e, ok := errors.AsType[*pawl.Error](err); ok && board == "" {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help trust"}
	}
	if err != nil {
		return err
	}
	if a.json {
		all, err := a.project().TrustedBoards()
		if err != nil {
			return err
		}
		return a.printConsentsOf(changed, all)
	}
	a.print("Project %s\nasks for %s\nboard   %s\n", text.Line(ask.Project), text.Line(ask.Address), text.Line(ask.Board))
	switch {
	case changed && address.Is(ask.Board):
		a.print("Trusted while the settings name this address. It needs a token: pawl join. To take it back: pawl trust --forget\n")
	case changed:
		a.print("Trusted while the address leads to this folder. To take it back: pawl trust --forget\n")
	default:
		a.print("Unchanged: already trusted\n")
	}
	return nil
}
