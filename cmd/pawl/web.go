package main

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"

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
	l, running, err := web.Listen(ctx, web.Wanted{Addr: s.Addr, Expose: s.Expose, Hosts: s.Hosts, Token: token, Board: s.Dir, By: s.By.Name})
	if err != nil {
		return err
	}
	if running != nil {
		address := "http://" + running.Addr
		return s.Up(cli.Served{Address: address, Link: address + "/#" + running.Code, TokenFile: path, Running: true})
	}
	defer l.Close()
	tools := overHTTP(s.Tools, state, s.Todos)
	defer tools.Close()
	server := web.New(web.Options{
		By: s.By, Name: s.Name, Dir: s.Dir, Token: token, Open: s.Open, Await: s.Await, Todos: s.Todos, Ours: s.Ours, Project: s.Project,
		Version: s.Version, Hosts: s.Hosts, Exposed: s.Expose, MCP: tools.HTTP(), Log: slog.New(warnings{s.Warn}),
	})
	up := cli.Served{Address: "http://" + local(l.Addr()), TokenFile: path}
	up.Moved = s.Addr == "" && !strings.HasSuffix(up.Address, ":"+strconv.Itoa(web.UsualPort))
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

// local is an address that this machine itself reaches a listener at.
func local(addr net.Addr) string {
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return addr.String()
	}
	return netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), at.Port()).String()
}
