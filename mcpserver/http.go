package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxBody bounds what a client may post: 500 tasks with long descriptions fit.
	maxBody = 4 << 20
	// maxListeners bounds the streams of clients that have no session.
	maxListeners = 100
)

// HTTP returns the handler for streamable HTTP. Clients of the protocol revisions
// 2025-03-26 to 2025-11-25 have sessions, with a stream of messages from the
// server; clients of 2026-07-28 make single calls.
//
// The handler checks no host, no origin and no access token: the caller does. A
// stream ends with its request. A session ends by a DELETE, when a new client
// needs its place, or a day after its client's last request. [Server.Close] ends
// all of them; from then on the handler answers that the server is ending.
func (s *Server) HTTP() http.Handler { return &s.endpoint }

// An endpoint serves HTTP. The zero value is not ready: see open.
type endpoint struct {
	s         *Server
	stateful  http.Handler // each refuses the requests of the other
	stateless http.Handler

	mu        sync.Mutex
	shut      bool
	inside    sync.WaitGroup // requests
	sessions  map[string]*httpSession
	listeners int
}

func (e *endpoint) open(s *Server) {
	e.s, e.sessions = s, map[string]*httpSession{}
	server := func(*http.Request) *mcp.Server { return s.mcp }
	// The SDK's guard against DNS rebinding allows only loopback names. It would
	// refuse names that the caller of the handler allows.
	e.stateful = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, MaxRequestBodyBytes: -1,
	})
	e.stateless = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, MaxRequestBodyBytes: -1, Stateless: true, PropagateRequestCancellation: true,
	})
	s.mcp.AddReceivingMiddleware(e.welcoming)
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.enter() {
		http.Error(w, "the server is ending", http.StatusServiceUnavailable)
		return
	}
	defer e.inside.Done()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(e.s.ctx, cancel)() // a stream would keep the server from ending
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)

	modern, err := e.modern(r)
	switch {
	case tooLong(err):
		http.Error(w, "a message has at most 4 MiB", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	pulse := newPulse(w)
	defer pulse.stop()
	if modern {
		e.call(pulse, r)
		return
	}
	id := r.Header.Get(sessionHeader)
	defer e.arrive(id)()
	if r.Method == http.MethodGet {
		pulse.begins = func() { e.catchUp(id) }
	}
	e.stateful.ServeHTTP(pulse, r)
}

// enter counts a request, unless the endpoint is closed.
func (e *endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.shut {
		e.inside.Add(1)
	}
	return !e.shut
}

// call answers a client that has no session.
func (e *endpoint) call(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(methodHeader) == listenMethod { // the SDK refuses a header that does not fit the body
		e.mu.Lock()
		full := e.listeners >= maxListeners
		if !full {
			e.listeners++
		}
		e.mu.Unlock()
		if full {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "100 streams are open, which is the limit: end one, or try again later", http.StatusServiceUnavailable)
			return
		}
		defer func() {
			e.mu.Lock()
			e.listeners--
			e.mu.Unlock()
		}()
	}
	e.stateless.ServeHTTP(w, r)
}

// Headers of a request, and values of them.
const (
	sessionHeader  = "Mcp-Session-Id"
	revisionHeader = "MCP-Protocol-Version"
	methodHeader   = "Mcp-Method"
	listenMethod   = "subscriptions/listen"
	sessionless    = "2026-07-28" // the first revision without sessions
)

// modern reports whether a request is of a revision without sessions. The header
// tells. If it is missing, and a session too, the body tells, so that the client
// gets an error in the form of its revision.
func (e *endpoint) modern(r *http.Request) (bool, error) {
	if revision := r.Header.Get(revisionHeader); revision != "" {
		return revision >= sessionless, nil
	}
	if r.Method != http.MethodPost || r.Header.Get(sessionHeader) != "" {
		return false, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false, fmt.Errorf("the body could not be read: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var message struct {
		Method string `json:"method"`
		Params struct {
			Meta struct {
				Revision string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		} `json:"params"`
	}
	switch {
	case json.Unmarshal(body, &message) != nil:
		return false, nil // the SDK answers it
	case message.Params.Meta.Revision >= sessionless:
		return true, nil
	case message.Method != "initialize":
		return false, errNoSession
	}
	return false, nil
}

var errNoSession = errors.New("the header Mcp-Session-Id is missing: begin with initialize")

func tooLong(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// close ends all requests and sessions, and the server's background work.
func (e *endpoint) close() {
	e.mu.Lock()
	e.shut = true
	sessions := e.sessions
	e.sessions = map[string]*httpSession{}
	e.mu.Unlock()
	e.s.stop()
	for _, v := range sessions {
		v.end()
	}
	e.inside.Wait()
}
