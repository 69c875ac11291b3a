package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// keepOpen is how long a list is kept that has something left to do.
const keepOpen = 90 * 24 * time.Hour

// serve is the server for agents, made of what the command line found out.
func serve(ctx context.Context, s cli.Serving) error {
	todos, err := todoLists(s)
	if err != nil {
		return err
	}
	o := tool.Options{Board: s.Board, Todos: todos, Settings: s.Settings, Now: time.Now}
	tools := tool.New
	if s.Claude {
		tools = tool.Claude
	}
	server := mcpserver.New(mcpserver.Options{
		Version: s.Version, Tools: tools(o), Board: s.Board, Todos: todos, Await: s.Await,
		Who: who(s), Settings: s.Settings, Now: time.Now, Log: slog.New(warnings{s.Warn}),
	})
	defer server.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // nobody waits for it, and what is left the next one does
		if _, err := todos.Sweep(ctx, s.Keep, keepOpen); err != nil && ctx.Err() == nil {
			s.Warn(err.Error())
		}
		for _, problem := range todos.Problems() {
			s.Warn(problem)
		}
	}()
	return server.Lines(ctx, closable(s.In), open{s.Out})
}

// todoLists are the lists where the settings want them.
func todoLists(s cli.Serving) (*todo.Service, error) {
	if s.Store == "memory" {
		return todo.New(todomem.New(), time.Now), nil
	}
	dir, err := userdir.State(s.Getenv)
	if err != nil {
		return nil, err
	}
	store, err := todofile.Open(filepath.Join(dir, "todos"))
	if err != nil {
		return nil, err
	}
	return todo.New(store, time.Now), nil
}

// who is who calls.
func who(s cli.Serving) func(context.Context, mcpserver.Call) tool.Caller {
	found := caller.Find(s.Getenv, s.Name, s.Session)
	return func(context.Context, mcpserver.Call) tool.Caller {
		by := tool.Caller{Actor: found.Actor, Project: s.Project}
		by.Agent = s.Agent
		return by
	}
}

// closable is a stream that can be closed, as standard input can.
func closable(in io.Reader) io.ReadCloser {
	if in, ok := in.(io.ReadCloser); ok {
		return in
	}
	return io.NopCloser(in)
}

// open is the output, which is left open: whoever started the program has it.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// warnings tells what goes wrong in the background as the command line does.
type warnings struct{ warn func(string) }

func (warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	w.warn(text)
	return nil
}

func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w warnings) WithGroup(string) slog.Handler      { return w }
