package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/discover"
	"github.com/pawl-dev/pawl/internal/view"
)

var initVerb = verb{
	name:  "init",
	use:   "[DIR] [flags]",
	short: "choose where the board is kept",
	long:  "Makes the folder .tasks in DIR, or at the root of the git work tree. The first task that is added does the same. The board is versioned with the code, unless it is private.",
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
	view.Envelope
	Board   string `json:"board"`   // its folder
	Made    bool   `json:"made"`    // false: it was there already
	Private bool   `json:"private"` // all of it is kept out of git
}

func buildInit(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var private bool
	cmd.Flags().BoolVar(&private, "private", false, "keep all of it out of git")
	return func(_ context.Context, args []string) error {
		place, err := a.place()
		if len(args) == 1 {
			place, err = discover.ForInit(a.env.Dir, args[0])
		}
		if err != nil {
			return err
		}
		if err := a.makeBoard(place.Dir, private); err != nil {
			return err
		}
		board, err := a.env.Open(place.Dir) // what cannot be opened is no board
		if err != nil {
			return err
		}
		a.board = board
		if a.json {
			return a.printJSON(boardJSON{view.NewEnvelope("board"), place.Dir, !place.Exists, private})
		}
		if place.Exists {
			a.print("The board is in %s\n", view.Line(place.Dir))
			return nil
		}
		a.print("Made a board in %s\n", view.Line(place.Dir))
		return nil
	}
}
