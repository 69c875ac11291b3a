package main

import (
	"context"
	"errors"
	"os"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/pg"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/store/postgres"
)

// copied copies a board from one place to another.
func copied(ctx context.Context, from, to project.Board, make func() error) (transfer.Report, error) {
	source, end, err := side(ctx, from)
	if err != nil {
		return transfer.Report{}, err
	}
	defer end()
	is, err := source.Look(ctx, 0)
	if err != nil {
		return transfer.Report{}, err
	}
	if is.Revision == 0 && is.Tasks == 0 && is.Receiving == nil {
		return transfer.Report{}, pawl.Errorf(pawl.NotFound, "the board %s does not exist", from.Address.Board)
	}
	if err := make(); err != nil {
		return transfer.Report{}, err
	}
	target, done, err := side(ctx, to)
	if err != nil {
		return transfer.Report{}, err
	}
	r, err := transfer.Copy(ctx, source, target, nil)
	return r, errors.Join(err, done())
}

// A place is a board to copy from or to.
type place interface {
	transfer.Source
	transfer.Target
}

// side opens a board to copy from or to. One in a database may not exist yet.
func side(ctx context.Context, b project.Board) (place, func() error, error) {
	switch {
	case b.InDatabase():
		database, err := pg.Open(ctx, b.Address.DSN(os.Getenv))
		if err != nil {
			return nil, nil, err
		}
		return transfer.Store(postgres.Over(database).Board(b.Address.Board)), database.Close, nil
	case b.Distant():
		_, o, err := lineTo(b.Address, remote.Usual)
		if err != nil {
			return nil, nil, err
		}
		board, err := remote.Open(o)
		if err != nil {
			return nil, nil, err
		}
		return board, board.Close, nil
	}
	store, _, err := openFolder(b.Dir, false)
	if err != nil {
		return nil, nil, err
	}
	return transfer.Store(store), store.Close, nil
}
