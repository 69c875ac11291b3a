package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// dryRunFlag adds --dry-run.
func dryRunFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("dry-run", false, "show what would change, without changing it")
}

// carryOut carries some requests out, one after the other, all or none of them;
// or with dry only finds out what would come of it. Either way it returns one
// outcome, and those that it is made of.
func (a *app) carryOut(ctx context.Context, board query.Board, dry bool, want query.Want, requests ...pawl.Request) (outcome, []query.Outcome, error) {
	o := outcome{dry: dry, name: a.name()}
	want |= a.want()
	var came []query.Outcome
	var err error
	if dry {
		came, err = board.Try(ctx, want, requests...)
	} else {
		if len(requests) > 1 { // DoAll would carry out the others when one fails
			_, err = board.Try(ctx, 0, requests...)
		}
		if err == nil {
			came, err = board.DoAll(ctx, want, requests...)
		}
	}
	if err != nil {
		return o, nil, firstError(err)
	}
	o.Outcome = together(came)
	return o, came, nil
}

// firstError is the first of the errors of a batch.
func firstError(err error) error {
	if batch, ok := errors.AsType[*pawl.BatchError](err); ok {
		return batch.Unwrap()[0]
	}
	return err
}

// together makes one outcome of several, with the tasks as they are after all of
// them.
func together(came []query.Outcome) query.Outcome {
	if len(came) == 1 {
		return came[0]
	}
	all := query.Outcome{Head: came[0].Head, Merged: came[0].Merged}
	r := &all.Result
	about, left, ready := map[pawl.ID]bool{}, map[pawl.ID]bool{}, map[pawl.ID]bool{}
	for i := range came {
		one := &came[i].Result
		r.Changed = r.Changed || one.Changed
		r.Revision = max(r.Revision, one.Revision)
		r.Changes = append(r.Changes, one.Changes...)
		for _, id := range one.IDs {
			if !about[id] {
				about[id], r.IDs = true, append(r.IDs, id)
			}
		}
		all.Waiting = append(all.Waiting, came[i].Waiting...)
		for _, t := range came[i].Left {
			if !left[t.ID] {
				left[t.ID], r.Tasks = true, append(r.Tasks, t)
			}
		}
	}
	for i := range came {
		for _, t := range came[i].Ready {
			if t.Free() && !ready[t.ID] && !about[t.ID] {
				ready[t.ID], r.Ready, all.Ready = true, append(r.Ready, t.ID), append(all.Ready, t)
			}
		}
	}
	return all
}

// changesJSON are the changes of an outcome as an envelope shows them.
func changesJSON(r pawl.Result) []wire.Change {
	return wire.NewChangeSet(&pawl.ChangeSet{Changes: r.Changes}, subjectsOf(r.Changes), 0).Tasks
}

// subjectsOf finds what tasks are called in changes that have them whole.
func subjectsOf(changes []pawl.Change) query.Subjects {
	names := query.Subjects{}
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
func (a *app) details(changes []pawl.Change, names query.Subjects, indent string) {
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
		for _, line := range show.ChangeDetail(&changes[i], names, a.screen.clock(time.Now())) {
			a.print("%s%s\n", indent, line)
		}
	}
}

// undoWith are the revisions that take outcomes back, the last first.
func undoWith(came ...query.Outcome) []pawl.Revision {
	var revisions []pawl.Revision
	for i := range slices.Backward(came) {
		if r := &came[i].Result; r.Revision != 0 && len(r.Changes) > 0 {
			revisions = append(revisions, r.Revision)
		}
	}
	return revisions
}

// sayUndo says how to take something back.
func (a *app) sayUndo(origin pawl.Revision, revisions []pawl.Revision) {
	if line := a.undoLine(origin, revisions); line != "" {
		a.say("undo: %s", line)
	}
}

// undoLine is the command that takes revisions back; "" if there are none.
func (a *app) undoLine(origin pawl.Revision, revisions []pawl.Revision) string {
	if len(revisions) == 0 {
		return ""
	}
	return a.command("undo " + shorts(origin, revisions))
}
