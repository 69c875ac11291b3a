package main

import (
	"context"

	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/remote"
)

// side opens a board to copy from or to.
func side(_ context.Context, b project.Board) (boards.Side, func() error, error) {
	if !b.Distant() {
		return boards.FolderSide(b.Dir)
	}
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
