// Package tui is Pawl on a terminal: the board that a person keeps open, and the
// panel beside an agent.
//
// Everything goes one way. What the reader does and what happens on the board
// become messages; the model's Update is the only place that changes anything;
// what reads or writes the board runs beside it as a command and comes back as a
// message; and a frame is a function of the model, so that tests need no
// terminal:
//
//	key, mouse ─┐             ┌→ command ─→ Board.Do ──→ answer ─┐
//	            ├→ Update ────┤                                  ├→ Update ─→ frame ─→ terminal
//	Board.Watch ┘             └→ command ─→ Board.View → look ───┘
//
// A screen is a way to look at the board (lanes, graph, one task, timeline), a
// dialog is what takes the keys for a while (an input line, a list to pick from).
package tui

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/pawl-dev/pawl"
)

// Terminal is where something is shown, and what shows it needs from outside.
type Terminal struct {
	In      io.Reader
	Out     io.Writer
	Environ []string // of the process, for what the terminal can do
	Getenv  func(string) string
	Unicode bool   // more than ASCII can be shown
	Theme   string // light, dark, or empty: as the terminal says
	Now     func() time.Time
}

// Options are what the board is opened with.
type Options struct {
	Terminal
	By pawl.Actor // who looks, and in whose name things are done
	// Open opens the board, for a write also one that is not there yet; note tells
	// what was made. Until there is one it returns nil.
	Open func(ctx context.Context, write bool) (board *pawl.Board, note string, err error)
	// Await returns the board once there is one, whoever makes it.
	Await  func(ctx context.Context) (*pawl.Board, error)
	Filter pawl.Query // which tasks to begin with
	Around pawl.ID    // if not zero, begin with the graph around this task
	Graph  bool       // begin with the graph
	Name   string     // of the project; empty: none worth naming
	Lists  Lists      // of the project's sessions; without a service none are shown
}

// Board shows the board until the reader leaves it.
func Board(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := newModel(ctx, o)
	defer m.tidy()
	return o.run(ctx, m)
}

// framesASecond is how often the terminal is drawn at most. The library looks
// that often whether there is anything to draw, so it is no more than an eye
// needs.
const framesASecond = 30

// keep remembers how the terminal is set, and returns what sets it so again: the
// library does that, too, but an editor that was ended with us may have left it
// otherwise.
func (t Terminal) keep() func() {
	f, ok := t.In.(term.File)
	if !ok {
		return func() {}
	}
	state, err := term.GetState(f.Fd())
	if err != nil {
		return func() {}
	}
	return func() { _ = term.Restore(f.Fd(), state) } // nobody can be told
}

// redraw has everything written anew, once the terminal was drawn in its new
// size: the library takes what it then writes beyond the old width for blank
// (ultraviolet, TerminalRenderer.Render), and would leave it there.
func redraw() tea.Cmd {
	return tea.Tick(3*time.Second/framesASecond, func(time.Time) tea.Msg { return tea.ClearScreen() })
}

// run runs a model on the terminal. That the context ended is a way to leave.
//
// The library would handle signals, too, and wait for ever when one comes that
// ended the context as well. An interrupt is passed over: on the terminal Ctrl+C
// is a key, and while an editor runs it is meant for the editor.
func (t Terminal) run(ctx context.Context, m tea.Model) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	defer t.keep()()
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out),
		tea.WithEnvironment(t.Environ), tea.WithFPS(framesASecond), tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return nil
	}
	return err
}
