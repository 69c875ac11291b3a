package mcpserver

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/tool"
)

// A renewer renews the claims of sessions whose client is connected: an agent may
// think for long, or wait for its user.
type renewer struct {
	mu    sync.Mutex
	began bool
	wake  chan struct{} // a call came: the lease may have changed
	// A client has one session at a time. When it shows another, as after /clear,
	// the earlier one has ended, and its leases run out.
	seen map[*mcp.ServerSession]tool.Caller
}

// Renewals are a third of the lease apart, so that one may fail, and within these
// bounds, because a renewal is a write.
const (
	minRenewal = time.Second
	maxRenewal = 5 * time.Minute
)

// seen records the caller of a client.
func (s *Server) seen(by tool.Caller, client *mcp.ServerSession) {
	if by.Session == "" || s.o.Board == nil {
		return
	}
	k := &s.keep
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[*mcp.ServerSession]tool.Caller{}
	}
	by.Agent = "" // the session renews the claims of all its agents
	k.seen[client] = by
	if !k.began {
		k.began, k.wake = true, make(chan struct{}, 1)
		s.work.Go(s.renewals)
	}
	select {
	case k.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// connected returns the callers whose client is connected. A client over HTTP is
// connected while it has a stream or a request open. Calls without a session do
// not count.
func (s *Server) connected() []tool.Caller {
	there := map[*mcp.ServerSession]bool{}
	for client := range s.mcp.Sessions() {
		there[client] = client.ID() == "" || s.endpoint.connected(client.ID())
	}
	s.keep.mu.Lock()
	defer s.keep.mu.Unlock()
	var callers []tool.Caller
	for client, by := range s.keep.seen {
		is, known := there[client]
		switch {
		case is:
			callers = append(callers, by)
		case !known:
			delete(s.keep.seen, client)
		}
	}
	return callers
}

// renewals renews leases until the server is closed.
func (s *Server) renewals() {
	for last := time.Now(); ; {
		pause := maxRenewal
		for _, by := range s.connected() {
			if lease := s.o.Settings(s.ctx, by.Session).Lease; lease > 0 {
				pause = max(minRenewal, min(pause, lease/3))
			}
		}
		select {
		case <-s.ctx.Done():
			return
		case <-s.keep.wake:
			continue
		case <-time.After(time.Until(last.Add(pause))):
		}
		last = time.Now()
		for _, by := range s.connected() {
			s.renew(by)
		}
	}
}

// renew renews the leases of a session. Without claims it writes nothing.
func (s *Server) renew(by tool.Caller) {
	board, _, err := s.o.Board(s.ctx, by, false)
	if err == nil {
		_, err = board.Do(s.ctx, pawl.Request{By: by.Actor, Op: pawl.Renew{}}, 0)
	}
	if err != nil && s.ctx.Err() == nil {
		s.o.Log.Warn("renewing claims", "session", by.Session, "error", err)
	}
}
