package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var initVerb = verb{
	name:  "init",
	use:   "[DIR] [flags]",
	short: "make a board, or choose its place",
	long: "Makes the folder .tasks in DIR, or at the root of the git work tree. Adding the first task does the same. Git sees a board that a person makes, so that it is versioned with the code. A board that an agent makes is hidden from git until a person runs pawl init --shared.\n\n" +
		"--private hides the board by a line in .git/info/exclude, which git does not share; --shared removes that line. Both work on an existing board, any number of times. Pawl does not hide a board that git tracks.\n\nAt a terminal, init also offers pawl setup git, which makes git call Pawl to merge tasks. If the board is empty and the remote has a shared board, init offers to use that: pawl share.",
	kind: "board",
	examples: []string{
		"pawl init",
		"pawl init --shared",
		"pawl init services/api --private",
	},
	max:   1,
	build: buildInit,
}

// boardJSON is the envelope of init.
type boardJSON struct {
	wire.Envelope
	Board   string `json:"board"`            // its folder
	Made    bool   `json:"made"`             // false: it existed already
	Private bool   `json:"private"`          // Pawl keeps all of it out of git
	Hidden  string `json:"hidden,omitempty"` // the line, not Pawl's, that keeps it out of git: file:number: text

	Offered *offeredJSON `json:"offered,omitempty"` // the shared board that the remote has, if this one is empty
}

func buildInit(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var private, shared bool
	cmd.Flags().BoolVar(&private, "private", false, "hide the board from git")
	cmd.Flags().BoolVar(&shared, "shared", false, "let git see the board (people only)")
	return func(ctx context.Context, args []string) error {
		var wanted *bool
		switch said := cmd.Flags().Changed; {
		case said("private") && said("shared") && private == shared:
			return usage("init", "--private and --shared contradict each other: give one of them")
		case said("private"):
			wanted = &private
		case said("shared"):
			hidden := !shared
			wanted = &hidden
		}
		named := ""
		if len(args) == 1 {
			named = args[0]
		} else if _, err := a.place(); err != nil {
			return err
		}
		place, err := a.project().ForInit(named)
		if err != nil {
			return err
		}
		if place.InDatabase() {
			return project.NeedsServer(place.Address)
		}
		if err := a.needsFolder(&place, "init makes a board in a folder", "pawl init DIR makes another one; pawl join --leave ends the use of this one"); err != nil {
			return err
		}
		by, was := gitexclude.Made(place.Dir)
		if wanted != nil && !*wanted && !a.caller().Person {
			return pawl.Errorf(pawl.Invalid, "only a person may let git see a board, and this is an agent's command").
				Say("ask a person to run pawl init --shared")
		}
		if wanted != nil && !*wanted {
			if err := a.hiddenByShare(place); err != nil {
				return err
			}
		}
		var there *Offered
		if wanted == nil {
			there = a.offered(ctx, place)
			if done, err := a.takePart(ctx, place, there); done || err != nil {
				return err
			}
		}
		if wanted != nil && place.Exists && !was {
			before, err := a.makeBoard(ctx, Making{Dir: place.Dir, Asked: true})
			if err != nil {
				return err
			}
			was = before.Hidden
		}
		made, err := a.makeBoard(ctx, Making{Dir: place.Dir, Hidden: wanted, Agent: a.agentName(), Asked: true})
		if err != nil {
			return err
		}
		board, err := a.env.Boards.Open(place) // what cannot be opened is not a board
		if err != nil {
			return err
		}
		a.board = board
		if a.json {
			return a.printJSON(boardJSON{wire.NewEnvelope("board"), place.Dir, !place.Exists, made.Hidden, made.Git.Rule, a.offeredJSON(there)})
		}
		dir := text.Line(place.Dir)
		if status, err := a.sharedAt(place.Dir); err != nil || status != nil {
			if err == nil {
				a.print("The board is in %s, shared through %s; hidden from git (pawl share --stop)\n", dir, text.Line(status.Remote))
			}
			return err
		}
		switch turned := wanted != nil && place.Exists && made.Hidden != was; {
		case turned && made.Hidden:
			a.print("Git no longer sees %s (pawl init --shared: again)\n", dir)
		case turned && made.Git.Rule != "":
			a.print("Pawl no longer hides %s, but git ignores it: %s\n", dir, text.Line(made.Git.Rule))
		case turned && made.Git.Git:
			a.print("Git sees %s now%s\n", dir, a.readFirst(ctx, by))
		case turned:
			a.print("Pawl no longer hides %s\n", dir)
		case place.Exists && made.Hidden && !made.Git.Git:
			a.print("The board is in %s; hidden from git (pawl init --shared)\n", dir)
		case place.Exists:
			a.print("The board is in %s%s\n", dir, gitClause(made))
		default:
			a.print("Made a board in %s%s\n", dir, gitClause(made))
		}
		if there != nil && !a.atTerminal() {
			a.print("%s: %s\n", there.sentence(), a.command("share"))
			return nil
		}
		return a.initGit(ctx, place.Dir)
	}
}

// readFirst advises a person who shares what an agent wrote.
func (a *app) readFirst(ctx context.Context, by string) string {
	if by == "" {
		return ""
	}
	found, err := asked(ctx, a, query.OverviewQuery{})
	n := found.Counts.Open + found.Counts.Completed
	if err != nil || n == 0 {
		return ""
	}
	if !strings.HasSuffix(by, "s") {
		by += "'s"
	} else {
		by += "'"
	}
	return fmt.Sprintf(". Read %s %s first: pawl list", by, text.Count(n, "task", "tasks"))
}
