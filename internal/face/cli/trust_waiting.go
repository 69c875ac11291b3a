package cli

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
)

// runWaiting offers a person to run the checks of tasks that only their trust was missing
// for: it completes those that agents have finished, and shows completed ones to be done.
// A task whose check fails is ready again.
func (a *app) runWaiting(ctx context.Context, run bool) error {
	if a.json || !a.caller().Person {
		return nil
	}
	service, tasks, err := a.checkedTasks(ctx)
	if err != nil {
		return err
	}
	board, err := a.open()
	if err != nil {
		return err
	}
	if err := a.tellUnchecked(ctx, board, tasks); err != nil {
		return err
	}
	left, err := service.LeftOut(ctx, board, a.caller().Actor)
	if err != nil {
		return err
	}
	finished, err := service.Runnable(tasks)
	if err != nil {
		return err
	}
	completed, err := service.Runnable(left)
	if err != nil {
		return err
	}
	n := len(finished) + len(completed)
	if n == 0 {
		return nil
	}
	ids := say.IDs(slices.Concat(finished, completed))
	if err := a.confirm(run, "run the checks of "+ids+" now", ""); err != nil {
		a.say("%s for a run of the checks: %s", text.Count(n, "task waits", "tasks wait"), a.command("trust checks --run"))
		return nil
	}
	for _, id := range finished {
		if err := a.completeWaiting(ctx, id); err != nil {
			return err
		}
	}
	request, err := a.checkRequest()
	if err != nil {
		return err
	}
	for _, id := range completed {
		_, err := service.Check(ctx, request, []pawl.ID{id}, nil)
		switch unmet, is := checks.Unmet(err); {
		case is:
			a.tails(unmet.Report)
			a.print("%v is completed, and its checks fail\n", id)
		case err != nil:
			return err
		default:
			a.print("%v is shown to be done\n", id)
		}
	}
	return nil
}

// completeWaiting completes a task that an agent has finished, or makes it ready again.
func (a *app) completeWaiting(ctx context.Context, id pawl.ID) error {
	o, err := a.complete(ctx, pawl.Complete{IDs: []pawl.ID{id}})
	if err == nil {
		return a.tell("done", "Completed", o)
	}
	if unmet, is := checks.Unmet(err); is {
		if failed, ran := unmet.Report.Failure(); ran {
			a.print("%v is ready again: %s %s\n", id, text.Line(failed.Check.Name), text.Line(failed.Says()))
			return nil
		}
	}
	if pawl.KindOf(err) == pawl.Unmet {
		a.say("%v stays on hold: %s", id, text.Line(err.Error()))
		return nil
	}
	return err
}

// tellUnchecked names tasks that are on hold as if they waited for trust, and have no check
// that could: anybody can write such a reason.
func (a *app) tellUnchecked(ctx context.Context, board ask.Board, checked []pawl.Task) error {
	var ids []pawl.ID
	for t, err := range board.Export(ctx, ask.Asker{By: a.caller().Actor}, pawl.Query{Held: true}) {
		if err != nil {
			return err
		}
		if t.Hold.Finished() && !slices.ContainsFunc(checked, func(c pawl.Task) bool { return c.ID == t.ID }) {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) > 0 {
		a.say("%s on hold, and no check of %s waits for trust", say.IDs(ids)+plural(len(ids), " is", " are"), plural(len(ids), "it", "them"))
		a.say("hint: %s", a.aboutIDs("lift", ids))
	}
	return nil
}
