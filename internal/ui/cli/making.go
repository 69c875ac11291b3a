package cli

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Making is a board to be made, or one whose place in git is to change.
type Making struct {
	Dir    string
	Hidden *bool  // keep it out of git, or let git see it; nil: leave a board as it is, and hide a new one that an agent makes
	Agent  string // the agent that makes it; empty: a person does
	Asked  bool   // for a board, and not as the place of a first task
}

// Made is the outcome of a Making.
type Made struct {
	Hidden   bool  // Pawl keeps it out of git
	Git      Sight // asked for when it was made or changed
	Warnings []string
}

// A Sight is what git sees of a board. The zero value: no git, or no answer.
type Sight struct {
	Git     bool   // git manages the folder
	Hidden  bool   // git sees no new task
	Rule    string // the line that hides it, if it is not Pawl's
	Tracked int    // how many of its files git tracks
}

// makeBoard makes a board and passes on what is to be said about its place.
func (a *app) makeBoard(ctx context.Context, m Making) (Made, error) {
	board, err := a.project().Board()
	switch here := err == nil && board.Dir == m.Dir; {
	case here && board.Pending != "":
		return Made{}, project.Unjoined(a.env.Getenv, m.Dir)
	case here && board.Stray != "" && !m.Asked:
		next := a.asPerson(commandLine("pawl join", board.Stray))
		if a.caller().Person {
			next += "; for a board of this clone alone: pawl init"
		}
		return Made{}, pawl.Errorf(pawl.Conflict, "no board is made here, because another clone has joined %s", text.Line(board.Stray)).Say(next)
	}
	made, err := a.env.Boards.Init(ctx, m)
	for _, w := range made.Warnings {
		a.once("%s", w)
	}
	return made, err
}

// agentName is the agent that runs this command; empty: a person does.
func (a *app) agentName() string {
	if who := a.caller(); !who.Person {
		return who.Name
	}
	return ""
}

// madeLine says that a board was made, and whether git sees it.
func madeLine(place *project.Board, made Made) string {
	return "made a board " + whereOf(place) + gitClause(made)
}

// gitClause is what git sees of a board, to end a sentence with.
func gitClause(made Made) string {
	switch sight := made.Git; {
	case made.Hidden && sight.Tracked > 0:
		return "; git tracks " + text.Count(sight.Tracked, "file", "files") + " of it and sees no new ones (pawl init --shared)"
	case made.Hidden && sight.Git:
		return "; hidden from git (pawl init --shared)"
	case sight.Rule != "":
		return "; git ignores it: " + text.Line(sight.Rule)
	case sight.Git:
		return "; git sees it, pawl init --private hides it"
	}
	return "" // outside of git nobody asks
}
