package project

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// follow returns the board that the settings beside the project's own name, if
// that is trusted. Nearly always it has no settings, which costs one look.
func (p *Project) follow(own Board) (Board, error) {
	ask, place, warnings, asked := p.asks(own)
	own.Warnings = warnings
	if !asked {
		return own, nil
	}
	list, err := consent.Of(p.from.Getenv)
	var trusted bool
	if err == nil {
		trusted, err = list.Has(consent.At(ask.Project, own.Dir), consent.Board, ask.given().Thing)
	}
	switch {
	case trusted && address.Is(ask.Board):
		board, err := at(ask.Board, Settings)
		board.Warnings, board.Stray = warnings, own.Stray
		return board, err
	case trusted && !place.Exists:
		return Board{Place: place, Source: Settings}, pawl.Errorf(pawl.Unavailable, "the board that this project uses, %s, does not exist", ask.Board)
	case trusted:
		return Board{Place: place, Source: Settings, Warnings: warnings, Stray: own.Stray}, nil
	}
	if err != nil && pawl.KindOf(err) != pawl.NotFound { // without a home nothing is trusted
		own.Warnings = append(own.Warnings, err.Error())
	}
	own.Untrusted = ask.Board
	return own, nil
}

// asks returns what the settings beside a project's own board ask for, and its
// place, if that is another board.
func (p *Project) asks(own Board) (ask Ask, place discover.Place, warnings []string, asked bool) {
	warnings = p.wrong(own)
	board, said := p.read(settings.Project, settings.ProjectFile(own.Dir)).Get("board")
	if !said {
		return ask, place, warnings, false
	}
	ask, place, err := readAsk(own.Dir, board.String())
	if err != nil {
		return ask, place, append(warnings, err.Error()), false
	}
	return ask, place, warnings, !ask.own(own.Dir)
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
func (p *Project) Trust(ctx context.Context, now time.Time) (Ask, bool, error) {
	own, err := p.Own()
	if err != nil {
		return Ask{}, false, err
	}
	ask, _, _, asked := p.asks(own)
	if !asked {
		return Ask{}, false, pawl.Errorf(pawl.NotFound, "the settings of this project name no other board")
	}
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return Ask{}, false, err
	}
	p.Again()
	changed, err := list.Add(ctx, consent.At(ask.Project, own.Dir), now, ask.given())
	return ask, changed, err
}

// Distrust takes back that the settings of this project lead to another board.
func (p *Project) Distrust(ctx context.Context) error {
	own, err := p.Own()
	if err != nil {
		return err
	}
	return p.takeBack(ctx, own.Dir, consent.Board)
}

// Leave takes back that this project has joined a board, or has tried to.
func (p *Project) Leave(ctx context.Context) error {
	return p.takeBack(ctx, "", consent.Join, consent.Joining)
}

func (p *Project) takeBack(ctx context.Context, board string, kinds ...consent.Kind) error {
	root, err := p.Root()
	if err != nil {
		return err
	}
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return err
	}
	p.Again()
	_, err = list.Here(ctx, consent.At(root, board), kinds...)
	return err
}
