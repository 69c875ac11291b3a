package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

var undoVerb = verb{
	name:  "undo",
	use:   "[REV...] [flags]",
	short: "undo a change",
	long:  "REV is a change as pawl log shows it; @3 always means this clone's third. Without REV: your newest change in effect (an agent: of its session), not counting undos and runs of checks that have run again since. Several changes are undone in the order given, all or none. Fails if it would overwrite a later change. An undo is a change too, and can be undone.",
	kind:  "result",
	examples: []string{
		"pawl undo --dry-run",
		"pawl undo @3",
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		dry := dryRunFlag(cmd)
		return func(ctx context.Context, args []string) error {
			revisions, err := parseRevisions("undo", args)
			if err != nil {
				return err
			}
			board, err := a.open()
			if err != nil {
				return err
			}
			return a.asShort(ctx, a.undo(ctx, board, revisions, *dry), args...)
		}
	},
}

// undo undoes changes; without revisions, the caller's newest one.
func (a *app) undo(ctx context.Context, board query.Board, revisions []pawl.Revision, dry bool) error {
	var requests []pawl.Request
	for _, rev := range revisions {
		requests = append(requests, a.request(pawl.Undo{Revision: rev}))
	}
	if len(revisions) == 0 {
		// A person is the same in every terminal, and an agent in those sessions of its
		// process that run nowhere else.
		newest := a.request(pawl.Undo{Everywhere: a.caller().Person})
		newest.Same = nil
		if notes, process, ok := a.agent(); ok {
			newest.Sessions = notes.Siblings(process)
		}
		requests = append(requests, newest)
	}
	requests, err := a.screened(ctx, board, requests...)
	if err != nil {
		return err
	}
	o, came, err := a.carryOut(ctx, board, dry, query.WantUndid, requests...)
	if e, refused := errors.AsType[*pawl.Error](err); refused && len(revisions) == 0 && e.Undoes != 0 {
		revisions = []pawl.Revision{e.Undoes}
		if len(e.Namesakes) > 0 { // whose claims may be the caller's, though their changes are not
			return a.undo(ctx, board, revisions, dry)
		}
	}
	if err != nil {
		return a.notUndone(ctx, board, revisions, err)
	}
	return a.tellUndone(&o, came)
}

// tellUndone prints what was undone, what came of it, and how to have it again.
func (a *app) tellUndone(o *outcome, came []query.Outcome) error {
	undid := make([]undidJSON, len(came))
	for i := range came {
		undid[i] = a.undid(&came[i])
	}
	undo := undoWith(came...)
	if a.json {
		j := o.json("undo")
		j.Changes, j.Undo, j.Undid = changesJSON(o.Result), undo, undid
		return a.printJSON(j)
	}
	done := "Undid"
	if o.dry {
		done = "Would undo"
	}
	for i := range came {
		r := &came[i].Result
		if !r.Changed {
			a.print("%s is undone already: %s\n", undid[i].Short, undid[i].Said)
			continue
		}
		a.print("%s %s: %s\n", done, undid[i].Short, undid[i].Said)
		now, rest := show.Undone(r.Changes)
		if now != "" {
			a.print("  %s\n", now)
		}
		if len(rest) > 0 {
			a.details(rest, subjectsOf(r.Changes), "  ")
		}
	}
	for _, rev := range came[0].Result.Passed {
		a.say("%s stays: it recorded a run of a check, which has run again since", rev.Short(came[0].Head.Origin))
	}
	for i := range o.Result.Tasks {
		if t := &o.Result.Tasks[i]; t.Free() && freed(&o.Result, t.ID) {
			o.Ready = append(o.Ready, *t)
		}
	}
	a.readyNow(o)
	if err := a.flush(); err != nil {
		return err
	}
	if came[0].Undid != nil && came[0].Undid.Set.Verb == mergeVerb.name {
		a.say("%s does it again; the next change does not", a.command("merge"))
		return nil
	}
	if line := a.undoLine(came[0].Head.Origin, undo); line != "" && redoes(came) {
		a.say("redo: %s", line)
	} else if line != "" {
		a.say("undo: %s", line)
	}
	return nil
}

// redoes reports whether undoing these undos does again what they took back: none of
// them took back an undo.
func redoes(came []query.Outcome) bool {
	return !slices.ContainsFunc(came, func(o query.Outcome) bool {
		return o.Result.Changed && (o.Undid == nil || o.Undid.Set.Verb == pawl.VerbUndo)
	})
}

// notUndone says which changes could not be undone, and returns why: of a change
// that history does not have, that.
func (a *app) notUndone(ctx context.Context, board query.Board, revisions []pawl.Revision, err error) error {
	var lines []undidJSON
	var origin pawl.Revision
	e, refused := errors.AsType[*pawl.Error](err)
	for _, rev := range revisions {
		past, missing := query.Of(ctx, board, query.Asker{By: a.caller().Actor}, query.HistoryQuery{At: rev})
		if missing != nil {
			return missing
		}
		if past.Sets[0].Verb == mergeVerb.name && refused && e.Hint.Step == pawl.HintHistory { // a dry run
			hinted := *e
			hinted.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl merge --abort"}
			err = &hinted
		}
		origin = past.Origin
		lines = append(lines, a.lineOf(past.Told(0), origin))
	}
	for _, line := range lines {
		if !a.json {
			a.say("%s: %s", line.Short, line.Said)
		}
	}
	if all := a.withLater(ctx, board, revisions, err); len(all) > 0 {
		hinted := *err.(*pawl.Error)
		hinted.Hint = pawl.Hint{Step: pawl.HintSay, Text: "undo what was changed later first: " + a.undoLine(origin, all)}
		return &hinted
	}
	return err
}

// mostLater is how many later changes a hint undoes on the way to an earlier one.
const mostLater = 5

// withLater returns the revisions to undo, in this order, if only later changes of the
// caller's own are in the way of one; nil: that would not do. An external change may
// have come with git, and to undo it would delete the work of others.
func (a *app) withLater(ctx context.Context, board query.Board, revisions []pawl.Revision, err error) []pawl.Revision {
	if len(revisions) != 1 {
		return nil
	}
	for len(revisions) <= mostLater {
		e, ok := err.(*pawl.Error)
		if !ok || e.Undoes == 0 || e.Revision == 0 || e.Hint.Step != pawl.HintHistory {
			return nil
		}
		later, failed := query.Of(ctx, board, query.Asker{By: a.caller().Actor}, query.HistoryQuery{At: e.Revision})
		if failed != nil || later.Sets[0].By.Name != a.name() {
			return nil
		}
		if len(revisions) == 1 {
			revisions = []pawl.Revision{e.Undoes} // in full
		}
		revisions = append([]pawl.Revision{e.Revision}, revisions...)
		var requests []pawl.Request
		for _, rev := range revisions {
			requests = append(requests, a.request(pawl.Undo{Revision: rev}))
		}
		if _, failed = board.Try(ctx, 0, requests...); failed == nil {
			return revisions
		}
		err = firstError(failed)
	}
	return nil
}

// undidJSON is a change that undo is about: whose it was, and what it did.
type undidJSON struct {
	Revision pawl.Revision `json:"revision"`          // the number of the change
	Short    string        `json:"short"`             // the same as people write it: @3
	By       string        `json:"by"`                // the name of its author
	Session  string        `json:"session,omitempty"` // its session
	Said     string        `json:"said"`              // what it did, in a line, as pawl log has it without what became ready
}

// undid tells what was undone.
func (a *app) undid(o *query.Outcome) undidJSON {
	if o.Undid == nil { // history has forgotten it since
		return undidJSON{Revision: o.Result.Undoes, Short: o.Result.Undoes.Short(o.Head.Origin), Said: "a change that history no longer has"}
	}
	return a.lineOf(o.Undid, o.Head.Origin)
}

// lineOf tells what a change set did, and who did it. An agent hears of the session
// where another one has its name.
func (a *app) lineOf(t *query.Told, origin pawl.Revision) undidJSON {
	set := t.Set
	set.Ready = nil // that was news then
	told := undidJSON{
		Revision: set.Revision, Short: set.Revision.Short(origin), By: set.By.Name, Session: set.By.Session,
		Said: show.Telling{Names: t.Names, Origin: origin}.Line(&set),
	}
	if who := a.caller(); !who.Person && set.By.Name == who.Name && set.By.Session != who.Session {
		told.Said += " (in session " + text.Clip(text.Line(set.By.Session), 60) + ")"
	}
	return told
}
