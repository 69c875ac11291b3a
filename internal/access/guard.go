package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// Lease is the lease of a claim by an agent's token that asked for none: without one, the
// claim of an agent that died would never end. It is the default of the setting lease.
const Lease = 15 * time.Minute

// ErrRefused is the cause of each error with which a [Guard] refuses what the token does
// not allow.
var ErrRefused = errors.New("the token does not allow it")

// Guard is a board as the holder of a token may use it. Each request and question is
// in the token's name, whatever the client says; session, agent and further sessions
// stay the client's word, within that name. An op id counts among those of the token,
// so that nobody gets the outcome of another's request by its id.
//
//	what                             read  work, agent     work, person   admin
//	questions, what-ifs, watch       yes   yes             yes            yes
//	ops, and trying them             no    yes             yes            yes
//	claim and start without a lease  -     [Lease]         as asked       as for work
//	force, of any op                 -     no              yes            as for work
//	the token of another's claim     -     no              yes            as for work
//	lifting another's hold           -     no              yes            as for work
//	undoing another's change         -     no              yes            as for work
//	assigning what is another's      -     no              yes            as for work
//	import                           -     no              yes            as for work
//	taking away what was asked       -     no              yes            as for work
//
// Checks, criteria and holds are what was asked: an agent's request is screened as in its own
// clone ([checks.Service.Screened]), and then carried out with the checks that the client sent.
//
// Requests that an agent may not make override what somebody else has decided, and so need a
// person who answers for them. A claim's token stands in each answer: if it counted for other
// names, it would be force without the flag. A hold is where an agent stops until somebody has
// looked, not least after its leases have run out; it may lift its own. To undo a claim or a
// completion takes the task from who did it. An import takes states, owners and the authors of
// notes as they come.
//
// Trying a change is refused as the change would be, for that is how it would end.
// Admin does not differ from work on a board: it makes boards, and sees the server.
func Guard(board query.Board, token Token, now func() time.Time) query.Board {
	return guarded{board, token, now}
}

type guarded struct {
	board query.Board
	token Token
	now   func() time.Time
}

// Close does nothing: the board is the server's.
func (g guarded) Close() error { return nil }

func (g guarded) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := g.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (g guarded) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return g.carry(ctx, g.board.DoAll, want, requests)
}

func (g guarded) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return g.carry(ctx, g.board.Try, want, requests)
}

// carry passes on the requests that the token allows: one that is refused fails
// nothing else.
func (g guarded) carry(ctx context.Context, do func(context.Context, query.Want, ...pawl.Request) ([]query.Outcome, error), want query.Want, requests []pawl.Request) ([]query.Outcome, error) {
	all, errs := make([]query.Outcome, len(requests)), make([]error, len(requests))
	var allowed []pawl.Request
	var places []int
	n := 0
	for i, request := range requests {
		if request, errs[i] = g.hold(request); errs[i] == nil && !g.token.Person {
			if n += steps(request.Op); n > pawl.MaxRequests { // each is tried with those before it
				errs[i] = pawl.TooMuch("an agent's requests of a call have at most %d ops here: send them in several calls", pawl.MaxRequests)
			} else {
				request, errs[i] = g.screened(ctx, request, allowed...)
			}
		}
		if errs[i] == nil {
			allowed, places = append(allowed, request), append(places, i)
		}
	}
	if len(allowed) == len(requests) {
		return do(ctx, want, allowed...)
	}
	if len(allowed) > 0 {
		some, err := do(ctx, want, allowed...)
		for n, i := range places {
			errs[i] = pawl.ErrorAt(err, n)
			if n < len(some) {
				all[i] = some[n]
			}
		}
	}
	return all, &pawl.BatchError{Errs: errs}
}

func (g guarded) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if err := g.live(); err != nil {
		return nil, err
	}
	return g.board.Ask(ctx, g.asker(who), q)
}

func (g guarded) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		if err := g.live(); err != nil {
			yield(query.News{}, err)
			return
		}
		for news, err := range g.board.Watch(ctx, g.asker(who), from) {
			if ended := g.live(); ended != nil {
				yield(query.News{}, ended)
				return
			}
			if !yield(news, err) {
				return
			}
		}
	}
}

func (g guarded) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		if err := g.live(); err != nil {
			yield(pawl.Task{}, err)
			return
		}
		g.board.Export(ctx, g.asker(who), q)(yield)
	}
}

// Film returns the history as the holder sees it.
func (g guarded) Film(ctx context.Context, _ string) (*replay.Film, error) {
	if err := g.live(); err != nil {
		return nil, err
	}
	return replay.Of(ctx, g.board, g.token.Name)
}

func (g guarded) asker(who query.Asker) query.Asker {
	who.By.Name = g.token.Name
	return who
}

func (g guarded) live() error { return g.token.live(g.now()) }

// hold returns the request that is carried out in the place of one by the holder.
func (g guarded) hold(request pawl.Request) (pawl.Request, error) {
	if err := g.live(); err != nil {
		return request, err
	}
	if err := g.token.MayChange(); err != nil {
		return request, err
	}
	request.By.Name = g.token.Name
	request.ID = g.token.scoped(request.ID)
	request.Same = nil // nothing is known here of the holder's processes
	if g.token.Person {
		return request, nil
	}
	request.Agent, request.Bound = true, true
	op, err := g.tame(request.Op)
	request.Op = op
	return request, err
}

// noClone knows what a board itself says: no project's checks, and nothing that a person has trusted.
var noClone = sync.OnceValue(func() *checks.Service {
	return checks.Open(checks.Options{Getenv: func(string) string { return "" }})
})

// screened is an agent's request as noClone allows it, with the checks that the client sent.
func (g guarded) screened(ctx context.Context, request pawl.Request, before ...pawl.Request) (pawl.Request, error) {
	screened, err := noClone().Screened(ctx, g.board, false, request, before...)
	request.Seen = screened.Seen
	request.Seen.Again = func(ctx context.Context, r pawl.Request) (pawl.Request, error) { return g.screened(ctx, r) }
	return request, err
}

// steps is how many ops an op is made of.
func steps(op pawl.Op) (n int) {
	all, _ := op.(pawl.All)
	for _, one := range all.Ops {
		n += steps(one)
	}
	return max(n, 1)
}

// MayChange says why the token's holder may not change anything.
func (t *Token) MayChange() error {
	if t.Role.changes() {
		return nil
	}
	return refused("the token of %s may only read", t.Name).Say("ask who runs the server for a token with the role work")
}

// tame returns an agent's op with a lease for what it claims. It goes through all
// ops, and a new one is refused until it stands here.
func (g guarded) tame(op pawl.Op) (pawl.Op, error) {
	if pawl.Forced(op) {
		return op, g.forPeople("force is")
	}
	switch o := op.(type) {
	case nil, pawl.Create, pawl.Update, pawl.Complete, pawl.Reopen, pawl.Release, pawl.Assign, pawl.PutHold, pawl.LiftHold, pawl.AddNote, pawl.AddEvidence, pawl.Delete, pawl.Renew, pawl.Undo:
	case pawl.ClaimTask:
		o.Lease = cmp.Or(o.Lease, pawl.Duration(Lease))
		return o, nil
	case pawl.Start:
		o.Lease = cmp.Or(o.Lease, pawl.Duration(Lease))
		return o, nil
	case pawl.All:
		o.Ops = slices.Clone(o.Ops)
		for i := range o.Ops {
			var err error
			if o.Ops[i], err = g.tame(o.Ops[i]); err != nil {
				return op, err
			}
		}
		return o, nil
	default:
		if reflect.TypeOf(op).Kind() == reflect.Pointer { // the board refuses it
			return op, nil
		}
		return op, g.forPeople(fmt.Sprintf("%s is", op.Verb()))
	}
	return op, nil
}

func (g guarded) forPeople(what string) error {
	return refused("%s for people, and the token of %s is an agent's", what, g.token.Name).Say("ask a person to do it")
}

func refused(format string, args ...any) *pawl.Error {
	e := pawl.Errorf(pawl.Invalid, format, args...)
	e.Cause = ErrRefused
	return e
}
