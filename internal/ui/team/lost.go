package team

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// A restored backup gives numbers again that clients have already seen, unless an
// administrator runs pawl serve restored. The server notices a client that has seen more of
// the board than is left. It also notices one that comes later, when the numbers have caught
// up: between two runs of a server no board loses anything.
//
//	run 1:  ── @901 ── @1000 (seen by ada)
//	run 2:  ── @901: began here ── @1000, other changes: nothing is carried out for ada

// reached is how far a board is known to have come.
type reached struct {
	high  atomic.Pointer[epoch.High] // as far as this server has seen; nil: it has not looked
	began *epoch.High                // when it was first opened in this run; nil: runs do not count
}

// note remembers how far an answer shows the board.
func (r *reached) note(head interface{ High() epoch.High }) {
	for {
		was := r.high.Load()
		now := head.High()
		if was != nil {
			now = was.And(now)
		}
		if was != nil && now == *was || r.high.CompareAndSwap(was, &now) {
			return
		}
	}
}

// doubts reports whether the board may have lost what a client has seen.
func (r *reached) doubts(seen remote.Seen, run string) bool {
	high := r.high.Load()
	return high == nil || high.Below(seen.High) || r.before(seen, run)
}

// before reports whether a client has seen more in an earlier run than this one began with,
// and the numbers have not jumped since.
func (r *reached) before(seen remote.Seen, run string) bool {
	return r.began != nil && seen.Run != "" && seen.Run != run && r.began.Below(seen.High) && r.high.Load().Epoch == r.began.Epoch
}

// began is how far a board had come when this run opened it first.
func (b *boards) began(ctx context.Context, name string, opened query.Board) *epoch.High {
	if b.server.RunName == "" {
		return nil
	}
	if was, known := b.begun.Load(name); known {
		return was.(*epoch.High)
	}
	head, err := headOf(context.WithoutCancel(ctx), opened) // the board stays open when the client goes
	if err != nil {
		return nil // asked again when the board is next opened
	}
	high := head.High()
	b.begun.Store(name, &high)
	return &high
}

func headOf(ctx context.Context, b query.Board) (query.Head, error) {
	tasks, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{Query: pawl.Query{Limit: 1, Brief: true}})
	return tasks.Head, err
}

// lost says why the board may not be the one that the client of a request knows; nil: it is.
func (v *visit) lost(r *http.Request) error {
	seen, said := remote.ParseSeen(r.Header.Get(remote.SeenHeader))
	if !said || seen.LastID == 0 { // without tasks there was nothing to lose
		return nil
	}
	b, err := v.board(r.Context(), false)
	if err != nil {
		return err
	}
	var now epoch.High
	if b != nil {
		if !b.doubts(seen, v.server.RunName) {
			return nil
		}
		head, err := headOf(r.Context(), b)
		if err != nil {
			return err
		}
		now = head.High()
	}
	if !now.Below(seen.High) && !b.before(seen, v.server.RunName) {
		return nil
	}
	v.server.Log.Warn("a client has seen changes that this board has lost; if a backup was restored, run: pawl serve restored", "board", v.name, "seen", seen.Revision, "lastId", seen.LastID)
	return remote.LostError(v.name)
}
