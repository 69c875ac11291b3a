package team

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
)

// alive are the requests under way, by the id of their token.
type alive struct {
	mu   sync.Mutex
	last int
	of   map[string]*holder
}

type holder struct {
	token    access.Token
	requests map[int]context.CancelCauseFunc
}

// begin returns the context of a request, which ends when the token no longer holds.
func (a *alive) begin(ctx context.Context, t access.Token) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(access.With(ctx, t))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	n := a.last
	h := a.of[t.ID]
	if h == nil {
		h = &holder{t, map[int]context.CancelCauseFunc{}}
		a.of[t.ID] = h
	}
	h.requests[n] = cancel
	return ctx, func() {
		cancel(nil)
		a.mu.Lock()
		defer a.mu.Unlock()
		if delete(h.requests, n); len(h.requests) == 0 && a.of[t.ID] == h {
			delete(a.of, t.ID)
		}
	}
}

// ended says why a request was ended for its token; nil: it was not.
func (a *alive) ended(ctx context.Context) error {
	if why := context.Cause(ctx); why == errNoToken || why == errTokens {
		return why
	}
	return nil
}

// end ends the requests of a token.
func (a *alive) end(id string, why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h := a.of[id]; h != nil {
		for _, cancel := range h.requests {
			cancel(why)
		}
		delete(a.of, id)
	}
}

// face lets a request to a page or a tool end with the server, of which its stream does
// not know.
func (s *Server) face(r *http.Request) (*http.Request, func()) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(s.ending, cancel)
	return r.WithContext(ctx), func() { stop(); cancel() }
}

// holders are the tokens that have a request under way.
func (a *alive) holders() []access.Token {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make([]access.Token, 0, len(a.of))
	for _, h := range a.of {
		all = append(all, h.token)
	}
	return all
}

// watchTokens ends what a token has under way once it no longer holds, or holds for
// something else, until ctx ends. It looks at each itself: one that came and went
// between two looks at the file is no news there.
func (s *Server) watchTokens(ctx context.Context) {
	var file sync.WaitGroup
	file.Go(func() {
		s.Tokens.Watch(ctx, func(t access.Token) {
			s.alive.end(t.ID, errNoToken)
			s.Audit.Token(t, "ended")
		}, func(t access.Token) {
			s.Audit.Token(t, fmt.Sprintf("made, role %s, for %s", t.Role, strings.Join(t.Boards, " ")))
		})
	})
	defer file.Wait()
	look := time.NewTicker(access.Fresh)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		for _, t := range s.alive.holders() {
			now, err := s.Tokens.Find(t.ID)
			switch {
			case err != nil && !errors.Is(err, access.ErrUnknown):
				s.alive.end(t.ID, errTokens)
			case err != nil, !now.Same(&t):
				s.alive.end(t.ID, errNoToken)
			}
		}
	}
}
