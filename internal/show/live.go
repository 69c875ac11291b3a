package show

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Live is what a screen works with that shows a board as it changes.
type Live struct {
	By   pawl.Actor // the reader, who makes the changes
	Name string     // of the project; empty: none worth naming
	// Open opens the board, and returns nil if none exists. With write it makes a missing
	// one; note then says where.
	Open    func(ctx context.Context, write bool) (board query.Board, note string, err error)
	Await   func(ctx context.Context) (query.Board, error) // returns the board as soon as one exists
	Archive time.Duration                                  // completed tasks are shown for so long; zero: for ever

	Todos *todo.Service        // the todo lists of sessions; nil: none are shown
	Ours  func(todo.Head) bool // whether a list is of the project
	Keep  time.Duration        // how long finished lists are kept

	Checks Look // what this machine's clone knows of a task's checks; nil: what its file claims is all
	// Screened adds to a request the checks that the project asks, and refuses what a
	// person has to agree to first. Nil: no clone is here.
	Screened func(context.Context, query.Board, pawl.Request) (pawl.Request, error)
	Runs     runs.Watched // of this clone; nil: there can be none
}
