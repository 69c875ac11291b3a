package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// dryRunFlag adds --dry-run.
func dryRunFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("dry-run", false, "show what would change, without changing it")
}

// carryOut does what some ops ask for, one after the other, all or none of
// them; or with dry only finds out what would come of it. Either way it returns
// one outcome, and the results that it is made of.
func (a *app) carryOut(ctx context.Context, board *pawl.Board, dry bool, ops ...pawl.Op) (outcome, []pawl.Result, error) {
	requests := make([]pawl.Request, len(ops))
	for i, op := range ops {
		requests[i] = a.request(op)
	}
	o := outcome{dry: dry, name: a.name()}
	var results []pawl.Result
	look := func(r pawl.Reader, came []pawl.Result, failed error) (err error) {
		if results = came; failed != nil {
			return firstError(failed)
		}
		if o.result, err = together(r, results); err != nil {
			return err
		}
		return o.read(a, r)
	}
	if dry || len(requests) > 1 { // Do would carry out the others when one fails
		if err := board.Preview(ctx, requests, look); err != nil || dry {
			return o, results, err
		}
	}
	var failed error
	results, err := board.DoThen(ctx, requests, func(r pawl.Reader, came []pawl.Result, err error) { failed = look(r, came, err) })
	if err != nil {
		return o, results, firstError(err)
	}
	return o, results, failed
}

// firstError is the first of the errors of a batch.
func firstError(err error) error {
	if batch, ok := errors.AsType[*pawl.BatchError](err); ok {
		return batch.Unwrap()[0]
	}
	return err
}

// together makes one result of several, with the tasks as r has them.
func together(r pawl.Reader, results []pawl.Result) (pawl.Result, error) {
	if len(results) == 1 {
		return results[0], nil
	}
	var all pawl.Result
	var ready []pawl.ID
	for _, res := range results {
		all.Changed = all.Changed || res.Changed
		all.Revision = max(all.Revision, res.Revision)
		all.Changes = append(all.Changes, res.Changes...)
		for _, id := range res.IDs {
			if !slices.Contains(all.IDs, id) {
				all.IDs = append(all.IDs, id)
			}
		}
		ready = append(ready, res.Ready...)
	}
	var err error
	if all.Tasks, _, err = ask.Present(r, all.IDs); err != nil {
		return all, err
	}
	tasks, _, err := ask.Present(r, ready)
	for i := range tasks {
		if id := tasks[i].ID; tasks[i].Free() && !slices.Contains(all.Ready, id) && !slices.Contains(all.IDs, id) {
			all.Ready = append(all.Ready, id)
		}
	}
	return all, err
}

// changesJSON are the changes of an outcome as an envelope shows them.
func changesJSON(r pawl.Result) []wire.Change {
	return wire.NewChangeSet(&pawl.ChangeSet{Changes: r.Changes}, subjectsOf(r.Changes)).Tasks
}

// subjectsOf finds what tasks are called in changes that have them whole.
func subjectsOf(changes []pawl.Change) ask.Subjects {
	names := ask.Subjects{}
	for _, c := range changes {
		for _, t := range []*pawl.Task{c.Before, c.After} {
			if t != nil {
				names[c.ID] = t.Subject
			}
		}
	}
	return names
}

// mostDetails is how many tasks of one change are spelled out: an import can
// have made 20,000. An envelope has them all.
const mostDetails = 50

// details spells out what happened to tasks. Signs of life are left out, unless
// there is nothing else.
func (a *app) details(changes []pawl.Change, names ask.Subjects, indent string) {
	more := slices.DeleteFunc(slices.Clone(changes), func(c pawl.Change) bool {
		return len(c.Fields) == 1 && c.Fields[0] == pawl.FieldClaim
	})
	if len(more) > 0 {
		changes = more
	}
	for i := range changes {
		if i == mostDetails {
			a.print("%sand %s\n", indent, text.Count(len(changes)-i, "more task", "more tasks"))
			return
		}
		for _, line := range say.ChangeDetail(&changes[i], names, a.screen.clock(time.Now())) {
			a.print("%s%s\n", indent, line)
		}
	}
}

// undoWith are the revisions that take results back, the last first.
func undoWith(results ...pawl.Result) []pawl.Revision {
	var revisions []pawl.Revision
	for _, res := range slices.Backward(results) {
		if res.Revision != 0 && len(res.Changes) > 0 {
			revisions = append(revisions, res.Revision)
		}
	}
	return revisions
}

// sayUndo says how to take something back.
func (a *app) sayUndo(revisions []pawl.Revision) {
	if len(revisions) == 0 {
		return
	}
	line := "undo"
	for _, rev := range revisions {
		line += " " + strconv.FormatInt(int64(rev), 10)
	}
	a.say("undo: %s", a.command(line))
}
