package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
)

// merged completes the task: its commits are in the target, and its checks have passed
// on exactly these files.
func (r *Runner) merged(d *driver, a *runs.Attempt) error {
	if a.Board {
		if err := r.Repo.MergeBoard(d.life, a.Ref()); err != nil {
			r.tell(a, "changed the board in its commits, and they cannot be merged into this one: %v", err)
		}
	}
	t, err := r.task(d.life, a)
	if err == nil && t.Open() {
		_, err = r.do(d.life, a, once(a, "complete"), func(id pawl.ID) pawl.Op {
			return pawl.Complete{IDs: []pawl.ID{id}, Rules: r.Rules, Tree: a.FilesID}
		})
	}
	if errors.Is(err, pawl.Unavailable) || d.life.Err() != nil {
		return err
	}
	if err != nil {
		why := fmt.Sprintf("its commits are in %s, and the board does not complete it: %v", runs.Branch(a.Target), err)
		return r.fail(a, runs.Changed, why, "")
	}
	a.Reason, a.Why, a.Tail, a.Check = "", "", "", ""
	if err := r.move(a, runs.Completed); err != nil {
		return err
	}
	r.tell(a, "completed")
	r.clean(d.life, a.Task)
	return nil
}

// clean removes the work trees of a completed task. One that cannot be removed stays, and
// pawl run clean says why.
func (r *Runner) clean(ctx context.Context, id runs.Identity) {
	w := r.snapshot().Tasks[id]
	seen := map[string]bool{}
	for i := range w.Attempts {
		a := w.Attempts[i]
		if a.Cleaned || a.Tree == "" {
			continue
		}
		if !seen[a.Tree] {
			last := a
			for _, later := range w.Attempts[i:] { // the newest attempt in that tree
				if later.Tree == a.Tree {
					last = later
				}
			}
			if err := r.Repo.Clean(ctx, &last); err != nil {
				continue
			}
			seen[a.Tree] = true
		}
		a.Cleaned = true
		if r.record(runs.Record{Kind: runs.KindAttempt, Attempt: &a}) != nil {
			return
		}
	}
}

func (r *Runner) hand(d *driver, a *runs.Attempt, where string) error {
	reason := pawl.ApprovalReason(a.N, fmt.Sprintf("%s; then pawl run approve %d", where, a.ID))
	if err := r.giveBack(d.life, a, "hand", reason); err != nil {
		return err
	}
	a.Why = where
	r.tell(a, "%s", where)
	return r.move(a, runs.Handed)
}

func (r *Runner) failed(d *driver, a *runs.Attempt) error {
	state := r.snapshot()
	next := runs.After(state.Tasks[a.Task], r.Options.Run.Limits, r.Now())
	r.mu.Lock()
	asked := d.asked
	r.mu.Unlock()
	hold, to := "", runs.Released
	switch {
	case a.Reason == runs.LostLease:
		a.Until = r.Now().Add(next.Pause)
		r.tell(a, "attempt %d ends: %s; its work is in %s", a.N, a.Why, a.Ref())
		return r.move(a, runs.Released)
	case a.Reason == runs.AgentHold:
		hold, to = a.Why, runs.Held
	case asked == runs.Take: // the person claims the task, which is not free until then
		r.tell(a, "attempt %d: a person goes on with it", a.N)
		return r.move(a, runs.Taken)
	case asked == runs.StopOne:
		hold, to = fmt.Sprintf("%s: pawl run retry %d goes on", a.Why, a.ID), runs.Held
	case next.Hold != "":
		hold, to = fmt.Sprintf("%s: pawl run log %d, pawl run retry %d", next.Hold, a.ID, a.ID), runs.Held
	}
	hold = line(hold)
	if err := r.giveBack(d.life, a, "give", hold); err != nil && !lost(err) && !errors.Is(err, pawl.Invalid) {
		return err
	}
	switch {
	case to != runs.Released:
		r.tell(a, "attempt %d: %s", a.N, hold)
	case next.Agent:
		until := r.Now().Add(next.Pause)
		if err := r.record(runs.Record{Kind: runs.KindPause, Pause: &runs.Pause{Agent: a.Agent, Why: a.Why, Until: until}}); err != nil {
			return err
		}
		a.Until = until
	default:
		a.Until = r.Now().Add(next.Pause)
		r.tell(a, "attempt %d failed: %s", a.N, a.Why)
	}
	return r.move(a, to)
}

// line is a text as the reason of a hold: one line, not longer than the board takes.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for runes := []rune(text); len(text) > pawl.MaxReason; text = string(runes) {
		runes = runes[:len(runes)-1]
	}
	return text
}

// giveBack releases the task of an attempt, and puts it on hold if there is a reason. It
// shows no token: the hold counts even if the claim has ended since, unless somebody else
// has the task by now.
func (r *Runner) giveBack(ctx context.Context, a *runs.Attempt, what, hold string) error {
	_, err := r.do(ctx, a, once(a, what), func(id pawl.ID) pawl.Op { return pawl.Release{IDs: []pawl.ID{id}, Hold: hold} })
	return err
}

// lastChange says who changed a task last, apart from renewals.
func (r *Runner) lastChange(ctx context.Context, id pawl.ID) (pawl.Actor, error) {
	found, err := ask(ctx, r, query.HistoryQuery{Task: id, Limit: 1})
	if err != nil || len(found.Sets) == 0 {
		return pawl.Actor{}, err
	}
	return found.Sets[0].By, nil
}
