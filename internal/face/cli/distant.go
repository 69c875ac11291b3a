package cli

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
)

// tokenName is what the server calls the caller on a board at an address, where no
// other name counts; empty: the board is in a folder, or the server is not known.
func (a *app) tokenName() string {
	place, err := a.project().Board()
	if err != nil || !place.Distant() {
		return ""
	}
	known, err := credentials.Find(a.env.Getenv, place.Address)
	if err != nil {
		return "" // opening the board says it
	}
	name := known.Name
	if name == "" {
		board, err := a.open()
		if err != nil {
			return ""
		}
		if distant, ok := asDistant(board); ok {
			name = distant.Name()
		}
	}
	for _, other := range []struct{ said, name string }{{"--as", a.asked()}, {caller.EnvName, a.env.Getenv(caller.EnvName)}} {
		if other.name != "" && other.name != name && name != "" {
			a.once("%s has no effect on a board at an address: by your token you are %s there", other.said, text.Line(name))
		}
	}
	return name
}

// asDistant is a board as one at an address, behind what the command line puts before
// it.
func asDistant(board ask.Board) (ask.Distant, bool) {
	if opened, ok := board.(openedBoard); ok {
		board = opened.Board
	}
	distant, ok := board.(ask.Distant)
	return distant, ok
}

// needsFolder refuses a verb that works on the files of a board, at an address, and says
// what to do there.
func (a *app) needsFolder(place *project.Board, does, instead string) error {
	if !place.Distant() {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "%s, and this board is on a server: %s", does, place.Address)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: instead}
	return e
}

// whereOf says where a board is: "in /src/shop/.tasks", "at https://host/boards/shop".
func whereOf(place *project.Board) string {
	if place.Distant() {
		return "at " + place.Address.String()
	}
	return "in " + text.Line(place.Dir)
}

// nameOf is what a person calls the project of a board: its folder, or its name on
// the server.
func nameOf(place *project.Board) string {
	if place.Distant() {
		return place.Address.Board
	}
	return projectName(place.Dir)
}
