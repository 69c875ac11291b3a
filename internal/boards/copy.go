package boards

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/transfer"
)

// A Side is a board to copy from or to.
type Side interface {
	transfer.Source
	transfer.Target
}

// Copier copies a board from one place to another, which open opens.
func Copier(open func(context.Context, project.Board) (Side, func() error, error)) func(ctx context.Context, from, to project.Board, make func() error) (transfer.Report, error) {
	return func(ctx context.Context, from, to project.Board, make func() error) (transfer.Report, error) {
		source, end, err := open(ctx, from)
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
		target, done, err := open(ctx, to)
		if err != nil {
			return transfer.Report{}, err
		}
		r, err := transfer.Copy(ctx, source, target, nil)
		return r, errors.Join(err, done())
	}
}

// FolderSide opens a board in a folder to copy from or to.
func FolderSide(dir string) (Side, func() error, error) {
	store, _, err := Folder(dir, false)
	if err != nil {
		return nil, nil, err
	}
	return transfer.Store(store), store.Close, nil
}
