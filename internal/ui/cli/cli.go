// Package cli is the command line of Pawl, for people and for agents' shells.
//
// Rules of every verb: data goes to stdout, messages to stderr behind "pawl: "; sentences
// begin with a small letter and end without a full stop. --json turns stdout into one
// envelope, errors included, so that no second call is needed. An error says what is wrong
// and, as a hint, what to type next; a hint never destroys anything. Exit codes are those of
// [ExitCode].
//
// A verb reads its arguments, asks the board, and prints; the rules are in
// package pawl. verbs.go lists the verbs. Each has a file of its name, and what
// only it needs is in files that begin with that name (import_passes.go). The
// other files serve all verbs:
//
//	arguments  cli.go builds the command tree; flags.go, filter.go and input.go
//	           read flags and texts; aliases*.go turn other programs' words into ours
//	the board  open.go finds and opens it; settings.go; server.go for commands that run on
//	requests   request.go says who asks; result.go and dryrun.go tell what came of it
//	printing   output.go; list_page.go prints a page of tasks; progress.go, confirm.go
//	errors     errors.go has the exit codes, hint.go the command to type next
//	help       help.go and help_page.go; verbs_kinds.go lists what --json answers
package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// Env is everything that a command gets from outside.
type Env struct {
	Args []string // without the name of the program
	// Program returns the path of the program, and Started is how it was called; both
	// may be empty.
	Program func() string
	Started string
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string // the folder that the command runs in; empty when it is gone
	Build   Build

	// Open opens a board that exists, and never makes one.
	Open func(project.Board) (query.Board, error)
	// OpenBriefly opens a board for one who waits for no network: a shell that completes
	// a word, a line that is drawn again and again. Nil: as Open.
	OpenBriefly func(project.Board) (query.Board, error)
	OpenWatched func(project.Board, func(warning string)) (query.Board, error) // opens it with a watcher, for a command that runs on
	// Init makes a board, or changes whether git sees the one that is there.
	Init func(context.Context, Making) (Made, error)
	// Mend repairs a board in a folder or a database; with dry it only says what it
	// would do. Nil: the board is kept elsewhere.
	Mend func(ctx context.Context, place project.Board, by pawl.Actor, dry bool) ([]pawl.Mended, error)
	// KeepOut restores the files for git of a board in a folder, whose settings were written.
	// Nil: the board is kept elsewhere.
	KeepOut func(ctx context.Context, dir string) error
	// Merge merges the board with what git has brought together. Nil: the board is kept
	// elsewhere.
	Merge func(context.Context, Merging) (merge.Outcome, error)
	// State says how the board stands with git. It runs git only if git's files have
	// changed since it looked last. Nil: as Merge.
	State func(ctx context.Context, dir string) (merge.State, error)
	// Committed returns the texts that git has of a file: of the commit that is checked
	// out, and of the index. Nil: git is not asked.
	Committed func(ctx context.Context, file string) ([][]byte, error)
	// Sharing shares the board through a git remote. Nil: as Merge.
	Sharing *Sharing
	// Hello asks the server at the address of a credential what it is, and what the
	// token is good for. Without a token it fails; Unavailable: the server does not
	// answer, or not as one of Pawl does. Nil: as Merge.
	Hello func(context.Context, credentials.Credential) (server.Hello, error)
	// Prepare lets readers keep an index in a board that is there, if git ignores it.
	Prepare func(dir string) error
	Empty   func() query.Board // a board with nothing on it, for reading where there is none

	Todos func(dir string) (*todo.Service, error) // the todo lists that are kept in a folder; never makes one before the first write
	// Left erases what is remembered of an address. Nil: no board is at one.
	Left  func(at address.Address) error
	Serve func(context.Context, Serving) error     // serves an agent until its input ends, or the context
	Hook  func(ctx context.Context, args []string) // answers an event of an agent; never fails
	// Forget erases what hooks remember of a session in the user's state folder, and
	// returns how many files that were.
	Forget func(state, session string) (files int, err error)
	Panel  func(context.Context, Paneling) error // shows a session's todo list on the terminal until the reader leaves it
	Look   func(context.Context, Looking) error  // shows the board on the terminal until the reader leaves it
	// Page makes a link to the page of a board at an address.
	Page func(context.Context, project.Board) (PageLink, error)
	Web  func(context.Context, WebServing) error // shows the board in browsers until the context ends
	// Server goes on as pawl-server, with the arguments of this command, for what only that
	// does. Nil: not from here.
	Server func(ctx context.Context, args []string) error
	// Serving says that this is pawl-server, whose verbs are [ofServer]. Only it has the two
	// below: Team serves the boards in a folder or a database to a team until the context ends,
	// and Databases do what administrators of a database need.
	Serving   bool
	Team      func(context.Context, Teaming) error
	Databases *Databases
	// Runs have agents work boards off. Nil: nobody does.
	Runs *Runs
}

// Run runs one command and returns its exit code.
func Run(ctx context.Context, env Env) int {
	a := &app{env: env, out: bufio.NewWriter(env.Stdout)}
	if env.Serving {
		a.env.Args = asServer(env.Args)
	}
	a.screen = newScreen(env)
	a.paint = paint(terminal.Colour(env.Stdout, env.Getenv))
	err := a.unknown()
	if err == nil {
		err = a.root(a.env.Args).ExecuteContext(ctx)
	}
	if a.board != nil {
		e, ok := errors.AsType[*pawl.Error](err)
		if ok {
			a.openCycle(ctx, e)
			a.lostBlocker(ctx, e)
		}
		if ok && e.Hint.Step == pawl.HintUndo {
			if board, failed := query.Of(ctx, a.board, query.Asker{}, query.ResolveQuery{}); failed == nil {
				a.origin = board.Origin
			}
		}
		if closing := a.board.Close(); err == nil {
			err = closing
		}
	}
	if err == nil {
		err = a.flush()
	}
	if err == nil {
		a.tellNoBoard()
		return 0
	}
	return a.fail(err)
}

// app is one run of the command.
type app struct {
	env    Env
	out    *bufio.Writer
	paint  paint
	screen screen

	// Flags of every verb.
	address string
	as      string
	session string
	json    bool
	offline bool // of verbs that make their caller an owner: see offlineFlag

	waiting *progress // where somebody watches something long

	called string           // what name has found
	former string           // what the system calls the person, if git calls them otherwise
	who    *caller.Caller   // what caller has found
	works  *project.Project // what project has opened
	told   map[string]bool  // what was printed once already

	archive time.Duration // lists leave out what was completed longer ago; zero: nothing

	board  query.Board   // once opened
	origin pawl.Revision // of the board, where a hint has a revision
	none   bool          // no board exists, and the caller knows
	stdin  bool          // it was read
	piped  io.Reader     // stdin, where some of it was looked at already

	suggests bool // a shell asks what could come next

	brief bool // nothing may wait for the network

	asOf time.Time // when the oldest answer was given that stands in for a server's; zero: all are new
}

// root makes the command tree. When the first argument names a verb only that
// one is built: the others would cost every start of the program.
func (a *app) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "pawl",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          a.noVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context()) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.env.Stdin)
	root.SetOut(a.out)
	root.SetErr(a.env.Stderr)
	root.SetFlagErrorFunc(a.flagError)
	root.SetHelpFunc(a.helpFor)
	flags := root.PersistentFlags() // explained in everyVerb
	flags.StringVar(&a.address, "board", "", "")
	flags.StringVar(&a.as, "as", "", "")
	flags.StringVar(&a.session, "session", "", "")
	flags.BoolVar(&a.json, "json", false, "")
	flags.BoolP("help", "h", false, "")

	word := firstWord(args)
	if word == "--version" || word == "-v" || word == "-V" {
		word = "version"
		args = slices.Clone(args)
		args[slices.IndexFunc(args, func(arg string) bool { return arg == "--version" || arg == "-v" || arg == "-V" })] = word
	}
	root.SetArgs(args)
	wanted := all
	if completing(args) {
		a.suggestEverywhere(root)
		args = args[1:]
		if len(args) == 1 {
			args = nil // the verb itself is begun
		}
		word = firstWord(args)
	}
	if word != "help" {
		if v, ok := find(word); ok {
			wanted = func(yield func(verb) bool) { yield(v) }
		}
	}
	help := &cobra.Command{Hidden: true, Use: "no-help"} // unless it is wanted, it is nothing
	for v := range wanted {
		cmd := v.command(a)
		if a.suggests {
			v.suggest(a, cmd)
		}
		root.AddCommand(cmd)
		if v.name == helpVerb.name {
			help = cmd
		}
	}
	root.SetHelpCommand(help) // a verb like the others
	return root
}

// unknown refuses a command line whose verb is none, before any of its flags.
func (a *app) unknown() error {
	globals, words := split(a.env.Args)
	if len(words) == 0 || strings.HasPrefix(words[0], "-") || completing(words) {
		return nil
	}
	if _, ok := find(words[0]); ok {
		return nil
	}
	return a.unknownVerb(words, slices.Contains(globals, "--help"))
}

// noVerb refuses what is left of a command line without a verb.
func (a *app) noVerb(_ *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return a.unknownVerb(words, false)
}

// person is somebody's name as one may type it: @bob is bob, and @me the caller.
func (a *app) person(name string) string {
	if name == me {
		return a.name()
	}
	return strings.TrimPrefix(name, "@")
}

// me stands for the name of the caller.
const me = "@me"

// asked is the name that the caller asks for with --as; empty: none.
func (a *app) asked() string {
	if a.as == me {
		return ""
	}
	return strings.TrimPrefix(a.as, "@")
}
