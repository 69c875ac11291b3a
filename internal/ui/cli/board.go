package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/query"
)

var boardVerb = verb{
	name:  "board",
	use:   "[ID] [flags]",
	short: "show the board live, and change it with keys",
	long:  "Shows the board on the terminal until you press q: lanes of blocked, ready, running and finished tasks, the graph of dependencies, each task in full, and the history. Keys change tasks; ? lists them. With ID it begins with the graph around that task.",
	examples: []string{
		"pawl board",
		"pawl board 12 --theme light",
	},
	max:   1,
	build: buildBoard,
}

// Screen is the terminal that something is shown on.
type Screen struct {
	In     io.Reader
	Out    io.Writer
	Getenv func(string) string
	Theme  string // light, dark; empty: as the terminal says
}

// Looking is what the board is shown with.
type Looking struct {
	Screen
	show.Live
	Filter pawl.Query
	Around pawl.ID
	Graph  bool
}

// live is what a screen works with that shows the board, which s opens.
func (a *app) live(ctx context.Context, s *agentServer, place *project.Board) (l show.Live, err error) {
	l = show.Live{By: a.caller().Actor, Name: nameOf(place), Await: s.await, Runs: a.seenRuns(ctx)}
	l.Checks, l.Screened = a.looked()
	l.Open = func(ctx context.Context, write bool) (query.Board, string, error) {
		board, note, err := s.openBy(ctx, "", write)
		if err == nil && !s.is(board) {
			board = nil
		}
		return board, note, err
	}
	l.Archive, err = a.archiveAfter()
	return l, err
}

func buildBoard(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	f := newFilter(cmd)
	var graph bool
	cmd.Flags().BoolVar(&graph, "graph", false, "begin with the graph")
	theme := choice(cmd, "theme", "auto", "`THEME` colours for a light or a dark terminal; auto asks the terminal", "auto", "light", "dark")
	return func(ctx context.Context, args []string) error {
		screen, err := a.shown("board", "list", theme)
		if err != nil {
			return err
		}
		l := Looking{Screen: screen, Graph: graph}
		if l.Filter, err = f.query(ctx, a); err != nil {
			return err
		}
		if len(args) == 1 {
			if l.Around, err = a.one(ctx, args[0], "board", "board takes one task"); err != nil {
				return err
			}
		}
		place, err := a.place()
		if err != nil {
			return err
		}
		s := a.newServer()
		defer s.close()
		if l.Live, err = a.live(ctx, s, &place); err != nil {
			return err
		}
		if t := (&todoRun{app: a}); t.reach() == nil {
			l.Todos, l.Ours, l.Keep = t.lists, oneAtATime(t.ours()), t.keep
		}
		defer a.quiet()()
		ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		open := l.Open
		l.Open = func(ctx context.Context, write bool) (query.Board, string, error) {
			_, gone := os.Stat(place.Dir)
			board, note, err := open(ctx, write)
			if write && note == "" && !place.Distant() && errors.Is(gone, fs.ErrNotExist) { // somebody has removed it since
				note = "made a board in " + place.Dir
			}
			return board, note, err
		}
		return a.env.Screens.Look(ctx, l)
	}
}

// projectName is what a person calls the project of a board: its folder.
func projectName(dir string) string {
	if filepath.Base(dir) == project.Name {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}

// shown is the terminal that a verb shows something on. instead is the command
// for callers without one, such as an agent in its shell.
func (a *app) shown(verb, instead string, theme func() (string, error)) (Screen, error) {
	chosen, err := theme()
	if err != nil {
		return Screen{}, err
	}
	if a.json || !terminal.Moves(a.env.Stdout, a.env.Getenv) || !terminal.Is(a.env.Stdin) {
		e := pawl.Errorf(pawl.Invalid, "%s needs an interactive terminal and has no --json", verb)
		if a.json {
			instead += " --json"
		}
		return Screen{}, e.Say("pawl " + instead)
	}
	if chosen == "auto" {
		chosen = ""
	}
	return Screen{In: a.env.Stdin, Out: a.env.Stdout, Getenv: a.env.Getenv, Theme: chosen}, nil
}
