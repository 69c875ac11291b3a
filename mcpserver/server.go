// Package mcpserver offers Pawl to any agent that speaks the Model Context
// Protocol: the tools of package tool, the board and the todo list as resources,
// prompts, and completion of ids.
//
//	server := mcpserver.New(mcpserver.Options{Tools: tool.New(o), Board: o.Board, Todos: o.Todos})
//	defer server.Close()
//	err := server.Lines(ctx, os.Stdin, os.Stdout)
//
// It is an adapter: what a tool does and says is decided in package tool, and
// who calls by [Options.Who]. One server may have many clients at once, of every
// revision of the protocol from 2024-11-05 to 2026-07-28: [Server.Lines] serves
// one on standard input and output, [Server.HTTP] any number of them over HTTP,
// and [Server.MCP] is for the transports of the SDK.
package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// Options are what a server works on.
type Options struct {
	Version string      // of the program
	Tools   []tool.Tool // in the order in which they were made; clients see them by name

	// Board and Todos are those of the tools. If one is nil, the server offers
	// nothing about it.
	Board func(ctx context.Context, by tool.Caller, write bool) (board query.Board, note string, err error)
	Todos *todo.Service
	// Await returns the board as soon as there is one; clients that subscribe hear
	// of its changes. Nil: there is one, Board returns it.
	Await func(ctx context.Context) (query.Board, error)

	// Resources reports whether resources are announced to a client; nil: to each. Some
	// give their model tools for reading resources as soon as a server has some.
	Resources func(Client) bool

	// Who returns the caller; its error goes to the client. Nil: each client by its
	// own name, all with one todo list, and with claims that are not kept while it
	// is connected, because they have no session.
	Who func(ctx context.Context, call Call) (tool.Caller, error)
	// Settings returns what holds for a session; nil: the defaults.
	Settings func(ctx context.Context, session string) tool.Settings
	Now      func() time.Time // nil: time.Now; only for ages in texts
	Log      *slog.Logger     // of what goes wrong in the background; nil: nowhere
}

// A Call is what identifies a caller.
type Call struct {
	Tool   string          // empty: a resource or a prompt is read
	Args   json.RawMessage // of the tool, as the client wrote them
	Meta   map[string]any  // what the client says beside
	Client Client
	// HTTP is the session that the transport keeps for the client, Mcp-Session-Id.
	// Anybody who knows it can use it, so it must not be shown. Empty: none.
	HTTP string
}

// A Client is the program at the other end, as it calls itself.
type Client struct{ Name, Version string }

// A Server offers Pawl to clients.
type Server struct {
	mcp  *mcp.Server
	o    Options
	word texts

	ctx  context.Context // ends with Close
	stop context.CancelFunc
	work sync.WaitGroup // what runs in the background

	keep     renewer
	follow   follower
	endpoint endpoint
}

// New returns a server. Its background work begins when a client needs it, and ends
// with [Server.Close].
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Who == nil {
		o.Who = named
	}
	if o.Settings == nil {
		o.Settings = func(context.Context, string) tool.Settings { return tool.DefaultSettings }
	}
	if o.Await == nil {
		o.Await = func(ctx context.Context) (query.Board, error) {
			board, _, err := o.Board(ctx, tool.Caller{}, false)
			return board, err
		}
	}
	s := &Server{o: o, word: textsFor(o.Tools)}
	told := ""
	if s.whole() {
		told = s.word.instructions
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	version := cmp.Or(o.Version, "dev") // some clients refuse a server without one
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "pawl", Title: "Pawl", Version: version}, &mcp.ServerOptions{
		Instructions:       told,
		Capabilities:       &mcp.ServerCapabilities{}, // what is offered says the rest; there is no logging
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: s.unsubscribe,
		SetCacheable:       cacheable,
	})
	s.mcp.AddReceivingMiddleware(sendable)
	if o.Resources != nil {
		s.mcp.AddReceivingMiddleware(s.announced)
	}
	for _, t := range o.Tools {
		s.addTool(t)
	}
	s.addResources()
	s.addPrompts()
	s.endpoint.open(s)
	return s
}

// whole reports whether the server has both kinds of memory, which our texts
// speak of. Where there is one, the descriptions of the tools say enough.
func (s *Server) whole() bool { return s.o.Board != nil && s.o.Todos != nil }

// MCP is the server for a transport of the SDK.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Close ends the background work and all HTTP sessions. Other transports end their
// own connections.
func (s *Server) Close() {
	s.endpoint.close()
	s.work.Wait()
}

// named is the caller of a program that does not say who calls. A claim needs a
// name.
func named(_ context.Context, call Call) (tool.Caller, error) {
	name := strings.TrimSpace(text.Clip(text.Line(call.Client.Name), pawl.MaxName))
	return tool.Caller{Actor: pawl.Actor{Name: cmp.Or(name, "agent")}}, nil
}

// fresh is how long a client may take it that the lists are the same. They are
// for as long as the process runs, which a client knows the end of.
const fresh = time.Hour

// cacheable says how long answers hold. A board or list may change at any time, and
// is the caller's own.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, ok := req.(*mcp.ReadResourceRequest); !ok {
		c.TTLMs = int(fresh.Milliseconds())
	}
}
