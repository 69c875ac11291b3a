package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/trace"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// settled is how long a server runs before it looks for old lists. It
// has to read all of them, which would delay the start of every server.
const settled = time.Minute

// serve is the server for agents, made of what the command line found out.
func serve(ctx context.Context, s cli.Serving) error {
	state, homeless := userdir.State(s.Getenv)
	dir := ""
	if s.Store != "memory" && homeless == nil {
		dir = filepath.Join(state, "todos")
	}
	todos, err := lists(dir)
	if err != nil {
		return err
	}
	if homeless != nil && s.Store != "memory" {
		s.Warn("todo lists end with this server: " + homeless.Error())
	}
	work := newWorkshop(s)
	o := tool.Options{Board: s.Board, Todos: todos, Settings: s.Settings, Now: time.Now, Complete: work.complete, Screened: s.Screened, Looked: work.looked, Life: work.life}
	tools := tool.New
	if s.Claude {
		tools = tool.Claude
	}
	if err := (attribution.Notes{Dir: state}).Serve(caller.Starter().ID); err != nil {
		s.Warn(err.Error())
	}
	server := mcpserver.New(mcpserver.Options{
		Version: s.Version, Tools: tools(o), Board: o.Board, Todos: todos, Await: s.Await,
		Resources: func(to mcpserver.Client) bool { return s.Claude || known.Resources(to.Name, s.Getenv) },
		Who:       who(s, state, todos), Settings: s.Settings, Now: time.Now, Log: slog.New(cli.Warnings(s.Warn)),
	})
	defer server.Close()
	defer work.close()
	defer context.AfterFunc(ctx, work.stop)() // a call that waits for checks would keep the server
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // it ends with ctx
		board, err := s.Await(ctx)
		if l, is := board.(interface{ Relay(context.Context) }); err == nil && is {
			l.Relay(ctx)
		}
	}()
	go func() { // nobody waits for it, and what is left the next one does
		select {
		case <-ctx.Done():
			return
		case <-time.After(settled):
		}
		if _, err := todos.Sweep(ctx, s.Keep); err != nil && ctx.Err() == nil {
			s.Warn(err.Error())
		}
	}()
	in, out := s.In, s.Out
	if dir := trace.Dir(s.Getenv); dir != "" {
		recorded, both := trace.Server(dir, in, out, time.Now)
		in, out = closing{recorded, closable(s.In)}, both
	}
	return server.Lines(ctx, closable(in), open{out})
}

// who finds out who calls.
func who(s cli.Serving, state string, todos *todo.Service) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	resolver := &attribution.Resolver{
		Fixed:   pawl.Actor{Name: s.Name, Session: s.Session, Agent: s.Agent},
		Notes:   attribution.Notes{Dir: state},
		Getenv:  s.Getenv,
		Process: caller.Starter(),
		Move: func(ctx context.Context, from, to pawl.Actor) error {
			return todos.Move(ctx, todo.Key{Session: from.Session, Agent: from.Agent}, todo.Key{Session: to.Session, Agent: to.Agent})
		},
	}
	process := resolver.Process.ID
	return func(ctx context.Context, call mcpserver.Call) (tool.Caller, error) {
		meta, err := json.Marshal(call.Meta)
		if err != nil {
			return tool.Caller{}, err // it was JSON a moment ago
		}
		known, err := resolver.Resolve(ctx, attribution.Call{Tool: call.Tool, Args: call.Args, Meta: meta, Client: call.Client.Name})
		by := tool.Caller{Actor: known.Actor, Project: s.Project}
		if known.By != attribution.Explicit {
			by.Same = func(session string) bool { return resolver.Notes.Same(process, session) }
		}
		return by, err
	}
}

// closable is a stream that can be closed, as standard input can.
func closable(in io.Reader) io.ReadCloser {
	if in, ok := in.(io.ReadCloser); ok {
		return in
	}
	return io.NopCloser(in)
}

// closing is a stream that is read by way of something, and closed itself.
type closing struct {
	io.Reader
	io.Closer
}

// open is the output, which is left open: it belongs to the program that started this one.
type open struct{ io.Writer }

func (open) Close() error { return nil }
