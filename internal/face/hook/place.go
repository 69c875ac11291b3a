package hook

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/project/trust"
	"github.com/pawl-dev/pawl/nudge"

	"path/filepath"
	"time"
)

// A place is the project of a session: its folder, its board, and what people
// decided for it.
type place struct {
	project string
	board   string // its folder; empty: there is none, and hooks make none
	held    *settings.Settings
}

// find looks from a folder for what a session there works on.
func (env Env) find(dir, session string) (place, error) {
	var p place
	var files []*settings.File
	own, err := discover.Board(dir, env.Getenv("PAWL_BOARD"))
	if err == nil {
		p.project = filepath.Dir(own.Dir)
		if real, err := filepath.EvalSymlinks(p.project); err == nil {
			p.project = real
		}
	}
	if err == nil && own.Exists {
		p.board = own.Dir
		file := settings.Read(settings.Project, settings.ProjectFile(own.Dir))
		files = append(files, file)
		if env.Getenv("PAWL_BOARD") == "" {
			p.board = env.follow(own, file)
		}
	}
	if path, err := settings.UserFile(env.Getenv); err == nil {
		files = append(files, settings.Read(settings.User, path))
	}
	if path, err := settings.SessionFile(env.Getenv, session); err == nil {
		files = append(files, settings.Read(settings.Session, path))
	}
	p.held = settings.Merge(files...)
	return p, err
}

// follow returns the board that a project's settings name, where a person
// trusts that. A hook tells nobody where it is not so: commands do.
func (env Env) follow(own discover.Place, file *settings.File) string {
	board, said := file.Get("board")
	if !said {
		return own.Dir
	}
	ask, there, err := trust.Read(own.Dir, board.String())
	if err != nil || ask.Own(own.Dir) {
		return own.Dir
	}
	list, err := trust.Of(env.Getenv)
	if err != nil {
		return own.Dir
	}
	switch trusted, err := list.Has(ask); {
	case err != nil || !trusted:
		return own.Dir
	case !there.Exists:
		return "" // what the project's own board says is not what holds
	default:
		return there.Dir
	}
}

// nudges are the settings that the policy follows.
func (p place) nudges() nudge.Settings {
	return nudge.Settings{
		Continue:      settings.Of[bool](p.held, "todo-continuation"),
		Attempts:      settings.Of[int](p.held, "continuation.attempts"),
		PerPrompt:     settings.Of[int](p.held, "continuation.perPrompt"),
		Reminders:     settings.Of[bool](p.held, "reminders"),
		Threshold:     settings.Of[float64](p.held, "analyzer.threshold"),
		Cooldown:      settings.Of[time.Duration](p.held, "analyzer.cooldown"),
		EscalateAfter: settings.Of[int](p.held, "analyzer.escalateAfter"),
		StaleAfter:    settings.Of[int](p.held, "reminders.staleAfter"),
		Tokens:        settings.Of[int](p.held, "recovery.tokens"),
	}
}

// alone reports whether the settings say that nobody watches.
func (p place) alone() bool { return settings.Of[string](p.held, "interactive") == "never" }

// arguments reports whether the arguments of tool calls are kept.
func (p place) arguments() bool { return settings.Of[string](p.held, "toolCalls.arguments") != "off" }

// lease is how long an agent's claim holds; 0: for ever.
func (p place) lease() time.Duration { return settings.Of[time.Duration](p.held, "lease") }

// boardOf opens the board of a place, nil where there is none.
func (env Env) boardOf(p place) (*pawl.Board, error) {
	if p.board == "" {
		return nil, nil
	}
	return env.Open(p.board)
}
