// Package team serves boards to a team: their clients' protocol, and beside it
// what other packages answer for a board, each request in the name of its token.
//
//	GET  /boards/shop/v1/hello     what the server, the board and the token are
//	POST /boards/shop/v1/do        changes
//	POST /boards/shop/v1/ask       a question
//	POST /boards/shop/v1/watch     what happens, as a stream
//	     /boards/shop/             the page and its API, by Options.Faces
//	     /boards/shop/mcp          the tools of agents, by the same
//
// A request passes, in this order: the limits, its token, the board that the token
// is for, and the guard, which is a board that does only what the token allows. The
// messages are those of package remote. Nothing here decides anything about tasks.
package team

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/query"
)

// Options are what a server works with.
type Options struct {
	Boards  Source // what keeps the boards
	Version string
	// RunName names this run of the one server that the boards have; empty: they may have others.
	RunName string

	Tokens *access.Tokens
	Keys   *access.PageKeys // of browsers; nil: none count

	Audit   *Audit         // who did what; nil: nothing is recorded
	Proxies []netip.Prefix // whose word counts for who a client is
	Origin  string         // what the addresses of its boards begin with

	Empty func() query.Board // a board with nothing on it
	// Faces returns the handlers of paths below a board that are not the protocol: the tools
	// of agents at /mcp, and the page for the rest. It is called once for a board that is
	// asked for. open returns the board as the token in a context may use it ([access.Of]):
	// nil while there is none, unless it is opened for writing: then it is made, or an error
	// says why not. The page also gets requests without a token. Nil: nothing answers.
	Faces func(name string, open Opener) (page, mcp http.Handler)

	Limits Limits

	Log *slog.Logger // nil: nowhere
	Now func() time.Time
}

// An Opener opens a board for the token in a context.
type Opener func(ctx context.Context, write bool) (query.Board, error)

// A Server answers requests about the boards of a [Source].
type Server struct {
	Options
	boards boards
	faces  faces
	alive  alive

	rates   rates
	streams shares[string] // that are open, by token, as all of these
	bodies  shares[string] // bytes of large bodies under way
	exports shares[string] // boards that are being sent
	larges  shares[string] // large calls and questions
	counts  counts

	toldUnread atomic.Int64 // when the log was told that the tokens cannot be read

	loopback bool // only this machine can ask, and not through a proxy

	ending context.Context // ends when the server does
	end    context.CancelFunc
}

// New returns a server. It opens boards as they are asked for; Close closes them.
func New(o Options) *Server {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{Options: o}
	s.ending, s.end = context.WithCancel(context.Background())
	s.Limits, s.counts.began = o.Limits.usual(), o.Now()
	s.alive.of = map[string]*holder{}
	s.boards.server, s.boards.open = s, map[string]*board{}
	s.faces.server, s.faces.of = s, map[string]face{}
	return s
}

// Run does the background work until ctx ends: it ends requests of tokens that no longer
// hold, records leases that have ended, and closes boards that nobody uses.
func (s *Server) Run(ctx context.Context) {
	var care sync.WaitGroup
	defer care.Wait()
	care.Go(func() { s.care(ctx) })
	s.watchTokens(ctx)
}

// Close closes the boards.
func (s *Server) Close() error { return s.boards.close() }
