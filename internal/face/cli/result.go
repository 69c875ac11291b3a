package cli

import (
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/wire"
)

// resultJSON is the envelope of every verb that changes something.
type resultJSON struct {
	wire.Envelope
	Verb     string             `json:"verb"`               // the verb that was asked for
	Changed  bool               `json:"changed"`            // false: all of it was so already, and nothing was written
	DryRun   bool               `json:"dryRun,omitempty"`   // nothing was written: this is what would come of it
	Revision pawl.Revision      `json:"revision,omitempty"` // the number of the change; not there when nothing was written
	Tasks    []wire.Task        `json:"tasks"`              // the tasks that were asked about, as they are now; empty after import and rm
	Refs     map[string]pawl.ID `json:"refs,omitempty"`     // the ids behind the names in the input
	Removed  []ask.Brief        `json:"removed,omitempty"`  // deleted tasks
	Ready    []ask.Brief        `json:"ready"`              // tasks that became ready by it
	Holding  []ask.Brief        `json:"holding,omitempty"`  // with claim: what the caller held already
	Changes  []wire.Change      `json:"changes,omitempty"`  // with undo and rm: what happened to each task
	Undo     []pawl.Revision    `json:"undo,omitempty"`     // with rm, import and undo, and plan with warnings: what takes it back, as arguments of pawl undo, in this order
	Undid    []undidJSON        `json:"undid,omitempty"`    // with undo: the changes that were taken back, and whose they were
	Counts   *importCounts      `json:"counts,omitempty"`   // with import: how many tasks it concerned
	Warnings []string           `json:"warnings,omitempty"` // what one should know of it, each in a sentence: with import what was left out or changed, with --force whose work was ended or taken over and which hold was lifted
}

func briefs(tasks []pawl.Task) []ask.Brief {
	out := make([]ask.Brief, len(tasks))
	for i, t := range tasks {
		out[i] = ask.Brief{ID: t.ID, Subject: t.Subject}
	}
	return out
}

// outcome is what there is to tell about a change: the result, and the tasks
// that it names only by id.
type outcome struct {
	result  pawl.Result
	dry     bool // nothing was written
	ready   []pawl.Task
	holding []pawl.Task
	tasks   []wire.Task // with --json
	claimed *ask.Detail // without --json: the task that was claimed
	now     time.Time   // then
	name    string      // of who asked
}

// carry has one request done, and learns in the same moment what there is to
// tell about it.
func (a *app) carry(ctx context.Context, board *pawl.Board, request pawl.Request) (pawl.Result, error) {
	var o outcome
	var failed error
	results, err := board.DoThen(ctx, []pawl.Request{request}, func(r pawl.Reader, results []pawl.Result, err error) {
		if o = (outcome{result: results[0]}); err != nil {
			return
		}
		failed = o.read(a, r)
		if _, claim := request.Op.(pawl.ClaimTask); claim && !a.json && failed == nil {
			o.now = r.Now()
			o.claimed, failed = ask.LoadDetail(r, o.result.IDs[0])
		}
	})
	if err != nil {
		return pawl.Result{}, pawl.ErrorAt(err, 0)
	}
	a.known = &o
	a.acted(request.Op)
	return results[0], failed
}

// learn reads what the result names only by id, unless that is known. What has
// gone since is left out.
func (a *app) learn(ctx context.Context, board *pawl.Board, result pawl.Result) (outcome, error) {
	if a.known != nil {
		return *a.known, nil
	}
	o := outcome{result: result, name: a.name()}
	if !a.json && len(result.Ready)+len(result.Holding) == 0 {
		return o, nil
	}
	err := board.View(ctx, func(r pawl.Reader) error { return o.read(a, r) })
	return o, err
}

// read is learn with a reader at hand.
func (o *outcome) read(a *app, r pawl.Reader) (err error) {
	o.name = a.name()
	if o.ready, _, err = ask.Present(r, o.result.Ready); err != nil {
		return err
	}
	if o.holding, _, err = ask.Present(r, o.result.Holding); err != nil {
		return err
	}
	if a.json {
		o.tasks, err = wire.NewTasks(r, a.name(), o.result.Tasks)
	}
	return err
}

// json is the envelope of the outcome.
func (o *outcome) json(verb string) resultJSON {
	tasks := o.tasks
	if tasks == nil {
		tasks = []wire.Task{}
	}
	return resultJSON{
		Envelope: wire.NewEnvelope("result"), Verb: verb, Changed: o.result.Changed, DryRun: o.dry, Revision: o.result.Revision,
		Tasks: tasks, Refs: o.result.Refs, Ready: briefs(o.ready), Holding: briefs(o.holding), Warnings: say.Overridden(o.result.Changes, o.name),
	}
}

// tell prints the outcome of a change to some tasks: a line for each, and what
// became ready.
//
//	Completed #1 Setup project
//	Ready now: #2 Write code
func (a *app) tell(ctx context.Context, verb, done string, board *pawl.Board, result pawl.Result) error {
	o, err := a.learn(ctx, board, result)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(o.json(verb))
	}
	for _, warning := range say.Overridden(o.result.Changes, o.name) {
		a.say("%s", warning)
	}
	if !result.Changed {
		done = "Unchanged:"
	}
	for i := range result.Tasks {
		t := &result.Tasks[i]
		remarks := say.Remarks(t)
		if freed(&result, t.ID) {
			remarks = append(remarks, "ready now")
		}
		a.print("%s %s\n", done, withRemarks(t, remarks))
	}
	a.readyNow(&o)
	return nil
}

// freed reports whether the request made a task ready that it was about itself.
// Result.Ready tells only of the others.
func freed(result *pawl.Result, id pawl.ID) bool {
	return slices.ContainsFunc(result.Changes, func(c pawl.Change) bool {
		return c.ID == id && c.Before != nil && c.After != nil && !c.Before.Free() && c.After.Free()
	})
}

func (a *app) readyNow(o *outcome) {
	label := "Ready now:"
	if o.dry {
		label = "Would be ready:"
	}
	for i := range o.ready {
		a.print("%s %s\n", a.paint.as(green, label), withRemarks(&o.ready[i], say.Remarks(&o.ready[i])))
	}
}
