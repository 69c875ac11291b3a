package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
)

var undoVerb = verb{
	name:  "undo",
	use:   "[REV...] [flags]",
	short: "undo a change",
	long:  "REV is the revision of a change, as pawl log shows it. Without REV: your newest change in effect (an agent: of its session), not counting undos. Several changes are undone in the order given, all or none. Fails if it would overwrite a later change. An undo is a change too, and can be undone.",
	kind:  "result",
	examples: []string{
		"pawl undo --dry-run",
		"pawl undo 1790000000123",
	},
	max: -1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		dry := dryRunFlag(cmd)
		return func(ctx context.Context, args []string) error {
			revisions, err := parseRevisions("undo", args)
			if err != nil {
				return err
			}
			board, err := a.read()
			if err != nil {
				return err
			}
			if len(revisions) == 0 {
				by := a.caller().Actor
				if a.caller().Person {
					by.Session = "" // a person is the same in every terminal
				}
				set, err := board.Undoable(ctx, by, a.sibling)
				if err != nil {
					return err
				}
				revisions = []pawl.Revision{set.Revision}
			}
			return a.undo(ctx, board, revisions, *dry)
		}
	},
}

// parseRevisions reads revisions as log prints them.
func parseRevisions(verb string, args []string) ([]pawl.Revision, error) {
	var revisions []pawl.Revision
	for _, arg := range args {
		rev, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || rev < 1 {
			return nil, usage(verb, "%q is not a revision: pawl log shows them", text.Clip(arg, 40))
		}
		revisions = append(revisions, pawl.Revision(rev))
	}
	return revisions, nil
}

func (a *app) undo(ctx context.Context, board *pawl.Board, revisions []pawl.Revision, dry bool) error {
	ops := make([]pawl.Op, len(revisions))
	undid := make([]undidJSON, len(revisions))
	for i, rev := range revisions {
		ops[i] = pawl.Undo{Revision: rev}
		var err error
		if undid[i], err = a.lineOf(ctx, board, rev); err != nil {
			return err
		}
	}
	o, results, err := a.carryOut(ctx, board, dry, ops...)
	if err != nil {
		for i := range undid {
			if !a.json {
				a.say("revision %d: %s", undid[i].Revision, undid[i].Said)
			}
		}
		return err
	}
	undo := undoWith(results...)
	if a.json {
		j := o.json("undo")
		j.Changes, j.Undo, j.Undid = changesJSON(o.result), undo, undid
		return a.printJSON(j)
	}
	done := "Undid"
	if dry {
		done = "Would undo"
	}
	for i, rev := range revisions {
		if !results[i].Changed {
			a.print("Unchanged: revision %d: %s\n", rev, undid[i].Said)
			continue
		}
		a.print("%s revision %d: %s\n", done, rev, undid[i].Said)
		a.details(results[i].Changes, subjectsOf(results[i].Changes), "  ")
	}
	for i := range o.result.Tasks {
		if t := &o.result.Tasks[i]; t.Free() && freed(&o.result, t.ID) {
			o.ready = append(o.ready, *t)
		}
	}
	a.readyNow(&o)
	if err := a.flush(); err != nil {
		return err
	}
	a.sayUndo(undo)
	return nil
}

// undidJSON is a change that undo is about: whose it was, and what it did.
type undidJSON struct {
	Revision pawl.Revision `json:"revision"`          // the number of the change
	By       string        `json:"by"`                // the name of who made it
	Session  string        `json:"session,omitempty"` // in which session
	Said     string        `json:"said"`              // what it did, in a line, as pawl log has it
}

// lineOf tells what a revision did, and who did it. An agent hears of the session
// where another one has its name.
func (a *app) lineOf(ctx context.Context, board *pawl.Board, rev pawl.Revision) (undid undidJSON, err error) {
	set, err := ask.ChangeAt(ctx, board, rev)
	if err != nil {
		return undid, err
	}
	undid = undidJSON{Revision: rev, By: set.By.Name, Session: set.By.Session}
	err = board.View(ctx, func(r pawl.Reader) error {
		names, err := ask.LoadSubjects(r, set)
		undid.Said = say.ChangeLine(&set, names)
		return err
	})
	if who := a.caller(); !who.Person && set.By.Name == who.Name && set.By.Session != who.Session {
		undid.Said += " (in session " + text.Clip(text.Line(set.By.Session), 60) + ")"
	}
	return undid, err
}
