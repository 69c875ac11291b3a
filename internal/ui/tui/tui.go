// Package tui is Pawl on a terminal: the board that a person keeps open, and the
// panel beside an agent.
//
// Data flows one way. Keys, clicks and changes of the board become messages. Only
// the model's Update changes state. Commands read and write the board beside it,
// and return messages. A frame is a function of the model, so that tests need no
// terminal:
//
//	key, mouse ─┐             ┌→ command ─→ Board.Do ──→ answer ─┐
//	            ├→ Update ────┤                                  ├→ Update ─→ frame ─→ terminal
//	Board.Watch ┘             └→ command ─→ Board.Ask ──→ look ──┘
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
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/show"
)

// Terminal is where a program draws, and what it needs from its surroundings.
type Terminal struct {
	In       io.Reader
	Out      io.Writer
	Environ  []string      // of the process, for what the terminal can do
	Programs lookup.Finder // for the editor
	Unicode  bool          // more than ASCII can be shown
	Theme    string        // light, dark, or empty: as the terminal says
	Now      func() time.Time
}

// Options are what the board is opened with.
type Options struct {
	Terminal
	show.Live
	Filter pawl.Query // which tasks to begin with
	Around pawl.ID    // if not zero, begin with the graph around this task
	Graph  bool       // begin with the graph
}

// Board shows the board until the reader leaves it.
func Board(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := newModel(ctx, o)
	defer m.tidy()
	return o.run(ctx, m)
}

// framesASecond limits how often the terminal is drawn. The library checks that
// often for something to draw, so a higher rate would cost processor time.
const framesASecond = 30

// keep saves the terminal's settings, and returns a function that restores them.
// The library restores them too, but an editor that was ended with us may have
// changed them since.
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

// redraw redraws everything after the terminal was drawn in its new size: the
// library believes that cells beyond the old width are blank (ultraviolet,
// TerminalRenderer.Render), and would not erase them.
func redraw() tea.Cmd {
	return tea.Tick(3*time.Second/framesASecond, func(time.Time) tea.Msg { return tea.ClearScreen() })
}

// run runs a model on the terminal until it quits or the context ends, which is
// no error.
//
// The library's own signal handler would wait for ever after a signal that also
// ended the context. run ignores interrupts: on the terminal Ctrl+C is a key, and
// while an editor runs the interrupt is for the editor.
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
