package cli

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/project/trust"
)

// follow returns the board that the settings beside the project's own name, if
// that is trusted. Nearly always there are none, which costs one look. One that
// is trusted and not there is an error: a new one in the place of what is only
// not mounted would be a second plan.
func (a *app) follow(own discover.Place) (discover.Place, error) {
	ask, place, asked := a.asks(own)
	if !asked {
		return own, nil
	}
	list, err := trust.Of(a.env.Getenv)
	if err == nil {
		var trusted bool
		if trusted, err = list.Has(ask); trusted && !place.Exists {
			e := pawl.Errorf(pawl.Unavailable, "the board that this project uses, %s, is not there", ask.Board)
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "bring it back, or make it: " + commandLine("pawl init", "--board", ask.Board)}
			return own, e
		}
		if trusted {
			return place, nil
		}
	}
	if err != nil && pawl.KindOf(err) != pawl.NotFound { // who has no home trusts nothing
		a.once("%s", err)
	}
	a.once("this project asks for the board in %s, which is not trusted: its own is used", ask.Board)
	a.once("hint: %s", a.trustHint())
	return own, nil
}

// asks returns which other board the settings beside a project's own name, and
// its place. What is wrong with them is told.
func (a *app) asks(own discover.Place) (trust.Ask, discover.Place, bool) {
	file := a.projectSettings(settings.ProjectFile(own.Dir))
	for _, p := range file.Problems {
		if p.Error {
			a.problem(p)
		}
	}
	board, said := file.Get("board")
	if !said {
		return trust.Ask{}, own, false
	}
	ask, place, err := trust.Read(own.Dir, board.String())
	if err != nil {
		a.once("%s", err)
	}
	return ask, place, err == nil && !ask.Own(own.Dir)
}

// trustHint is the next step for whom it is for: an agent that follows hints
// shall not be the one who trusts.
func (a *app) trustHint() string {
	if a.caller().Person {
		return "pawl trust"
	}
	return "ask a person to run pawl trust"
}
