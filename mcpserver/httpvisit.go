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
	// maxVisits bounds the sessions of clients over HTTP: more agents than work on
	// one project. A new client takes the place of one that is not connected.
	maxVisits = 100
	// forgotten is after what time a session ends whose client is not connected.
	// Some clients do not begin a new one by themselves, and their people go home.
	forgotten = 24 * time.Hour
	// maxFollowed bounds the addresses that a client over HTTP follows: each task
	// that it looks at, and it could follow the board instead.
	maxFollowed = 1_000
)

// A visit is a session over HTTP. Its client is connected while a request of it
// is under way; a client that has nothing to ask keeps a stream open to be told
// of changes, and a program that was killed has none.
type visit struct {
	session *mcp.ServerSession
	open    int       // requests, guarded by the door
	since   time.Time // there are none
	timer   *time.Timer
	follows map[string]bool // addresses
}

func (v *visit) end() {
	v.timer.Stop()
	v.session.Close()
}

// welcoming lets a client begin a session where there is room for one.
func (d *door) welcoming(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && method == "initialize" && session.ID() != "" {
			if err := d.welcome(session); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

func (d *door) welcome(session *mcp.ServerSession) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := session.ID()
	switch {
	case d.shut:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is ending"}
	case d.visits[id] != nil:
		return nil // a second handshake, which the SDK refuses
	}
	if len(d.visits) >= maxVisits {
		gone := d.idlest()
		if gone == "" {
			return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "100 clients are connected, and there can be no more: end one, and connect again"}
		}
		left := d.visits[gone]
		delete(d.visits, gone)
		d.s.work.Go(left.end)
	}
	v := &visit{session: session, since: time.Now(), follows: map[string]bool{}}
	v.timer = time.AfterFunc(forgotten, func() { d.forget(id) })
	d.visits[id] = v
	d.s.work.Go(func() { // a DELETE ends it without a word to us
		session.Wait()
		d.mu.Lock()
		defer d.mu.Unlock()
		v.timer.Stop()
		if d.visits[id] == v {
			delete(d.visits, id)
		}
	})
	return nil
}

// idlest is the session whose client has not been connected for the longest
// time; empty: all are.
func (d *door) idlest() string {
	idlest := ""
	for id, v := range d.visits {
		if v.open == 0 && (idlest == "" || v.since.Before(d.visits[idlest].since)) {
			idlest = id
		}
	}
	return idlest
}

// forget ends a session whose client did not come back.
func (d *door) forget(id string) {
	d.mu.Lock()
	v := d.visits[id]
	if v == nil || v.open > 0 {
		d.mu.Unlock()
		return
	}
	delete(d.visits, id)
	d.mu.Unlock()
	v.end()
}

// arrive counts a request of a session until it is left.
func (d *door) arrive(id string) (leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visits[id]
	if v == nil {
		return func() {} // a first request, or one that the SDK refuses
	}
	v.open++
	v.timer.Stop()
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if v.open--; v.open == 0 && d.visits[id] == v {
			v.since = time.Now()
			v.timer.Reset(forgotten)
		}
	}
}

// connected reports whether the client of a session over HTTP is there.
func (d *door) connected(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visits[id]
	return v != nil && v.open > 0
}

// follows notes what the client of a session wants to be told of.
func (d *door) follows(id, uri string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visits[id]
	switch {
	case v == nil: // on lines, or for as long as a request
		return nil
	case len(v.follows) >= maxFollowed && !v.follows[uri]:
		return invalidParams("a client follows at most %d resources: unsubscribe from some, or follow %s", maxFollowed, boardURI)
	}
	v.follows[uri] = true
	return nil
}

func (d *door) leaves(id, uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v := d.visits[id]; v != nil {
		delete(v.follows, uri)
	}
}

// catchUp tells the client of a session of all that it follows. It has opened its
// stream, and what happened while there was none is not kept for it.
func (d *door) catchUp(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v := d.visits[id]; v != nil && len(v.follows) > 0 && !d.shut {
		uris := slices.Sorted(maps.Keys(v.follows))
		d.s.work.Go(func() { d.s.updated(uris...) })
	}
}
