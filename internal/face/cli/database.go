package cli

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A board in a database is opened by this process, as one in a folder is. Only the
// database knows whether it exists, so it is opened to find out, once.

// seek finds out whether the board of a place in a database exists. The board that was
// opened for that is kept for [app.openAt].
func (a *app) seek(place *project.Board) error {
	if a.exists == place.Address {
		return nil
	}
	open := a.env.Open
	if a.brief && a.env.OpenBriefly != nil {
		open = a.env.OpenBriefly
	}
	board, err := open(*place)
	if _, none := errors.AsType[project.NoBoard](err); none {
		place.Exists = false
		return nil
	}
	if err != nil {
		return err
	}
	a.exists, a.held = place.Address, board
	return nil
}

// openAt opens the board of a place that exists.
func (a *app) openAt(place project.Board, open func(project.Board) (ask.Board, error)) (ask.Board, error) {
	if board := a.held; board != nil && place.InDatabase() {
		a.held = nil
		return board, nil
	}
	board, err := open(place)
	if b, is := board.(interface{ Back() bool }); is && err == nil && b.Back() {
		a.once("the board's files were missing; restored from git's folder")
	}
	return board, err
}

// openWatchedAt is openAt for a command that runs on.
func (a *app) openWatchedAt(place project.Board, warn func(string)) (ask.Board, error) {
	return a.openAt(place, func(place project.Board) (ask.Board, error) { return a.env.OpenWatched(place, warn) })
}

// letGo closes what was opened to find out whether it exists, and not used.
func (a *app) letGo() {
	if a.held != nil {
		a.held.Close()
		a.held = nil
	}
}

// initDatabase makes the board of a place in a database, if there is none.
func (a *app) initDatabase(ctx context.Context, place project.Board, git bool) error {
	if git {
		return a.needsFolder(&place, "--private and --shared say what git sees of a board in a folder", "leave them out: pawl init")
	}
	if !place.Exists {
		if _, err := a.makeBoard(ctx, Making{Address: place.Address, Agent: a.agentName()}); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(boardJSON{Envelope: wire.NewEnvelope("board"), Board: place.Where(), Made: !place.Exists})
	}
	did := map[bool]string{true: "The board is", false: "Made a board"}[place.Exists]
	a.print("%s %s\n", did, whereOf(&place))
	return nil
}

// shareDatabase says how others take part in a board in a database.
func shareDatabase(place *project.Board) string {
	return "others use it through a server, at https://HOST/boards/" + text.Line(place.Address.Board) + ": docs/many-machines.md"
}
