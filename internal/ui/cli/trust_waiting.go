package cli

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// runWaiting offers a person to run the checks of tasks that only their trust was missing
// for: it completes those that agents have finished, and shows completed ones to be done.
// A task whose check fails is ready again.
func (a *app) runWaiting(ctx context.Context, run bool, service *checks.Service, tasks []pawl.Task) error {
	ids, err := service.Runnable(tasks)
	if a.json || !a.caller().Person || err != nil || len(ids) == 0 {
		return err
	}
	if err := a.confirm(run, "run the checks of "+show.IDs(ids)+" now", ""); err != nil {
		a.say("%s for their checks to run: %s", text.Count(len(ids), "task waits", "tasks wait"), a.command("trust checks --run"))
		return nil
	}
	for i := range tasks {
		if t := &tasks[i]; slices.Contains(ids, t.ID) {
			if err := a.runOf(ctx, service, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// runOf runs the checks of one task, and says how it is then. A refusal stops no other task.
func (a *app) runOf(ctx context.Context, service *checks.Service, t *pawl.Task) error {
	ids, why := []pawl.ID{t.ID}, ""
	request, err := a.checkRequest()
	if err != nil {
		return err
	}
	var o *outcome
	if !t.Open() {
		_, err = service.Check(ctx, request, ids, nil)
	} else if o, err = a.complete(ctx, pawl.Complete{IDs: ids}); err == nil {
		return a.tell("done", "Completed", o)
	}
	if err != nil {
		why = ": " + text.Line(err.Error())
		if kind := pawl.KindOf(err); kind == pawl.Unavailable || kind == pawl.Internal {
			return err
		}
	}
	if unmet, is := checks.Unmet(err); is {
		if failed, ran := unmet.Report.Failure(); ran {
			why = ": " + text.Line(failed.Check.Name) + " " + text.Line(failed.Says())
		}
		if !t.Open() {
			a.tails(unmet.Report)
		}
	}
	now, err := request.Read(ctx, ids)
	switch {
	case err != nil:
		return err
	case !now[0].Open() && !now[0].Unshown():
		a.print("%v is shown to be done\n", t.ID)
	case !now[0].Open():
		a.print("%v is completed, and not shown to be done%s\n", t.ID, why)
	case now[0].Hold == nil:
		a.print("%v is ready again%s\n", t.ID, why)
	default:
		a.say("%v stays on hold%s", t.ID, why)
	}
	return nil
}

// tellUnchecked names tasks that are on hold as if they waited for trust, and have no check
// that could: anybody can write such a reason.
func (a *app) tellUnchecked(ctx context.Context, checked []pawl.Task) error {
	board, err := a.open()
	if err != nil {
		return err
	}
	var ids []pawl.ID
	for t, err := range board.Export(ctx, query.Asker{By: a.caller().Actor}, pawl.Query{Held: true}) {
		if err != nil {
			return err
		}
		if t.Hold.Finished() && !slices.ContainsFunc(checked, func(c pawl.Task) bool { return c.ID == t.ID }) {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) > 0 {
		a.say("%s on hold, and no check of %s waits for trust", show.IDs(ids)+text.Plural(len(ids), " is", " are"), text.Plural(len(ids), "it", "them"))
		a.say("hint: %s", a.aboutIDs("hold --lift", ids))
	}
	return nil
}
