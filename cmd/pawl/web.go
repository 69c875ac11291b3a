package main

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/web"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// serveWeb serves browsers, with what the command line found out.
func serveWeb(ctx context.Context, s cli.WebServing) error {
	state, err := userdir.State(s.Getenv)
	if err != nil {
		return err
	}
	token, path, err := web.AccessToken(ctx, filepath.Join(state, "web"))
	if err != nil {
		return err
	}
	l, other, err := web.Listen(ctx, web.Wanted{Addr: s.Addr, Expose: s.Expose, Hosts: s.Hosts, AccessToken: token, Board: cmp.Or(s.Address, s.Dir), By: s.By.Name})
	if err != nil {
		return err
	}
	if l == nil {
		address := "http://" + other.Addr
		return s.Up(cli.Served{Address: address, Link: address + "/#" + other.Code, TokenFile: path, Running: true})
	}
	defer l.Close()
	tools := overHTTP(s.Tools, state, s.Todos)
	defer tools.Close()
	server := web.New(web.Options{
		Live: s.Live, Project: s.Project, Dir: s.Dir, Address: s.Address, AccessToken: token, Version: s.Version,
		Hosts: s.Hosts, Exposed: s.Expose, MCP: tools.HTTP(), Log: slog.New(cli.Warnings(s.Warn)),
	})
	here, others := web.Reach(l)
	up := cli.Served{Address: "http://" + here.String(), TokenFile: path}
	for _, at := range others {
		up.Others = append(up.Others, "http://"+at.String())
	}
	if s.Addr == "" && here.Port() != web.UsualPort {
		up.Moved = "another program"
		if other != nil {
			up.Moved = other.String()
		}
	}
	up.Another = func() (string, error) {
		code, err := server.Code()
		return up.Address + "/#" + code, err
	}
	if up.Link, err = up.Another(); err != nil {
		return err
	}
	if err := s.Up(up); err != nil {
		return err
	}
	return server.Serve(ctx, l)
}
