// Package web shows a board in a browser and to programs: a page, one JSON API
// with a stream of what happens, and the Model Context Protocol, on one address.
//
//	server := web.New(web.Options{AccessToken: token, Live: show.Live{Open: open, Await: await, Todos: todos, Name: "compiler"}})
//	err := server.Serve(ctx, listener)
//
// The page is one of the API's clients and knows nothing more than they do.
// Everything that the server answers is in the table of [routes], and every
// request passes the [guard] before it.
//
// It keeps no state but what is being streamed. The [query.Board] decides what is on
// a board, and internal/show has the sentences about it.
package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/show"
)

// Options are what a server works on.
type Options struct {
	show.Live
	AccessToken string // each request must have it; never empty, unless Guarded
	// Guarded: the server is a part of a team server, which knows the tokens and puts
	// the token of each request into its context (package access). By, AccessToken,
	// Hosts and Exposed mean nothing then.
	Guarded bool
	Keys    *access.PageKeys // make what its pages have instead of a token
	Codes   access.Codes     // of all boards of that server; nil: of this one only

	Project string // the project's folder, as todo lists name it
	Version string
	Dir     string       // of the board, which need not be there yet; empty: it is at an address
	Address string       // of the board; empty: it is in a folder
	Hosts   []string     // under which the server may be asked too: NAME, NAME:PORT, https://NAME
	Exposed bool         // it listens for other machines, too
	MCP     http.Handler // answers at /mcp; nil: nothing does
	Log     *slog.Logger // of what goes wrong; nil: nowhere
	Now     func() time.Time
}

// A Server answers requests about one board.
type Server struct {
	Options
	mux       *http.ServeMux
	byPattern map[string]*route // as the mux calls it
	hub       hub
	aside     aside
	wrong     wrongs
	names     hostNames
}

// New returns a server that listens nowhere yet.
func New(o Options) *Server {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Codes == nil {
		o.Codes = &access.OwnCodes{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{Options: o, mux: http.NewServeMux(), byPattern: map[string]*route{}}
	for _, r := range routes {
		pattern := r.method + " " + r.path
		s.byPattern[pattern] = r
		s.mux.Handle(pattern, s.answering(r))
	}
	if o.MCP != nil {
		s.mux.Handle("/mcp", o.MCP)
	}
	return s
}

// Handler answers the requests of a server that is a part of another one, without the
// path that leads to it.
func (s *Server) Handler() http.Handler { return s.guard(s.mux) }

// How long a client may take, and how much it may say before it says anything.
const (
	headTimeout = 10 * time.Second
	idleTimeout = 2 * time.Minute
	maxHead     = 16 << 10
	lastWords   = 2 * time.Second // for answers that are under way when the server ends
)

// server holds everybody to the limits. Those of bodies and answers are for the
// guard to set, request by request: a stream has none.
func (s *Server) server(ctx context.Context) *http.Server {
	return &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		DisableGeneralOptionsHandler: true, // it would answer beside the guard
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
		BaseContext:                  func(net.Listener) context.Context { return ctx }, // streams end with it
	}
}

// Serve answers what comes in until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return pawl.Errorf(pawl.Invalid, "%v is not a TCP address", l.Addr())
	}
	at := addr.AddrPort()
	var err error
	if s.names, err = newHostNames(netip.AddrPortFrom(at.Addr().Unmap(), at.Port()), s.Exposed, s.Hosts); err != nil {
		return err
	}
	server := s.server(ctx)
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close() // clients that are still connected have had their time
		}
	})
	err = server.Serve(l)
	if !stop() {
		<-done
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
