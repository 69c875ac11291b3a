package team

import (
	"context"
	"net/http"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/query"
)

// faces are the handlers that other packages have for boards.
type faces struct {
	server *Server
	mu     sync.Mutex
	of     map[string]face // by the name of the board; "": of none
}

type face struct{ page, mcp http.Handler }

// serve answers a request with a token that opens the board; without a name one without a
// token, whose handler has no board.
func (f *faces) serve(w http.ResponseWriter, r *http.Request, name, rest string) {
	at := f.get(name)
	h := at.page
	if rest == "/mcp" {
		h = at.mcp
	}
	if h == nil {
		f.server.fail(w, r, refused(http.StatusNotFound, "this server has nothing at %s", rest))
		return
	}
	h.ServeHTTP(w, inside(r, rest))
}

func (f *faces) get(name string) face {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, made := f.of[name]
	if !made && f.server.Faces != nil {
		at.page, at.mcp = f.server.Faces(name, f.server.opener(name))
		f.of[name] = at
	}
	return at
}

// opener opens a board for the token of a context, and no other board.
func (s *Server) opener(name string) Opener {
	return func(ctx context.Context, write bool) (query.Board, error) {
		token, ok := access.Of(ctx)
		if !ok || address.CheckName(name) != nil || !token.Opens(name) { // "" is that of no board, and of the folder itself
			return nil, noBoard(name)
		}
		v := visit{server: s, token: token, name: name}
		b, err := v.board(ctx, write)
		if err == nil && b == nil && write {
			err = v.refuse(ctx)
		}
		if err != nil || b == nil {
			return nil, s.veiled(err)
		}
		return veil{v.guarded(b), s}, nil
	}
}

// refuse says why the token may not make its board, and records that.
func (v *visit) refuse(ctx context.Context) error {
	err := v.token.MayChange()
	if err != nil {
		w := wayOf(ctx)
		v.server.Audit.Refuse(Entry{Board: v.name, Token: v.token.ID, Name: v.token.Name, By: w.by, From: w.from, Kind: pawl.KindOf(err).Error(), Why: err.Error()})
	}
	return err
}
