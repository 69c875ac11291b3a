package team

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
)

const (
	headTimeout = 10 * time.Second
	idleTimeout = 2 * time.Minute
	maxHead     = 16 << 10
	// lastWords is for what is under way when the server ends.
	lastWords = 10 * time.Second
)

// Serve answers what comes in until ctx ends. Then streams end, what has begun is
// done, and nothing else is begun.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() { s.Run(running) })
	defer beside.Wait()
	defer stop()
	if at, err := netip.ParseAddrPort(l.Addr().String()); err == nil {
		s.loopback = at.Addr().Unmap().IsLoopback() && len(s.Proxies) == 0
	}
	s.Audit.Note(Entry{Event: "start"})
	defer s.Audit.Note(Entry{Event: "stop"})
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // handshakes that fail are no news
		TLSNextProto:                 map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	done := make(chan struct{})
	halt := context.AfterFunc(ctx, func() {
		defer close(done)
		s.end() // lets streams end: their clients find the next server, or this one again
		last, cancel := context.WithTimeout(running, lastWords)
		defer cancel()
		if h.Shutdown(last) != nil {
			h.Close() // clients that are still connected have had their time
		}
	})
	err := h.Serve(l)
	if !halt() {
		<-done
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ready says why the server cannot work now, or nil.
func (s *Server) ready(ctx context.Context) error {
	if s.ending.Err() != nil {
		return errEnding
	}
	if err := s.Boards.Ready(ctx); err != nil {
		return err
	}
	_, err := s.Tokens.All(ctx)
	return err
}

const about = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pawl</title>
<style>body{font:16px/1.5 system-ui;margin:4rem auto;max-width:34rem;padding:0 1rem}</style>
<h1>Pawl</h1><p>This server keeps boards of tasks. Each has its page at <code>/boards/NAME/</code>, which asks for a token.</p>
<p>On your machine: <code>pawl join ` + "https://HOST/boards/NAME" + `</code></p>
`

// The paths that say how the server is.
const (
	pathHealth = "/healthz"
	pathReady  = "/readyz"
)

// noPath answers 404 for a path outside all boards, with or without a token.
func noPath() error { return refused(http.StatusNotFound, "boards are at %sNAME", boardsPath) }

// beside answers what belongs to no board.
func (s *Server) beside(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return noPath()
	}
	text := func(status int, kind, text string) error {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text)) // who does not read it is gone
		return nil
	}
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		return text(http.StatusOK, "text/html; charset=utf-8", about)
	case pathHealth:
		return text(http.StatusOK, "text/plain", "ok\n")
	case pathReady:
		if err := s.ready(r.Context()); err != nil {
			return text(http.StatusServiceUnavailable, "text/plain", "not ready\n")
		}
		return text(http.StatusOK, "text/plain", "ready\n")
	case "/metrics":
		token, err := s.principal(r, "", false)
		if err == nil {
			err = s.request(token.ID)
		}
		if err == nil && !token.Opens(access.All) {
			err = refused(http.StatusForbidden, "the server's numbers are for a token for all boards")
		}
		if err != nil {
			s.Audit.Deny(Entry{By: "metrics", From: s.clientOf(r), Token: token.ID, Name: token.Name, Kind: "unauthorized", Why: err.Error()})
			return err
		}
		return text(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", s.metrics())
	}
	return noPath()
}
