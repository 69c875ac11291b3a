package engine

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/runs"
)

// actor is who an attempt is on the board: its agent, in a session of its own.
func actor(a *runs.Attempt) pawl.Actor { return pawl.Actor{Name: a.Agent, Session: a.Session} }

// once is an op id: the same op of the same attempt is carried out once.
func once(a *runs.Attempt, what string) pawl.OpID { return pawl.OpID(a.Session + "." + what) }

// do sends an op for an attempt, again and again while the board cannot be reached.
func (r *Runner) do(ctx context.Context, a *runs.Attempt, id pawl.OpID, op pawl.Op) (ask.Outcome, error) {
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		out, err := r.Board.Do(ctx, pawl.Request{By: actor(a), Op: op, ID: id}, 0)
		if !errors.Is(err, pawl.Unavailable) || ctx.Err() != nil {
			return out, err
		}
		if err := sleep(ctx, pause); err != nil {
			return out, err
		}
	}
}

// task reads a task whole.
func (r *Runner) task(ctx context.Context, id pawl.ID) (pawl.Task, error) {
	detail, err := r.detail(ctx, id)
	return detail.Task, err
}

// detail reads a task with those around it.
func (r *Runner) detail(ctx context.Context, id pawl.ID) (ask.Detail, error) {
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		found, err := ask.Of(ctx, r.Board, ask.Asker{}, ask.TaskQuery{Names: []string{id.String()}})
		if errors.Is(err, pawl.Unavailable) && ctx.Err() == nil {
			if err := sleep(ctx, pause); err != nil {
				return ask.Detail{}, err
			}
			continue
		}
		if err != nil {
			return ask.Detail{}, err
		}
		if fault := found.Tasks[0].Fault; fault != nil {
			return ask.Detail{}, fault
		}
		return *found.Tasks[0].Detail, nil
	}
}

// claim makes sure that the attempt has its task: it claims it, or renews the claim. It
// shows no token: a lease that ended while no runner worked is nobody's loss, as long as
// nobody else has claimed the task since.
func (r *Runner) claim(ctx context.Context, a *runs.Attempt) error {
	if _, err := r.do(ctx, a, "", pawl.ClaimTask{ID: a.ID, Lease: runs.Lease}); err != nil {
		return err
	}
	t, err := r.task(ctx, a.ID)
	if err != nil {
		return err
	}
	if runs.IdentityOf(&t) != a.Task {
		return pawl.Errorf(pawl.NotFound, "%v is another task now", a.ID)
	}
	a.Token = t.Claim.Token
	return nil
}

// lost reports whether an error of the board means that the attempt has its task no
// longer: somebody else has it, or it is gone.
func lost(err error) bool {
	return errors.Is(err, pawl.Conflict) || errors.Is(err, pawl.NotFound)
}

// renewing renews the claim until ctx is over, or the claim is: then it calls gone.
func (r *Runner) renewing(ctx context.Context, a runs.Attempt, gone func(error)) {
	for sleep(ctx, renewEach) == nil {
		if _, err := r.do(ctx, &a, "", pawl.Renew{IDs: []pawl.ID{a.ID}}); lost(err) {
			gone(err)
			return
		}
	}
}

// follow hears of the board's changes: each may make a task ready, and those of an
// attempt's session that are not the runner's own are a sign of its agent.
func (r *Runner) follow(ctx context.Context) {
	for ctx.Err() == nil {
		for news, err := range r.Board.Watch(ctx, ask.Asker{}, ask.From{Now: true}) {
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
