package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// resultJSON is the envelope of every verb that changes something.
type resultJSON struct {
	wire.Envelope
	Verb       string             `json:"verb"`                 // the verb that was asked for
	Changed    bool               `json:"changed"`              // false: all of it was already so, and nothing was written
	DryRun     bool               `json:"dryRun,omitempty"`     // nothing was written: the answer is what would happen
	Revision   pawl.Revision      `json:"revision,omitempty"`   // the number of the change; absent if nothing was written
	Short      string             `json:"short,omitempty"`      // the same as people write it: @3
	Tasks      []wire.Task        `json:"tasks"`                // the tasks that the command was about, as they are now; empty after import and rm
	Refs       map[string]pawl.ID `json:"refs,omitempty"`       // the ids behind the names in the input
	Same       []pawl.ID          `json:"unchanged,omitempty"`  // which of these tasks were so already
	Removed    []query.Brief      `json:"removed,omitempty"`    // deleted tasks
	Ready      []query.Brief      `json:"ready"`                // tasks that became ready by it
	Holding    []query.Brief      `json:"holding,omitempty"`    // with claim: other tasks that the caller has claimed
	Changes    []wire.Change      `json:"changes,omitempty"`    // with undo and rm: what happened to each task
	Undo       []pawl.Revision    `json:"undo,omitempty"`       // with rm, import and undo, and plan with warnings: the arguments of pawl undo that revert it, in this order
	Undid      []undidJSON        `json:"undid,omitempty"`      // with undo: the changes that were reverted, and their authors
	Counts     *importCounts      `json:"counts,omitempty"`     // with import: numbers of tasks
	Import     *importJSON        `json:"import,omitempty"`     // with import of another program's tasks: what was read
	Understood *understoodJSON    `json:"understood,omitempty"` // with plan: how the text was read
	Merged     *wire.Merged       `json:"merged,omitempty"`     // what was merged before the change, because git had brought boards together
	Claims     *wire.Claims       `json:"claims,omitempty"`     // on a board that is shared through a git remote: what the remote says of the claims that were made
	Warnings   []string           `json:"warnings,omitempty"`   // warnings, each in a sentence: with --force whose work was ended or taken over and which hold was lifted
}

func briefs(tasks []pawl.Task) []query.Brief {
	out := make([]query.Brief, len(tasks))
	for i, t := range tasks {
		out[i] = query.Brief{ID: t.ID, Subject: t.Subject}
	}
	return out
}

// outcome is what came of a change, and how it is told.
type outcome struct {
	query.Outcome
	op   pawl.Op // nil: there were several
	dry  bool    // nothing was written
	name string  // of who asked
}

// want is what every change tells.
func (a *app) want() query.Want {
	if a.json {
		return query.WantTasks | query.WantEdges
	}
	return query.WantTasks | query.WantAlready
}

// carry has one request done, and learns in the same moment what there is to
// tell about it.
func (a *app) carry(ctx context.Context, board query.Board, request pawl.Request) (*outcome, error) {
	want := a.want()
	if _, claims := request.Op.(pawl.ClaimTask); claims && !a.json {
		want |= query.WantDetail
	}
	told, err := board.Do(ctx, request, want)
	if a.isFormer(err) {
		request.By.Name = a.former
		told, err = board.Do(ctx, request, want)
	}
	if err != nil {
		return nil, err
	}
	a.acted(request.Op)
	return &outcome{Outcome: told, op: request.Op, name: a.name()}, nil
}

// json is the envelope of the outcome.
func (o *outcome) json(verb string) resultJSON {
	r := &o.Result
	var same []pawl.ID
	for i := range r.Tasks {
		if o.already(&r.Tasks[i], show.Clock{}) != "" {
			same = append(same, r.Tasks[i].ID)
		}
	}
	var merged *wire.Merged
	if !o.Merged.Nothing() {
		m := wire.NewMerged(o.Merged, o.name)
		merged = &m
	}
	short := "" // nothing was written
	if r.Revision != 0 {
		short = r.Revision.Short(o.Head.Origin)
	}
	return resultJSON{
		Merged:   merged,
		Envelope: wire.NewEnvelope("result"), Verb: verb, Changed: r.Changed, DryRun: o.dry, Revision: r.Revision, Short: short, Same: same,
		Tasks: wire.TasksOf(o.name, r.Tasks, o.Waiting), Refs: r.Refs, Ready: briefs(o.Ready), Holding: briefs(o.Holding), Warnings: show.Overridden(r.Changes, o.name), Claims: wire.NewClaims(o.Shared),
	}
}

// already says why a task of the outcome is as it was; empty: it has changed.
func (o *outcome) already(t *pawl.Task, clock show.Clock) string {
	if o.op == nil {
		return ""
	}
	return show.Already(o.op, &o.Outcome, t, clock)
}

// doAndTell carries out one op for the caller, and tells its outcome.
func (a *app) doAndTell(ctx context.Context, op pawl.Op, verb, done string) error {
	o, err := a.do(ctx, op)
	if err != nil {
		return err
	}
	return a.tell(verb, done, o)
}

// tell prints the outcome of a change to some tasks: a line for each, and what
// became ready.
//
//	Completed #1 Setup project
//	#3 was completed already, by bob at 14:09 CET
//	Ready now: #2 Write code
func (a *app) tell(verb, done string, o *outcome) error {
	if a.json {
		return a.printJSON(o.json(verb))
	}
	result := &o.Result
	for _, warning := range show.Overridden(result.Changes, o.name) {
		a.say("%s", warning)
	}
	for i := range result.Tasks {
		t := &result.Tasks[i]
		if same := o.already(t, a.screen.clock(o.Head.Now)); same != "" {
			a.print("%s\n", same)
			continue
		}
		remarks := show.Remarks(t)
		if verb == "add" || verb == "update" {
			if show.Checked(t) == pawl.CheckedOpen && t.Open() { // acceptanceOf says more
				remarks = slices.DeleteFunc(remarks, func(r string) bool { return r == show.CheckedWords(t) })
			}
			remarks = slices.Concat(remarks, placed(t), acceptanceOf(t))
		}
		if freed(result, t.ID) {
			remarks = append(remarks, "ready now")
		}
		a.print("%s %s\n", done, withRemarks(t, remarks))
	}
	a.readyNow(o)
	return nil
}

// placed is where a task belongs: what add and update can change, and lists leave out.
func placed(t *pawl.Task) (remarks []string) {
	if len(t.Labels) > 0 {
		label := "label "
		if len(t.Labels) > 1 {
			label = "labels "
		}
		remarks = append(remarks, label+text.Line(strings.Join(t.Labels, ", ")))
	}
	if t.Parent != 0 {
		remarks = append(remarks, "child of "+t.Parent.String())
	}
	return remarks
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
	for i := range o.Ready {
		a.print("%s %s\n", a.paint.as(green, label), withRemarks(&o.Ready[i], show.Remarks(&o.Ready[i])))
	}
	label = "Waits now:"
	if o.dry {
		label = "Would wait:"
	}
	for i := range o.Waits {
		a.print("%s %s\n", label, withRemarks(&o.Waits[i], show.Remarks(&o.Waits[i])))
	}
}
