package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var initVerb = verb{
	name:  "init",
	use:   "[DIR] [flags]",
	short: "make a board, or choose its place",
	long:  "Makes the folder .tasks in DIR, or at the root of the git work tree. Adding the first task does the same. The board is versioned with the code unless it is private. On an existing board, --private keeps it out of git from now on, and --private=false lets it in.",
	kind:  "board",
	examples: []string{
		"pawl init",
		"pawl init services/api --private",
	},
	max:   1,
	build: buildInit,
}

// boardJSON is the envelope of init.
type boardJSON struct {
	wire.Envelope
	Board   string `json:"board"`   // its folder
	Made    bool   `json:"made"`    // false: it existed already
	Private bool   `json:"private"` // its .gitignore keeps all of it out of git
}

func buildInit(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var private bool
	cmd.Flags().BoolVar(&private, "private", false, "keep the board out of git")
	return func(_ context.Context, args []string) error {
		place, err := a.place()
		if len(args) == 1 {
			place, err = a.project().ForInit(args[0])
		}
		if err != nil {
			return err
		}
		var was bool
		var wanted *bool
		if cmd.Flags().Changed("private") {
			wanted = &private
			if place.Exists {
				if was, err = a.makeBoard(place.Dir, nil); err != nil {
					return err
				}
			}
		}
		is, err := a.makeBoard(place.Dir, wanted)
		if err != nil {
			return err
		}
		board, err := a.env.Open(place.Dir) // what cannot be opened is not a board
		if err != nil {
			return err
		}
		a.board = board
		turned := wanted != nil && place.Exists && is != was
		switch how := sharing(is); {
		case a.json:
			if err := a.printJSON(boardJSON{wire.NewEnvelope("board"), place.Dir, !place.Exists, is}); err != nil {
				return err
			}
		case turned:
			a.print("The board is now %s: %s\n", how, text.Line(place.Dir))
		case place.Exists && is:
			a.print("The board is %s, in %s\n", how, text.Line(place.Dir))
		case place.Exists:
			a.print("The board is in %s\n", text.Line(place.Dir))
		case is:
			a.print("Made a %s board in %s\n", how, text.Line(place.Dir))
		default:
			a.print("Made a board in %s\n", text.Line(place.Dir))
		}
		if err := a.flush(); err == nil && turned && is {
			a.say("committed task files stay in git until you remove them with git rm --cached, which leaves them on the disk")
		}
		return nil
	}
}

// sharing is a word for whether a board is kept out of git.
func sharing(private bool) string {
	if private {
		return "private"
	}
	return "shared"
}
