package mcpserver

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxSessions is more agents than work on one project. A new client takes the
	// place of one that is not connected.
	maxSessions = 100
	// forgotten is how long a session lasts without its client. Some clients never
	// start a new session by themselves, and their users go home.
	forgotten = 24 * time.Hour
	// maxFollowed bounds the resources that a client subscribes to. A client that
	// needs more can subscribe to the board.
	maxFollowed = 1_000
)

// An httpSession is a client's session over HTTP. The client is connected while a
// request of it is open. An idle client keeps a stream open to hear of changes; a
// killed one has none.
type httpSession struct {
	session *mcp.ServerSession
	open    int       // requests, guarded by the endpoint
	since   time.Time // there are none
	timer   *time.Timer
	follows map[string]bool // addresses
}

func (v *httpSession) end() {
	v.timer.Stop()
	v.session.Close()
}

// welcoming admits the first request of a session, if there is room.
func (e *endpoint) welcoming(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && method == "initialize" && session.ID() != "" {
			if err := e.welcome(session); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

func (e *endpoint) welcome(session *mcp.ServerSession) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	id := session.ID()
	switch {
	case e.shut:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is ending"}
	case e.sessions[id] != nil:
		return nil // the SDK refuses a second handshake
	}
	if len(e.sessions) >= maxSessions {
		gone := e.idlest()
		if gone == "" {
			return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "100 clients are connected, which is the limit: end one, and connect again"}
		}
		left := e.sessions[gone]
		delete(e.sessions, gone)
		e.s.work.Go(left.end)
	}
	v := &httpSession{session: session, since: time.Now(), follows: map[string]bool{}}
	v.timer = time.AfterFunc(forgotten, func() { e.forget(id) })
	e.sessions[id] = v
	e.s.work.Go(func() { // the SDK does not report a DELETE
		session.Wait()
		e.mu.Lock()
		defer e.mu.Unlock()
		v.timer.Stop()
		if e.sessions[id] == v {
			delete(e.sessions, id)
		}
	})
	return nil
}

// idlest returns the session whose client has been away longest, or "" if all are
// connected.
func (e *endpoint) idlest() string {
	idlest := ""
	for id, v := range e.sessions {
		if v.open == 0 && (idlest == "" || v.since.Before(e.sessions[idlest].since)) {
			idlest = id
		}
	}
	return idlest
}

// forget ends a session whose client did not return.
func (e *endpoint) forget(id string) {
	e.mu.Lock()
	v := e.sessions[id]
	if v == nil || v.open > 0 {
		e.mu.Unlock()
		return
	}
	delete(e.sessions, id)
	e.mu.Unlock()
	v.end()
}

// arrive counts a request of a session, until leave is called.
func (e *endpoint) arrive(id string) (leave func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.sessions[id]
	if v == nil {
		return func() {} // a first request, or one that the SDK refuses
	}
	v.open++
	v.timer.Stop()
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if v.open--; v.open == 0 && e.sessions[id] == v {
			v.since = time.Now()
			v.timer.Reset(forgotten)
		}
	}
}

// connected reports whether the client of a session is connected.
func (e *endpoint) connected(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.sessions[id]
	return v != nil && v.open > 0
}

// follows records a subscription of a session.
func (e *endpoint) follows(id, uri string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := e.sessions[id]
	switch {
	case v == nil: // on lines, or for as long as a request
		return nil
	case len(v.follows) >= maxFollowed && !v.follows[uri]:
		return invalidParams("a client follows at most %d resources: unsubscribe from some, or follow %s", maxFollowed, boardURI)
	}
	v.follows[uri] = true
	return nil
}

func (e *endpoint) leaves(id, uri string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v := e.sessions[id]; v != nil {
		delete(v.follows, uri)
	}
}

// catchUp notifies the client of a session about all its subscriptions, when it
// opens a stream: nothing is kept for a client without one.
func (e *endpoint) catchUp(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v := e.sessions[id]; v != nil && len(v.follows) > 0 && !e.shut {
		uris := slices.Sorted(maps.Keys(v.follows))
		e.s.work.Go(func() { e.s.updated(uris...) })
	}
}
