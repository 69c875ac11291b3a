package team

import (
	"context"
	"sync/atomic"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// A noted board counts what the holder of a token changes, and records it in the
// audit, with what is refused.
type noted struct {
	query.Board
	audit   *Audit // nil: only count
	entry   Entry  // who, and on which board
	changes *atomic.Int64
}

// noting returns the board with each change recorded.
func (s *Server) noting(b query.Board, token *access.Token, board string) query.Board {
	return noted{b, s.Audit, Entry{Board: board, Token: token.ID, Name: token.Name}, &s.counts.changes}
}

// A way is how a request came in: over v1, the page or mcp, and from which address.
type way struct{ by, from string }

type wayKey struct{}

func withWay(ctx context.Context, w way) context.Context { return context.WithValue(ctx, wayKey{}, w) }

func wayOf(ctx context.Context) way {
	w, _ := ctx.Value(wayKey{}).(way)
	return w
}

func (n noted) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := n.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (n noted) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	outcomes, err := n.Board.DoAll(ctx, want, requests...)
	for i := range requests {
		req := &requests[i]
		e := n.entry
		w := wayOf(ctx)
		e.By, e.From = w.by, w.from
		e.Session, e.Agent, e.Forced = req.By.Session, req.By.Agent, pawl.Forced(req.Op)
		if req.Op != nil {
			e.Verb = req.Op.Verb()
		}
		if failed := pawl.ErrorAt(err, i); failed != nil {
			e.Kind, e.Why = pawl.KindOf(failed).Error(), failed.Error()
			n.audit.Refuse(e)
			continue
		}
		if !outcomes[i].Result.Changed {
			continue // a renewal, or what had been done before
		}
		n.changes.Add(1)
		e.Event, e.Tasks, e.Revision = "change", outcomes[i].Result.IDs, outcomes[i].Result.Revision
		n.audit.Note(e)
	}
	return outcomes, err
}

// Film returns the history, which the board tells.
func (n noted) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Of(ctx, n.Board, name)
}
