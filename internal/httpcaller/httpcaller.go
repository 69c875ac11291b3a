// Package httpcaller finds out who calls the tools of agents over HTTP.
package httpcaller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/tool"
)

// Of finds out who calls, for the tools of a project, with what a resolver knows.
func Of(project string, resolver *attribution.Resolver) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	return func(ctx context.Context, call mcpserver.Call) (tool.Caller, error) {
		meta, err := json.Marshal(call.Meta)
		if err != nil {
			return tool.Caller{}, err // it was JSON a moment ago
		}
		client := caller.Client(call.Client.Name)
		if n := utf8.RuneCountInString(client); n == 0 || n > maxClient {
			client = nameless
		}
		known, err := resolver.Resolve(ctx, attribution.Call{
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
