package host

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/httpcaller"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// teamTools are the tools of agents on a team's server. Each token has a server of its
// own on each board, so that nothing that a client can say, not even the id of
// another's session, leads into another token's sessions.
type teamTools struct {
	faces *Faces

	mu   sync.Mutex
	shut bool
	open map[toolsFor]*tooling
}

type toolsFor struct{ board, token string }

type tooling struct {
	*mcpserver.Server
	token  access.Token
	inside int       // requests under way
	left   time.Time // when the last one ended
}

const (
	// maxTooling bounds the servers: so many agents and people use tools over HTTP at
	// once on a large team's server, and an idle one makes room.
	maxTooling = 512
	// toolsIdle is for how long a server stays that nobody asks. Its clients begin a new
	// session when they come back later.
	toolsIdle = 24 * time.Hour
)

// serve answers a request that has a token.
func (t *teamTools) serve(w http.ResponseWriter, r *http.Request, board string, open team.Opener) {
	token, there := access.Of(r.Context())
	if !there {
		http.Error(w, "a token is missing", http.StatusUnauthorized)
		return
	}
	at := toolsFor{board, token.ID}
	s := t.enter(at, token, open)
	if s == nil {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "the server cannot take another client now: try again later", http.StatusServiceUnavailable)
		return
	}
	defer t.leave(s)
	s.HTTP().ServeHTTP(w, r)
}

// enter returns the server of a token, which is not closed before leave; nil: the most
// are in use.
func (t *teamTools) enter(at toolsFor, token access.Token, open team.Opener) *tooling {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut {
		return nil
	}
	s := t.open[at]
	if s != nil && !s.token.Same(&token) { // it may do less now, or more
		t.end(at)
		s = nil
	}
	if s == nil {
		now := time.Now()
		var idlest toolsFor
		for other, one := range t.open {
			if one.inside > 0 {
				continue
			}
			if now.Sub(one.left) > toolsIdle {
				t.end(other)
			} else if there := t.open[idlest]; there == nil || one.left.Before(there.left) {
				idlest = other
			}
		}
		if len(t.open) >= maxTooling {
			if t.open[idlest] == nil {
				return nil
			}
			t.end(idlest)
		}
		s = &tooling{Server: t.faces.toolServer(at.board, token, open), token: token}
		t.open[at] = s
	}
	s.inside++
	return s
}

func (t *teamTools) leave(s *tooling) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.inside, s.left = s.inside-1, time.Now()
}

// end ends a server that nobody is inside of. The caller holds t.mu.
func (t *teamTools) end(at toolsFor) {
	s := t.open[at]
	delete(t.open, at)
	go s.Close()
}

func (t *teamTools) close() {
	t.mu.Lock()
	t.shut = true
	open := t.open
	t.open = nil
	t.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
}

// toolServer is the server of one token on a board.
func (f *Faces) toolServer(name string, token access.Token, open team.Opener) *mcpserver.Server {
	board := func(ctx context.Context, _ tool.Caller, write bool) (query.Board, string, error) {
		board, err := open(access.With(ctx, token), write)
		if board == nil && err == nil {
			board = access.Guard(boards.Of(memory.New()), token, time.Now) // of this call alone: nobody finds on it what somebody left
		}
		return board, "", err
	}
	var todos *todo.Service // a token for reading has none
	if token.MayChange() == nil {
		todos = f.todos(name, token)
	}
	settings := func(context.Context, string) tool.Settings {
		held := tool.DefaultSettings
		held.Archive = teamArchive
		return held
	}
	return mcpserver.New(mcpserver.Options{
		Version: f.version, Tools: tool.New(tool.Options{Board: board, Todos: todos, Settings: settings, Now: time.Now}),
		Board: board, Todos: todos, Settings: settings, Now: time.Now, Log: f.log, Who: whoByToken(token),
		Await: func(ctx context.Context) (query.Board, error) { return await(access.With(ctx, token), open) },
	})
}

// whoByToken is who calls with a token: its name, and the session that the client says
// or has with the server.
func whoByToken(token access.Token) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	find := httpcaller.Of("", &attribution.Resolver{Getenv: func(string) string { return "" }})
	return func(ctx context.Context, call mcpserver.Call) (tool.Caller, error) {
		who, err := find(ctx, call)
		who.Name = token.Name
		return who, err
	}
}
