package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
)

// maxReady is how many ready tasks are looked at: far more than slots, since some may
// not begin yet.
const maxReady = 200

// othersEach is how often the run looks whether agents of others have ended, if the
// board sends no news.
const othersEach = 30 * time.Second

// schedule begins attempts at ready tasks. Its first result says why none is ready.
func (r *Runner) schedule(ctx context.Context) (*pawl.Error, error) {
	run := &r.Options.Run
	if ctx.Err() != nil {
		return nil, nil
	}
	r.mu.Lock()
	draining := r.draining || r.stopping || run.Once && r.began > 0
	r.mu.Unlock()
	if draining {
		r.because("", time.Time{})
		return nil, nil
	}
	state := r.snapshot() // read before the board, whose answer may list a task whose attempt ends in between
	tasks, nothing, err := r.readyTasks(ctx)
	if err != nil || len(tasks) == 0 {
		if errors.Is(err, pawl.Unavailable) {
			r.because("the board cannot be reached: "+err.Error(), r.Now().Add(5*time.Second))
			return nil, nil
		}
		if err == nil && nothing != nil && nothing.Kind == pawl.Busy && !nothing.Until.IsZero() && !run.Once {
			// Agents are at work, here or on another machine, and tasks wait for them. That
			// those of this run are needs no words.
			why := nothing.Message
			if len(r.snapshot().Live()) > 0 {
				why = ""
			}
			r.because(why, r.Now().Add(othersEach))
			return nothing, nil
		}
		r.because("", time.Time{})
		return nothing, err
	}
	if free := r.Free(); free < runs.MinFree {
		r.because(fmt.Sprintf("the disk has %d MiB left, and an agent begins at %d", free>>20, runs.MinFree>>20), time.Time{})
		return nil, nil
	}
	spent := state.Spent(r.Now(), func(a *runs.Attempt) bool { return !a.Began.Before(run.Began) })
	if why := run.Limits.Over(spent); why != "" {
		r.because(why+": nothing more begins", time.Time{})
		return nil, nil
	}
	choice := state.Pick(tasks, run.Slots, run.Limits, run.Agent, r.Now())
	r.because(choice.Why, choice.Until)
	for _, p := range choice.Picks {
		if err := r.begin(ctx, p); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (r *Runner) because(why string, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if why != "" && why != r.why && r.Tell != nil {
		r.Tell(why)
	}
	r.why, r.until = why, until
}

// readyTasks are the ready tasks that the run is for, in the order of `pawl ready`, whole.
func (r *Runner) readyTasks(ctx context.Context) ([]pawl.Task, *pawl.Error, error) {
	run := &r.Options.Run
	q := pawl.Query{Ready: true, For: run.Agent, Order: pawl.ByUrgency, Labels: run.Select.Labels, Limit: maxReady}
	if len(run.Select.IDs) > 0 {
		var err error
		if q.IDs, err = r.selected(ctx); err != nil {
			return nil, nil, err
		}
	}
	found, err := query.Of(ctx, r.Board, query.Asker{By: pawl.Actor{Name: run.Agent}}, query.TasksQuery{Query: q, Why: true})
	if err != nil {
		return nil, nil, err
	}
	if len(found.Page.Tasks) == 0 && len(run.Select.IDs)+len(run.Select.Labels) > 0 {
		q.Ready, q.For, q.Status, q.Limit = false, "", []pawl.Status{pawl.Pending, pawl.InProgress}, 1
		left, err := query.Of(ctx, r.Board, query.Asker{}, query.TasksQuery{Query: q})
		if err != nil {
			return nil, nil, err
		}
		if left.Page.Total == 0 {
			return nil, pawl.Errorf(pawl.Idle, "nothing is left of what this run is for"), nil
		}
	}
	return found.Page.Tasks, found.Nothing, nil
}

// selected are the tasks that the run is for, with those below them.
func (r *Runner) selected(ctx context.Context) ([]pawl.ID, error) {
	ids := slices.Clone(r.Options.Run.Select.IDs)
	seen := map[pawl.ID]bool{}
	for i := 0; i < len(ids); i++ {
		if seen[ids[i]] {
			continue
		}
		seen[ids[i]] = true
		found, err := query.Of(ctx, r.Board, query.Asker{}, query.TasksQuery{Query: pawl.Query{Parent: ids[i], Brief: true}})
		if err != nil {
			return nil, err
		}
		for _, t := range found.Page.Tasks {
			ids = append(ids, t.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// begin records that a task is about to be claimed, and starts its driver.
func (r *Runner) begin(ctx context.Context, p runs.Pick) error {
	id := runs.IdentityOf(&p.Task)
	state := r.snapshot()
	a := runs.Attempt{
		Key: runs.Key{Task: id, N: p.N}, ID: p.Task.ID, Subject: p.Task.Subject, Agent: r.Options.Run.Agent, Slot: p.Slot, Again: p.Again,
		Globs: runs.Touches(&p.Task), Target: r.Options.Run.Target, Began: r.Now(),
	}
	a.Session = fmt.Sprintf("run-%s-%d-%d", r.Options.Run.ID, p.Task.ID, p.N)
	if p.Again {
		last := state.Tasks[id].Last()
		a.Tree, a.Branch, a.Base, a.Said = last.Tree, last.Branch, last.Base, last.Said
	} else {
		a.Tree, a.Branch = r.Folder(id, p.N), freeBranch(state, &p.Task, p.N)
	}
	if err := r.move(&a, runs.Claiming); err != nil {
		return err
	}
	r.mu.Lock()
	r.began++
	r.mu.Unlock()
	r.start(ctx, a.Key)
	return nil
}

// freeBranch is a name that no attempt has used.
func freeBranch(s *runs.State, t *pawl.Task, n int) string {
	used := s.Branches()
	for {
		if name := runs.BranchOf(t.ID, t.Subject, n); !used[name] {
			return name
		}
		n++
	}
}
