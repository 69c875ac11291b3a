package query

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
)

// Local is a board of this process. Nothing is encoded.
func Local(b *pawl.Board, options ...Option) Board {
	l := local{board: b, chance: &chance{rand.Int64N, share.Sleep}}
	for _, option := range options {
		option(&l)
	}
	return l
}

type local struct {
	board   *pawl.Board
	merger  Merger  // nil: nothing is merged
	sharer  Sharer  // nil: the board is not shared
	syncer  Syncer  // nil: nothing is synced
	away    error   // why the remote was not reached a moment ago: nobody waits for it again
	chance  *chance // a pointer, so that local stays comparable
	bounded bool    // see [Bounded]
}

func (l local) Close() error { return l.board.Close() }

// An Expirer is a board of this process that can record the leases that have ended
// ([pawl.Board.Expire]).
type Expirer interface {
	Expire(ctx context.Context) error
}

func (l local) Expire(ctx context.Context) error { return l.board.Expire(ctx) }

func (l local) Do(ctx context.Context, request pawl.Request, want Want) (Outcome, error) {
	outcomes, err := l.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (l local) DoAll(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error) {
	if l.syncer != nil && l.syncer.Active() {
		var err error
		if l.away, err = l.recalled(ctx, requests); err != nil {
			return make([]Outcome, len(requests)), err
		}
	}
	all, err := l.merged(ctx, want, requests)
	if l.syncer != nil && len(requests) > 0 {
		all, err = l.synced(ctx, want, requests, all, err)
		for i := range requests {
			l.former(pawl.ErrorAt(err, i))
		}
	}
	l.tellShared(ctx, requests, all)
	return all, err
}

func (l local) doAll(ctx context.Context, want Want, requests []pawl.Request) ([]Outcome, error) {
	var told []Outcome
	var broke error
	requests, unknown := spelledOut(ctx, l.board, requests)
	results, err := l.board.DoThen(ctx, requests, func(r pawl.Reader, results []pawl.Result, _ error) {
		if told, broke = outcomes(r, want, requests, results); broke != nil {
			told = nil // half of it would mislead
		}
	})
	all, err := settled(requests, told, results, errors.Join(err, broke), err)
	l.recount(ctx, want, requests, all, err)
	return all, because(err, unknown)
}

// recount tells what only history knows of what was asked for.
func (l local) recount(ctx context.Context, want Want, requests []pawl.Request, all []Outcome, failed error) {
	for i := range requests {
		missing(ctx, l.board, nil, pawl.ErrorAt(failed, i))
	}
	if want&WantUndid != 0 {
		undid(ctx, l.board, all)
	}
	if want&WantAlready != 0 {
		already(ctx, l.board, requests, all)
	}
}

func (l local) Try(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error) {
	var told []Outcome
	var tried []pawl.Result
	var refused error
	if l.merger != nil && len(requests) == 1 {
		if all, is, err := l.tryMerge(ctx, want, requests[0]); is {
			if err != nil {
				return make([]Outcome, 1), batch([]error{err})
			}
			return all, nil
		}
	}
	requests, unknown := spelledOut(ctx, l.board, requests)
	err := l.board.Preview(ctx, requests, func(r pawl.Reader, results []pawl.Result, failed error) (err error) {
		tried, refused = results, failed
		told, err = outcomes(r, want, requests, results)
		return err
	})
	if err != nil && refused == nil { // nothing is done that would have to be told
		return make([]Outcome, len(requests)), err
	}
	all, err := settled(requests, told, tried, err, refused)
	l.recount(ctx, want, requests, all, err)
	return all, because(err, unknown)
}

// A preparer asks the board before the one view of its answer: TasksQuery, since
// the store records first what others did.
type preparer interface {
	begin(context.Context, *pawl.Board, Asker) (Question, error)
}

// A filler adds to its answer, within the view, what a reader does not have:
// history, as far as the view had it, and problems.
type filler interface {
	fill(context.Context, *pawl.Board, pawl.Reader, Answer) error
}

func (l local) Ask(ctx context.Context, who Asker, q Question) (answer Answer, err error) {
	if err := refuse(who, q); err != nil {
		return nil, err
	}
	if l.syncer != nil {
		defer l.syncer.Looked(ctx)
	}
	if g, quick := q.(GlanceQuery); quick && len(who.AsDone) == 0 {
		return g.glance(ctx, l.board)
	}
	if p, ok := q.(preparer); ok {
		if q, err = p.begin(ctx, l.board, who); err != nil {
			return nil, err
		}
	}
	read := func(r pawl.Reader) error {
		if l.bounded {
			r = &bounded{Reader: r, room: pawl.Room(ctx)}
		}
		if answer, err = q.read(r, who); err != nil {
			return err
		}
		if f, ok := q.(filler); ok {
			err = f.fill(ctx, l.board, r, answer)
		}
		if err == nil {
			err = l.shared(ctx, r, q, answer)
		}
		return err
	}
	if len(who.AsDone) > 0 {
		err = l.asDone(ctx, who, func(r pawl.Reader, done []pawl.ID) error {
			err := read(r)
			if a, ok := answer.(interface{ suppose([]pawl.ID) }); ok && err == nil {
				a.suppose(done)
			}
			return err
		})
	} else {
		err = l.board.View(ctx, read)
	}
	if err != nil {
		missing(ctx, l.board, nil, err)
		return nil, err
	}
	return answer, nil
}

// asDone runs fn on the board as it would be if its owners, or the asker where a
// task has none, had completed some tasks. done are those that it did not find
// completed.
func (l local) asDone(ctx context.Context, who Asker, fn func(r pawl.Reader, done []pawl.ID) error) error {
	for again := changedHands; ; again-- {
		requests, err := l.completions(ctx, who)
		if err != nil {
			return err
		}
		var refused error
		err = l.board.Preview(ctx, requests, func(r pawl.Reader, results []pawl.Result, failed error) error {
			var done []pawl.ID
			for i := range requests {
				if refused = pawl.ErrorAt(failed, i); refused != nil {
					return refused
				}
				if results[i].Changed {
					done = append(done, who.AsDone[i])
				}
			}
			return fn(r, done)
		})
		if again == 0 || !errors.Is(refused, pawl.Conflict) {
			return err
		}
	}
}

// changedHands is how often it is tried again to complete tasks for their owners,
// who can have changed since they were read.
const changedHands = 3

// completions are requests by the owners of tasks to complete these.
func (l local) completions(ctx context.Context, who Asker) ([]pawl.Request, error) {
	requests := make([]pawl.Request, len(who.AsDone))
	err := l.board.View(ctx, func(r pawl.Reader) error {
		nodes, err := r.Nodes(who.AsDone...)
		for i := range nodes {
			by := pawl.Actor{Name: who.By.Name} // without a session, whose claims this would renew
			if nodes[i].Status == pawl.InProgress && nodes[i].Owner != "" {
				by.Name = nodes[i].Owner
			}
			requests[i] = pawl.Request{By: by, Op: pawl.Complete{IDs: who.AsDone[i : i+1]}}
		}
		return err
	})
	return requests, err
}

func (l local) Export(ctx context.Context, who Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		if err := refuseExport(who, q); err != nil {
			yield(pawl.Task{}, err)
			return
		}
		enough := errors.New("enough")
		q.Brief, q.Limit = true, pawl.MaxPage // smaller pages would go through the board more often
		err := l.board.View(ctx, func(r pawl.Reader) error {
			for {
				page, err := r.Select(q)
				if err != nil {
					return err
				}
				err = inParts(r, idsOf(page.Tasks), func(tasks []pawl.Task) error {
					for i := range tasks {
						if !yield(tasks[i], nil) {
							return enough
						}
					}
					return nil
				})
				if err != nil {
					return err
				}
				if q.After = page.Next; q.After == nil {
					return nil
				}
			}
		})
		if err != nil && !errors.Is(err, enough) {
			yield(pawl.Task{}, err)
		}
	}
}

func idsOf(tasks []pawl.Task) []pawl.ID {
	ids := make([]pawl.ID, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	return ids
}
