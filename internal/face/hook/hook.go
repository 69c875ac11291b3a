// Package hook answers the hooks of coding agents: an agent's program starts
// `pawl hook --agent NAME` at each step, writes what happens to its standard
// input, and does what the answer says.
//
//	stdin ─→ Dialect.Decode ─→ Event ─→ policy, todo lists, board ─→ Answer ─→ Dialect.Encode ─→ stdout
//
// It is never in an agent's way: whatever goes wrong becomes a line in the log,
// an empty answer and exit code 0; it ends after a second at the latest; and it
// prints nothing but the answer.
package hook

import (
	"context"
	"io"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// Env is everything that a hook gets from outside.
type Env struct {
	Args   []string // after the verb: --agent NAME [--event E]
	Stdin  io.Reader
	Stdout io.Writer
	Getenv func(string) string
	Dir    string // the folder that the hook runs in; empty when it is gone
	Now    func() time.Time

	Open  func(dir string) (*pawl.Board, error)   // opens the board in a folder; never makes one
	Todos func(dir string) (*todo.Service, error) // the todo lists that are kept in a folder
	// Command runs pawl with other arguments, as a person does, and returns what
	// it says.
	Command func(ctx context.Context, args []string) (text string, code int)
}

// Run answers one event. It never fails: see the package's comment.
func Run(ctx context.Context, env Env) {}
