package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/whois"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// overHTTP is the server for agents that come over HTTP, which is another one
// than that of `pawl mcp` in who calls: no agent started this process, so neither
// its environment nor its parent says anything about them.
func overHTTP(s cli.Serving, state string, todos *todo.Service) *mcpserver.Server {
	desk := &desk{Serving: s, state: state}
	o := tool.Options{Board: s.Board, Todos: todos, Settings: s.Settings, Now: time.Now, Screened: s.Screened}
	if s.Checks != nil {
		o.Looked = func(ctx context.Context, t *pawl.Task) ([]tool.RanCheck, error) { return looked(ctx, s.Checks, t) }
	}
	return mcpserver.New(mcpserver.Options{
		Version: s.Version, Tools: tool.New(o), Board: o.Board, Todos: todos, Await: s.Await,
		Who: desk.noting(whoOverHTTP(s.Project, state)), Settings: s.Settings, Now: time.Now, Log: slog.New(warnings{s.Warn}),
	})
}

// whoOverHTTP finds out who calls: by the call's _meta, by the ticket of a hook
// for the number of the call, else by the session that the transport keeps for
// the client. A client that has none is known by its name alone, and all that
// have the same one are one caller.
func whoOverHTTP(project, state string) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	return whoCalls(project, &whois.Resolver{Notes: whois.Notes{Dir: state}, Getenv: func(string) string { return "" }})
}

func whoCalls(project string, resolver *whois.Resolver) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	return func(ctx context.Context, call mcpserver.Call) (tool.Caller, error) {
		meta, err := json.Marshal(call.Meta)
		if err != nil {
			return tool.Caller{}, err // it was JSON a moment ago
		}
		client := caller.Client(call.Client.Name)
		if n := utf8.RuneCountInString(client); n == 0 || n > maxClient {
			client = nameless
		}
		known, err := resolver.Resolve(ctx, whois.Call{
			Tool: call.Tool, Args: call.Args, Meta: meta, Client: client, Own: ownOverHTTP(call.HTTP, client),
		})
		return tool.Caller{Actor: known.Actor, Project: project}, err
	}
}

// A client that does not say what it is, or at too great length, is an agent:
// its name is a part of the name of a session.
const (
	nameless  = "agent"
	maxClient = pawl.MaxName / 2
)

// ownOverHTTP names the session of a client that tells of none. The transport's
// own name for it is a key to it, and does not become known.
//
//	http-5d41402abc4b2a76   one connection of a client
//	http-claude             all calls of clients of this name that have none
func ownOverHTTP(session, client string) string {
	if session == "" {
		return "http-" + client
	}
	sum := sha256.Sum256([]byte(session))
	return "http-" + hex.EncodeToString(sum[:8])
}
