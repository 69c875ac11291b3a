package main

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/tool"
)

// boards gives the tools the board that the command line opens.
func boards(open func(context.Context, tool.Caller, bool) (*pawl.Board, string, error)) func(context.Context, tool.Caller, bool) (ask.Board, string, error) {
	return func(ctx context.Context, by tool.Caller, write bool) (ask.Board, string, error) {
		board, note, err := open(ctx, by, write)
		if err != nil {
			return nil, note, err
		}
		return ask.Local(board), note, nil
	}
}

// awaited is the board that the command line waits for.
func awaited(await func(context.Context) (*pawl.Board, error)) func(context.Context) (ask.Board, error) {
	return func(ctx context.Context) (ask.Board, error) {
		board, err := await(ctx)
		if err != nil {
			return nil, err
		}
		return ask.Local(board), nil
	}
}
