package mcpserver

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/tool"
)

// A keeper renews the claims of sessions whose client is connected: an agent
// that thinks for long, or waits for its user, has not gone.
type keeper struct {
	mu    sync.Mutex
	began bool
	wake  chan struct{} // somebody called: the lease may be another one now
	// A client has one session at a time. When it shows another one, as after
	// /clear, the one before is over, and its claims are left to run out.
	seen map[*mcp.ServerSession]tool.Caller
}

// The time between two renewals is a third of the lease, so that one of them may
// fail, and within these: a renewal is a write.
const (
	minRenewal = time.Second
	maxRenewal = 5 * time.Minute
)

// seen notes whose calls a client makes.
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
	by.Agent = "" // the session is kept, with all that its agents have
	k.seen[client] = by
	if !k.began {
		k.began, k.wake = true, make(chan struct{}, 1)
		s.work.Go(s.renewals)
	}
	select {
	case k.wake <- struct{}{}:
	default: // it is about to look
	}
}

// connected are the callers whose client is still there. A session over HTTP is
// kept for a client that may come back; it is there while it listens or asks. What
// is called without a session is over by the time that somebody looks.
func (s *Server) connected() []tool.Caller {
	there := map[*mcp.ServerSession]bool{}
	for client := range s.mcp.Sessions() {
		there[client] = client.ID() == "" || s.door.connected(client.ID())
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

// renewals renews until the server is closed.
func (s *Server) renewals() {
	for last := time.Now(); ; {
		pause := maxRenewal
		for _, by := range s.connected() {
			if lease := s.o.Settings(s.ctx, by.Session).Lease; lease > 0 {
				pause = max(minRenewal, min(pause, lease/3))
			}
		}
		timer := time.NewTimer(time.Until(last.Add(pause)))
		select {
		case <-s.ctx.Done():
			timer.Stop()
			return
		case <-s.keep.wake:
			timer.Stop()
			continue
		case <-timer.C:
		}
		last = time.Now()
		for _, by := range s.connected() {
			s.renew(by)
		}
	}
}

// renew is the sign of life of a session. One that holds nothing writes nothing.
func (s *Server) renew(by tool.Caller) {
	board, _, err := s.o.Board(s.ctx, by, false)
	if err == nil {
		err = board.Do(s.ctx, pawl.Request{By: by.Actor, Op: pawl.Renew{}})[0].Err
	}
	if err != nil && s.ctx.Err() == nil {
		s.o.Log.Warn("renewing claims", "session", by.Session, "error", err)
	}
}
