package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/httpcaller"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// overHTTP is the server for agents that come over HTTP, which is another one
// than that of `pawl mcp` in who calls: no agent started this process, so neither
// its environment nor its parent says anything about them.
func overHTTP(s cli.Serving, state string, todos *todo.Service) *mcpserver.Server {
	o := tool.Options{Board: s.Board, Todos: todos, Settings: s.Settings, Now: time.Now, Screened: s.Screened}
	if s.Checks != nil {
		o.Looked = func(ctx context.Context, t *pawl.Task) ([]tool.RanCheck, error) { return looked(ctx, s.Checks, t) }
	}
	return mcpserver.New(mcpserver.Options{
		Version: s.Version, Tools: tool.New(o), Board: o.Board, Todos: todos, Await: s.Await,
		Who: whoOverHTTP(s.Project, state), Settings: s.Settings, Now: time.Now, Log: slog.New(cli.Warnings(s.Warn)),
	})
}

// whoOverHTTP finds out who calls: by the call's _meta, by the ticket of a hook
// for the number of the call, else by the session that the transport keeps for
// the client. A client that has none is known by its name alone, and all that
// have the same one are one caller.
func whoOverHTTP(project, state string) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	return httpcaller.Of(project, &attribution.Resolver{Notes: attribution.Notes{Dir: state}, Getenv: func(string) string { return "" }})
}
