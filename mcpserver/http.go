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

// HTTP is the server for clients that speak streamable HTTP: those of the
// revisions from 2025-03-26 to 2025-11-25 in sessions, with a stream of what the
// server has to tell, and those of 2026-07-28 call by call.
//
// Whether a request may be made at all is for the handler around it to decide:
// this one looks at no host, no origin and no token. Streams end with their
// request, sessions by a DELETE, when there are too many, or a day after anything
// was heard of their client; [Server.Close] ends all of them, and the handler
// answers that the server is gone from then on.
func (s *Server) HTTP() http.Handler { return &s.door }

// A door is the way in over HTTP. Its zero value is not ready: see open.
type door struct {
	s         *Server
	stateful  http.Handler // of the SDK, which refuses there what belongs to the other one
	stateless http.Handler

	mu        sync.Mutex
	shut      bool
	inside    sync.WaitGroup // requests
	visits    map[string]*visit
	listeners int
}

func (d *door) open(s *Server) {
	d.s, d.visits = s, map[string]*visit{}
	server := func(*http.Request) *mcp.Server { return s.mcp }
	// The guard of the SDK against names that point at this machine knows only
	// loopback, and would refuse what the handler around it allows.
	d.stateful = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, MaxRequestBodyBytes: -1,
	})
	d.stateless = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		DisableLocalhostProtection: true, MaxRequestBodyBytes: -1, Stateless: true, PropagateRequestCancellation: true,
	})
	s.mcp.AddReceivingMiddleware(d.welcoming)
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !d.enter() {
		http.Error(w, "the server is ending", http.StatusServiceUnavailable)
		return
	}
	defer d.inside.Done()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(d.s.ctx, cancel)() // a stream would keep the server from ending
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)

	modern, err := d.modern(r)
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
		d.call(pulse, r)
		return
	}
	id := r.Header.Get(sessionHeader)
	defer d.arrive(id)()
	if r.Method == http.MethodGet {
		pulse.begins = func() { d.catchUp(id) }
	}
	d.stateful.ServeHTTP(pulse, r)
}

// enter reports whether the door is still open, and counts whoever goes in.
func (d *door) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.shut {
		d.inside.Add(1)
	}
	return !d.shut
}

// call answers a client that has no session.
func (d *door) call(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(methodHeader) == listenMethod { // the SDK refuses a header that does not fit the body
		d.mu.Lock()
		full := d.listeners >= maxListeners
		if !full {
			d.listeners++
		}
		d.mu.Unlock()
		if full {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "100 streams are open, and there can be no more: end one, or ask again later", http.StatusServiceUnavailable)
			return
		}
		defer func() {
			d.mu.Lock()
			d.listeners--
			d.mu.Unlock()
		}()
	}
	d.stateless.ServeHTTP(w, r)
}

// What a request says of itself.
const (
	sessionHeader  = "Mcp-Session-Id"
	revisionHeader = "MCP-Protocol-Version"
	methodHeader   = "Mcp-Method"
	listenMethod   = "subscriptions/listen"
	sessionless    = "2026-07-28" // the first revision without sessions
)

// modern reports whether a request is of a revision without sessions. Its header
// says so. Where that and a session are missing the body does: the fault is then
// told as that revision tells it, and a client knows what to do.
func (d *door) modern(r *http.Request) (bool, error) {
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
		return false, nil // the SDK says what is wrong
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

// close ends all that came in, and what the server does in the background.
func (d *door) close() {
	d.mu.Lock()
	d.shut = true
	visits := d.visits
	d.visits = map[string]*visit{}
	d.mu.Unlock()
	d.s.stop()
	for _, v := range visits {
		v.end()
	}
	d.inside.Wait()
}
