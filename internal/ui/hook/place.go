package hook

import (
	"cmp"
	"time"

	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
)

// A place is the project of a session: its folder, its board, and what people
// decided for it.
type place struct {
	project string
	board   *project.Board // nil: there is none, and hooks make none
	values  *settings.Settings
}

// find looks from a folder for what a session there works on. Where a board that
// the settings name is not trusted a hook tells nobody: commands do.
func (env Env) find(dir, session string) (place, error) {
	var p place
	works := project.Open(project.From{Dir: dir, Getenv: env.Getenv})
	board, err := works.Board()
	switch {
	case err == nil && board.Exists:
		p.board = &board
	case board.Source == project.Settings:
		err = nil // it is not there, and what the project's own board says is not what holds
	}
	root, missing := works.Root()
	p.project = root
	p.values, _ = works.Settings(session)
	return p, cmp.Or(err, missing)
}

// nudges are the settings that the policy follows.
func (p place) nudges() nudge.Settings {
	s := nudge.Defaults
	s.Attempts, s.StaleAfter = settings.Of[int](p.values, "todo-continuation"), settings.Of[int](p.values, "reminders")
	s.Continue, s.Reminders = s.Attempts > 0, s.StaleAfter > 0
	s.Suggest = p.suggestions() != "off"
	s.ModelTokens = settings.Of[int](p.values, "recovery.tokens")
	return s
}

// suggestions say whether a list is proposed: on, off, or auto.
func (p place) suggestions() string { return settings.Of[string](p.values, "suggestions") }

// alone reports whether the settings say that nobody watches.
func (p place) alone() bool { return settings.Of[string](p.values, "interactive") == "never" }

// arguments reports whether the arguments of tool calls are kept.
func (p place) arguments() bool { return settings.Of[string](p.values, "toolCalls.arguments") != "off" }

// lease is how long an agent's claim holds; 0: for ever.
func (p place) lease() time.Duration { return settings.Of[time.Duration](p.values, "lease") }

// folder is that of the board; empty: there is none, or it is at an address.
func (p place) folder() string {
	if p.board == nil {
		return ""
	}
	return p.board.Dir
}

// boardOf opens the board of a place, nil where there is none.
func (env Env) boardOf(p place) (query.Board, error) {
	if p.board == nil {
		return nil, nil
	}
	return env.Open(*p.board)
}
