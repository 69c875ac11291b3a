package team

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// Work is bounded by the tasks that it is about, not only by the bytes that ask for it:
//
//	call ──→ more than mostTasks ────────────────────────────────────→ 413
//	     └─→ small: at once, within smallRoom ──→ larger than that ─┐
//	     └─→ large: waits for one of mostLarge slots ←─────────────┘
//	                └→ within largeRoom, in commits of partTasks ──→ or 413
const (
	// mostTasks is how many tasks the requests of a call may make or name.
	mostTasks = 5_000
	// partTasks is how many of them go into one commit, for which others wait.
	partTasks = 500
	// smallTasks is how many a call may name that waits for no slot.
	smallTasks = 100
	// smallRoom is how many bytes of tasks such a call may touch, or a question read: of
	// these there are many at once.
	smallRoom = 512 << 10
	// largeRoom is how many a large call may touch. In memory it is several times that.
	largeRoom = 16 << 20
	// mostLarge is how many large calls and questions are under way, and of those of one
	// token one less, so that it leaves a slot to others.
	mostLarge = 2
)

// A slot is that of a large call, which one HTTP request takes once, and has until
// it is answered: till then its answer is in memory.
type slot struct {
	mu   sync.Mutex
	done func() // nil: not taken
	over bool   // the request is answered
}

type slotKey struct{}

func (at *slot) free() {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.over = true; at.done != nil {
		at.done()
	}
}

// large waits for a slot for a token. done gives it back, if it is not that of an HTTP
// request.
func (s *Server) large(ctx context.Context, token string) (done func(), err error) {
	take := func() (func(), error) {
		return s.larges.take(ctx, token, 1, mostLarge, mostLarge-1, full("other large requests are under way"))
	}
	at, ok := ctx.Value(slotKey{}).(*slot)
	if !ok {
		return take()
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.over { // it has begun what goes on without it
		return take()
	}
	if at.done == nil {
		at.done, err = take()
	}
	return func() {}, err
}

// A measured board bounds the work of a token's calls.
type measured struct {
	query.Board
	server *Server
	token  string
}

func (m measured) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := m.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (m measured) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return m.carry(ctx, m.Board.DoAll, false, want, requests)
}

func (m measured) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return m.carry(ctx, m.Board.Try, true, want, requests)
}

func (m measured) carry(ctx context.Context, do func(context.Context, query.Want, ...pawl.Request) ([]query.Outcome, error), try bool, want query.Want, requests []pawl.Request) ([]query.Outcome, error) {
	n := weight(requests)
	if n > mostTasks {
		return make([]query.Outcome, len(requests)), pawl.TooMuch("the requests of a call make or name at most %d tasks here, and these %d: send them in several calls", mostTasks, n)
	}
	var first []query.Outcome
	var failed error
	at := 0 // what is left begins here
	if n <= smallTasks {
		first, failed = do(pawl.Within(ctx, smallRoom), want, requests...)
		for at < len(requests) && !errors.Is(pawl.ErrorAt(failed, at), pawl.ErrTooMuch) {
			at++
		}
		if at == len(requests) {
			return first, failed
		}
		if try { // the others are tried after these
			at = 0
		}
	}
	done, err := m.server.large(ctx, m.token)
	if err == nil {
		defer done()
		var rest []query.Outcome
		rest, err = do(pawl.Within(ctx, largeRoom), want, requests[at:]...)
		first = append(first[:at:at], rest...)
	}
	return joined(len(requests), first, at, failed, err)
}

// joined is what came of n requests whose first ones failed as failed says, and those from
// at on as err does.
func joined(n int, outcomes []query.Outcome, at int, failed, err error) ([]query.Outcome, error) {
	outcomes = append(outcomes, make([]query.Outcome, n-len(outcomes))...)
	errs := make([]error, n)
	for i := range errs {
		if i < at {
			errs[i] = pawl.ErrorAt(failed, i)
		} else {
			errs[i] = pawl.ErrorAt(err, i-at)
		}
	}
	if !slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return outcomes, nil
	}
	return outcomes, &pawl.BatchError{Errs: errs}
}

func (m measured) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := m.Board.Ask(pawl.Within(ctx, smallRoom), who, q)
	if !errors.Is(err, pawl.ErrTooMuch) {
		return answer, err
	}
	done, err := m.server.large(ctx, m.token)
	if err != nil {
		return nil, err
	}
	defer done()
	return m.Board.Ask(pawl.Within(ctx, largeRoom), who, q)
}

// Film returns the history. It reads all of it.
func (m measured) Film(ctx context.Context, name string) (*replay.Film, error) {
	done, err := m.server.large(ctx, m.token)
	if err != nil {
		return nil, err
	}
	defer done()
	return replay.Of(ctx, m.Board, name)
}

func weight(requests []pawl.Request) int {
	n := 0
	for i := range requests {
		n += pawl.Weight(requests[i].Op)
	}
	return n
}
