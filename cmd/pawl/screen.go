package main

import (
	"context"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/tui"
)

// look shows the board, with what the command line found out.
func look(ctx context.Context, l cli.Looking) error {
	return tui.Board(ctx, tui.Options{
		Terminal: terminalOf(l.Screen), Live: l.Live, Filter: l.Filter, Around: l.Around, Graph: l.Graph,
	})
}

// panel shows a session's todo list, with what the command line found out.
func panel(ctx context.Context, p cli.Paneling) error {
	return tui.Panel(ctx, tui.PanelOptions{
		Terminal: terminalOf(p.Screen), Todos: p.Todos, Session: p.Session, Agent: p.Agent, Ours: p.Ours, Switch: p.Switch,
		Wanted: func(session string) tui.PanelWanted {
			on, command := p.Wanted(session)
			return tui.PanelWanted{On: on, Command: command}
		},
	})
}

func terminalOf(s cli.Screen) tui.Terminal {
	return tui.Terminal{
		In: s.In, Out: s.Out, Environ: os.Environ(), Programs: lookup.Outside(s.Getenv), Unicode: terminal.Unicode(s.Getenv), Theme: s.Theme, Now: time.Now,
	}
}
