package project

import (
	"context"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/project/trust"
)

// Trusted is a board that a project may name, because a person said so.
type Trusted = trust.Entry

// follow returns the board that the settings beside the project's own name, if
// that is trusted. Nearly always it has no settings, which costs one look.
func (p *Project) follow(own Board) (Board, error) {
	ask, place, warnings, asked := p.asks(own)
	own.Warnings = warnings
	if !asked {
		return own, nil
	}
	list, err := trust.Of(p.from.Getenv)
	var trusted bool
	if err == nil {
		trusted, err = list.Has(ask)
	}
	switch {
	case trusted && address.Is(ask.Board):
		board, err := at(ask.Board, Settings)
		board.Warnings = warnings
		return board, err
	case trusted && !place.Exists:
		return Board{Place: place, Source: Settings}, pawl.Errorf(pawl.Unavailable, "the board that this project uses, %s, does not exist", ask.Board)
	case trusted:
		return Board{Place: place, Source: Settings, Warnings: warnings}, nil
	}
	if err != nil && pawl.KindOf(err) != pawl.NotFound { // without a home nothing is trusted
		own.Warnings = append(own.Warnings, err.Error())
	}
	own.Untrusted = ask.Board
	return own, nil
}

// asks returns what the settings beside a project's own board ask for, and its
// place, if that is another board.
func (p *Project) asks(own Board) (ask trust.Ask, place discover.Place, warnings []string, asked bool) {
	warnings = p.wrong(own)
	board, said := p.read(settings.Project, settings.ProjectFile(own.Dir)).Get("board")
	if !said {
		return ask, place, warnings, false
	}
	ask, place, err := trust.Read(own.Dir, board.String())
	if err != nil {
		return ask, place, append(warnings, err.Error()), false
	}
	return ask, place, warnings, !ask.Own(own.Dir)
}

// wrong says what is wrong in the settings beside a board.
func (p *Project) wrong(own Board) (warnings []string) {
	for _, problem := range p.read(settings.Project, settings.ProjectFile(own.Dir)).Problems {
		if problem.Error {
			warnings = append(warnings, problem.String())
		}
	}
	return warnings
}

// Named returns the other board that the project's settings name, empty if they
// name none. Warnings say what is wrong with them.
func (p *Project) Named() (board string, warnings []string, err error) {
	own, err := p.Own()
	if err != nil {
		return "", nil, err
	}
	ask, _, warnings, asked := p.asks(own)
	if !asked {
		return "", warnings, nil
	}
	return ask.Board, warnings, nil
}

// Trust lets the settings of this project lead to the board that they name now.
// It reports whether that is new. With NotFound they name none.
func (p *Project) Trust(ctx context.Context, now time.Time) (Trusted, bool, error) {
	own, err := p.Own()
	if err != nil {
		return Trusted{}, false, err
	}
	ask, _, _, asked := p.asks(own)
	if !asked {
		return Trusted{}, false, pawl.Errorf(pawl.NotFound, "the settings of this project name no other board")
	}
	list, err := trust.Of(p.from.Getenv)
	if err != nil {
		return Trusted{}, false, err
	}
	p.board = nil
	changed, err := list.Add(ctx, ask, now)
	return Trusted{Ask: ask, At: now}, changed, err
}

// Revoke takes the trust in the board of a project back, and returns what was
// trusted. A project that is not named is this one.
func (p *Project) Revoke(ctx context.Context, project string) (string, []Trusted, error) {
	switch {
	case project == "":
		own, err := p.Own()
		if err != nil {
			return "", nil, err
		}
		project = filepath.Dir(own.Dir)
	case !filepath.IsAbs(project):
		project = filepath.Join(p.from.Dir, project)
	}
	list, err := trust.Of(p.from.Getenv)
	if err != nil {
		return project, nil, err
	}
	p.board = nil
	gone, err := list.Revoke(ctx, project)
	return project, gone, err
}

// AllTrusted returns what the user trusts, in all projects.
func AllTrusted(getenv func(string) string) ([]Trusted, error) {
	list, err := trust.Of(getenv)
	if err != nil {
		return nil, err
	}
	return list.All()
}
