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
//	arguments  env.go has all that comes from outside; cli.go builds the command tree;
//	           flags.go, filter.go and input.go read flags and texts; aliases*.go turn
//	           other programs' words into ours
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
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/query"
)

// Run runs one command and returns its exit code.
func Run(ctx context.Context, env Env) int {
	if env.Host != nil {
		env.Args = asServer(env.Args)
	}
	a := &app{env: env, output: output{
		out: bufio.NewWriter(env.Stdout), paint: paint(terminal.Colour(env.Stdout, env.Getenv)),
		screen: screen{term.Screen{Width: terminal.Width(env.Stdout, env.Getenv), Unicode: terminal.Unicode(env.Getenv)}, terminal.Is(env.Stdout)},
	}}
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
	env Env
	given
	identity
	hand
	output
}

// given is what was asked for.
type given struct {
	// Flags of every verb.
	address string
	as      string
	session string
	json    bool
	offline bool // of verbs that make their caller an owner: see offlineFlag

	stdin    bool      // it was read
	piped    io.Reader // stdin, where some of it was looked at already
	suggests bool      // a shell asks what could come next
	brief    bool      // nothing may wait for the network
}

// identity is who asks.
type identity struct {
	called string         // what name has found
	former string         // what the system calls the person, if git calls them otherwise
	who    *caller.Caller // what caller has found
}

// hand is the board at hand.
type hand struct {
	works   *project.Project // what project has opened
	board   query.Board      // once opened
	none    bool             // no board exists, and the caller knows
	origin  pawl.Revision    // of the board, where a hint has a revision
	archive time.Duration    // lists leave out what was completed longer ago; zero: nothing
	asOf    time.Time        // when the oldest answer was given that stands in for a server's; zero: all are new
}

// output is where it prints, and what it has printed.
type output struct {
	out     *bufio.Writer
	paint   paint
	screen  screen
	waiting *progress       // where somebody watches something long
	told    map[string]bool // what was printed once already
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
