package main

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/face/web"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// serveWeb serves browsers, with what the command line found out.
func serveWeb(ctx context.Context, s cli.WebServing) error {
	state, err := userdir.State(s.Getenv)
	if err != nil {
		return err
	}
	token, path, err := web.Token(ctx, filepath.Join(state, "web"))
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", cmp.Or(s.Addr, "127.0.0.1:7350"))
	if err != nil {
		return pawl.Errorf(pawl.Unavailable, "%w", err)
	}
	defer l.Close()
	server := web.New(web.Options{
		By: s.By, Name: s.Name, Token: token, Open: s.Open, Await: s.Await, Todos: s.Todos, Ours: s.Ours, Project: s.Project, Version: s.Version,
		Log: slog.New(warnings{s.Warn}),
	})
	code, err := server.Code()
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String()
	if err := s.Up(cli.Served{Address: address, Link: address + "/#" + code, TokenFile: path}); err != nil {
		return err
	}
	return server.Serve(ctx, l)
}
