package cli

import (
	"context"
	"io"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Env is everything that a command gets from outside: the process, and ports. A port that
// is nil cannot be reached from here.
type Env struct {
	Args    []string      // without the name of the program
	Program func() string // returns the path of the program; empty: unknown
	Started string        // how the program was called; may be empty
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string // the folder that the command runs in; empty when it is gone
	Build   Build

	Boards  Boards
	Git     *Git
	Sharing *Sharing
	Address *Address
	Agents  Agents
	Screens Screens
	Runs    *Runs
	Server  func(ctx context.Context, args []string) error // goes on as pawl-server, with the arguments of this command
	Host    *Host                                          // only of pawl-server, whose verbs are [ofServer]
}

// Boards opens boards, wherever they are, and keeps those in folders in order.
type Boards struct {
	Open    func(project.Board) (query.Board, error)                       // a board that exists; never makes one
	Briefly func(project.Board) (query.Board, error)                       // waits for no network: a shell completes a word, a line is drawn again and again
	Watched func(project.Board, func(warning string)) (query.Board, error) // with a watcher, for a command that runs on
	Empty   func() query.Board                                             // with nothing on it, for reading where there is none
	// Init makes a board, or changes whether git sees the one that is there.
	Init func(context.Context, Making) (Made, error)
	// Mend repairs a board in a folder or a database; with dry it only says what it would do.
	Mend    func(ctx context.Context, place project.Board, by pawl.Actor, dry bool) ([]pawl.Mended, error)
	KeepOut func(ctx context.Context, dir string) error // restores the files for git, after the board's settings were written
	Prepare func(dir string) error                      // lets readers keep an index in a board that is there, if git ignores it
}

// Git is what git has of the board and of the project's files.
type Git struct {
	Merge func(context.Context, Merging) (merge.Outcome, error) // merges the board with what git has brought together
	// State says how the board stands with git. It runs git only if git's files have
	// changed since it looked last.
	State     func(ctx context.Context, dir string) (merge.State, error)
	Committed func(ctx context.Context, file string) ([][]byte, error) // the texts of a file: in the commit that is checked out, and in the index
}

// Address reaches boards at addresses.
type Address struct {
	// Hello asks the server at the address of a credential what it is, and what the
	// token is good for. Without a token it fails; Unavailable: the server does not
	// answer, or not as one of Pawl does.
	Hello func(context.Context, credentials.Credential) (server.Hello, error)
	Page  func(context.Context, project.Board) (PageLink, error) // makes a link to the page of a board
	Left  func(at address.Address) error                         // erases what is remembered of an address
}

// Agents answers agents' programs, and keeps what belongs to their sessions.
type Agents struct {
	Serve  func(context.Context, Serving) error                              // until the input ends, or the context
	Hook   func(ctx context.Context, args []string) error                    // answers an event; never fails
	Proxy  func(ctx context.Context, command []string) (code int, err error) // runs an agent's program behind a proxy for an editor
	Todos  func(dir string) (*todo.Service, error)                           // the todo lists in a folder; never makes one before the first write
	Forget func(state, session string) (files int, err error)                // erases what hooks remember of a session in the user's state folder
}

// Screens show until the reader leaves them, or the context ends.
type Screens struct {
	Panel func(context.Context, Paneling) error   // a session's todo list on the terminal
	Look  func(context.Context, Looking) error    // the board on the terminal
	Web   func(context.Context, WebServing) error // the board in browsers
}
