package engine

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
)

// actor is who an attempt is on the board: its agent, in a session of its own.
func actor(a *runs.Attempt) pawl.Actor { return pawl.Actor{Name: a.Agent, Session: a.Session} }

// once is an op id: the same op of the same attempt is carried out once.
func once(a *runs.Attempt, what string) pawl.OpID { return pawl.OpID(a.Session + "." + what) }

// do sends an op about the task of an attempt, whatever number that has now.
func (r *Runner) do(ctx context.Context, a *runs.Attempt, id pawl.OpID, op func(task pawl.ID) pawl.Op) (query.Outcome, error) {
	if _, err := r.detail(ctx, a); err != nil {
		return query.Outcome{}, err
	}
	still := func(board pawl.Reader) error {
		if t, err := board.Get(a.ID); err != nil || runs.IdentityOf(&t[0]) == a.Task {
			return err
		}
		return pawl.Errorf(pawl.Conflict, "%v: %w", a.ID, pawl.ErrMoved)
	}
	var out query.Outcome
	err := r.reach(ctx, func() (err error) {
		out, err = r.Board.Do(ctx, pawl.Request{By: actor(a), Op: op(a.ID), ID: id, Still: still}, 0)
		return err
	})
	return out, err
}

func ask[A any](ctx context.Context, r *Runner, q query.Asks[A]) (found A, err error) {
	err = r.reach(ctx, func() (err error) {
		found, err = query.Of(ctx, r.Board, query.Asker{}, q)
		return err
	})
	return found, err
}

// reach asks the board again and again while it cannot be reached or a claim is not
// confirmed, but not after all was stopped: what is left to be told then, the next runner
// tells.
func (r *Runner) reach(ctx context.Context, do func() error) error {
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		err := do()
		if !errors.Is(err, pawl.Unavailable) && !errors.Is(err, pawl.Unconfirmed) || ctx.Err() != nil {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-r.halted:
			timer.Stop()
			return err
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

func (r *Runner) task(ctx context.Context, a *runs.Attempt) (pawl.Task, error) {
	detail, err := r.detail(ctx, a)
	return detail.Task, err
}

// detail reads the task of an attempt with those around it. A merge of boards may have
// given the task another number, which the attempt has then, and its number to another
// task.
func (r *Runner) detail(ctx context.Context, a *runs.Attempt) (query.Detail, error) {
	detail, err := r.numbered(ctx, a.ID)
	if err == nil && runs.IdentityOf(&detail.Task) == a.Task || err != nil && !errors.Is(err, pawl.NotFound) {
		return detail, err
	}
	found, err := ask(ctx, r, query.TasksQuery{Query: pawl.Query{Was: a.Task.Number()}})
	if err != nil {
		return query.Detail{}, err
	}
	for i := range found.Page.Tasks {
		if t := &found.Page.Tasks[i]; runs.IdentityOf(t) == a.Task {
			a.ID = t.ID
			return r.numbered(ctx, t.ID)
		}
	}
	return query.Detail{}, pawl.Errorf(pawl.NotFound, "the task of this attempt, %v, is deleted", a.ID)
}

// numbered reads the task that has a number.
func (r *Runner) numbered(ctx context.Context, id pawl.ID) (query.Detail, error) {
	found, err := ask(ctx, r, query.TaskQuery{Names: []string{id.String()}})
	if err != nil {
		return query.Detail{}, err
	}
	if fault := found.Tasks[0].Fault; fault != nil {
		return query.Detail{}, fault
	}
	return *found.Tasks[0].Detail, nil
}

// claim makes sure that the attempt has its task: it claims it, or renews the claim. It
// shows no token: a lease that ended while no runner worked is nobody's loss, as long as
// nobody else has claimed the task since.
func (r *Runner) claim(ctx context.Context, a *runs.Attempt) error {
	if _, err := r.do(ctx, a, "", func(id pawl.ID) pawl.Op { return pawl.ClaimTask{ID: id, Lease: pawl.Duration(runs.Lease)} }); err != nil {
		return err
	}
	t, err := r.task(ctx, a)
	a.Token = t.Claim.Token
	return err
}

// lost reports whether an error of the board means that the attempt has its task no
// longer: somebody else has it, or it is gone.
func lost(err error) bool {
	return errors.Is(err, pawl.Conflict) || errors.Is(err, pawl.NotFound)
}

// renewing renews the claim until ctx is over, or the claim is: then it calls gone.
func (r *Runner) renewing(ctx context.Context, a runs.Attempt, gone func(error)) {
	for sleep(ctx, renewEach) == nil {
		_, err := r.do(ctx, &a, "", func(id pawl.ID) pawl.Op { return pawl.Renew{IDs: []pawl.ID{id}} })
		if lost(err) { // the lease has ended, as when the machine slept: that alone takes the task from nobody
			err = r.claim(ctx, &a)
		}
		if t, now := r.task(ctx, &a); lost(err) && (now != nil || t.Hold == nil || t.Claim.Session != "") {
			gone(err)
			return
		}
	}
}

// follow hears of the board's changes: each may make a task ready, and those of an
// attempt's session that are not the runner's own are a sign of its agent.
func (r *Runner) follow(ctx context.Context) {
	for ctx.Err() == nil {
		for news, err := range r.Board.Watch(ctx, query.Asker{}, query.From{Now: true}) {
			if err != nil {
				break
			}
			if news.Set != nil && len(news.Set.OpID) <= len(news.Set.By.Session) && news.Set.Verb != pawl.VerbRenew {
				r.mu.Lock()
				r.signs[news.Set.By.Session] = r.Now()
				r.mu.Unlock()
			}
			r.hint()
		}
		_ = sleep(ctx, 5*time.Second)
	}
}

// sleep waits; an error says that ctx is over.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
