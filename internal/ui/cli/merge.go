package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// Merging asks for a merge of the board with what git has brought together.
type Merging struct {
	Dir   string     // the board's folder
	From  string     // the folder that the command runs in, which may be in another work tree
	By    pawl.Actor // who asks
	Ref   string     // a branch or commit whose board is merged by hand; empty: what git has brought together
	Dry   bool       // only find out what would come of it
	Abort bool       // take the merge back instead
}

var mergeVerb = verb{
	name:  "merge",
	use:   "[REF] [flags]",
	short: "merge the boards of branches that git has merged",
	long: "After a pull, merge, rebase, cherry-pick or stash pop, the board may have tasks of two branches. merge keeps the tasks of both: if two tasks have one number, the older task keeps it, and the other gets a new one. A task that one side deleted and the other changed stays. merge resolves git's conflicts in .tasks only. " +
		"The next change to the board also merges, but not during a rebase or after the merge was undone. pawl undo reverts a merge until git has committed it.\n\n" +
		"REF is a branch or commit: merge takes its board into this one, without its code. A claim holds in one clone only, so two people can work on one task; merge names these tasks.",
	kind: "merge",
	examples: []string{
		"pawl merge --dry-run",
		"pawl merge origin/main",
	},
	max: 1,
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		dry := dryRunFlag(cmd)
		abort := cmd.Flags().Bool("abort", false, "undo the last merge: the board is as git left it")
		return func(ctx context.Context, args []string) error {
			ref := ""
			switch {
			case *abort && (*dry || len(args) > 0):
				return usage("merge", "--abort stands alone")
			case len(args) == 1 && strings.TrimSpace(args[0]) == "":
				return usage("merge", "the name of the branch is empty: perhaps it comes from a variable that is not set")
			case len(args) == 1:
				ref = args[0]
			}
			return a.merge(ctx, Merging{Ref: ref, Dry: *dry, Abort: *abort})
		}
	},
}

// mergeJSON is the envelope of merge.
type mergeJSON struct {
	wire.Envelope
	wire.Merged
	Done     bool            `json:"merged"`             // the boards were merged; with --dry-run: would be
	Aborted  bool            `json:"aborted,omitempty"`  // a merge was taken back
	DryRun   bool            `json:"dryRun,omitempty"`   // nothing was changed
	Revision pawl.Revision   `json:"revision,omitempty"` // the change; absent: no file of the board had to change
	Undo     []pawl.Revision `json:"undo,omitempty"`     // the argument for pawl undo, until git has committed the merge
	Git      mergeGitJSON    `json:"git"`                // what merge did in git's index, and what is left
}

// mergeGitJSON is git's side of a merge. Paths are relative to the root of the work tree.
type mergeGitJSON struct {
	Added   []string `json:"added,omitempty"`   // files that were added to the index
	Removed []string `json:"removed,omitempty"` // files that were removed from it
	Left    []string `json:"left,omitempty"`    // files outside the board that still have conflicts
	Next    string   `json:"next,omitempty"`    // the command that ends what git has under way, or that commits the merge
}

func (a *app) merge(ctx context.Context, m Merging) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	if err := a.needsFolder(&place, "merge joins what git has brought together in a folder", "nothing is to be merged there: all clones work on one board"); err != nil {
		return err
	}
	if !place.Exists {
		a.none = true
		return pawl.Errorf(pawl.NotFound, "%s", noBoard)
	}
	if a.env.Git == nil {
		return usage("merge", "the board is merged where it is kept, and that is not here")
	}
	m.Dir, m.From, m.By = place.Dir, a.env.Dir, a.caller().Actor
	o, err := a.env.Git.Merge(ctx, m)
	if err != nil {
		return err
	}
	if o.Revision != 0 && !m.Dry && !m.Abort && !o.Apart {
		if err := a.merged(ctx, o.Revision); err != nil {
			return err
		}
	}
	nothing := o.Done || !o.Dry && o.Revision == 0 && len(o.Added)+len(o.Removed) == 0 || o.Dry && len(o.Sources) == 0
	if nothing && o.Remark != "" {
		return pawl.Errorf(pawl.Conflict, "%s", o.Remark)
	}
	if a.json {
		answer := mergeJSON{
			Envelope: wire.NewEnvelope("merge"), Merged: wire.NewMerged(&o, a.name()), Done: !nothing && !m.Abort, Aborted: m.Abort && !nothing, DryRun: m.Dry, Revision: o.Revision,
			Git: mergeGitJSON{o.Added, o.Removed, o.Left, a.nextInGit(&o)},
		}
		if o.Revision != 0 && !m.Abort && !o.Apart {
			answer.Undo = []pawl.Revision{o.Revision}
		}
		return a.printJSON(answer)
	}
	switch {
	case m.Abort && nothing:
		a.print("No merge to take back\n")
	case m.Abort:
		a.print("Took the merge back: the board is as git left it\n")
	case nothing && !o.Report.Empty():
		a.print("Nothing to merge: git has done it (%s)\n", show.Merged(&o.Report, a.name()))
	case nothing:
		a.print("Nothing to merge\n")
	default:
		a.tellMerge(&o, m)
	}
	if err := a.flush(); err != nil {
		return err
	}
	if o.Remark != "" {
		a.say("%s", o.Remark)
	}
	if next := a.nextInGit(&o); next != "" && !m.Dry && !m.Abort {
		a.say("hint: %s", next)
	}
	if len(o.Added)+len(o.Removed) > 0 && !m.Dry && !m.Abort && a.caller().Person && a.lacksDriver(ctx, place.Dir) != nil {
		a.say("hint: so that git stops less often: %s", a.command("setup git"))
	}
	return nil
}

// merged holds the tasks that a merge completed to the checks that they need here.
func (a *app) merged(ctx context.Context, at pawl.Revision) error {
	found, err := asked(ctx, a, query.HistoryQuery{After: at - 1, Before: at + 1, Limit: 1})
	if err != nil {
		return err
	}
	var done []pawl.ID
	for _, set := range found.Sets {
		for _, c := range set.Changes {
			if c.After != nil && !c.After.Open() && (c.Before == nil || c.Before.Open()) {
				done = append(done, c.ID)
			}
		}
	}
	service, err := a.checks()
	if err != nil || len(done) == 0 {
		return err
	}
	request, err := a.checkRequest()
	if err != nil {
		return err
	}
	return service.Merged(ctx, request, done)
}

// mostMerged is how many lines there are of each sort.
const mostMerged = 6

// tellMerge prints what a merge did.
//
//	Merged: 2 arrived, nothing lost (until you commit: pawl undo)
//	  moved  #12 Retry hooks → #15, bob's #12 Rotate the key is older
//	  git    3 files added; src/cart.ts is left
func (a *app) tellMerge(o *merge.Outcome, m Merging) {
	did, back := "Merged", ""
	if o.Dry {
		did = "Would merge"
	} else if o.Revision != 0 && (o.Commit || o.Waits != "") {
		until := "you commit"
		if o.Waits != "" && o.Waits != "git commit" {
			until = o.Waits
		}
		by := "undo"
		if o.Apart {
			by = "merge --abort" // undo is about the board of the main work tree
		}
		back = " (until " + until + ": " + a.command(by) + ")"
	}
	if m.Ref != "" {
		did += " " + text.Line(m.Ref)
	}
	a.print("%s: %s%s\n", a.paint.as(bold, did), show.MergedCounts(&o.Report), back)
	lines := show.MergedLines(&o.Report, a.name(), whoseOther(o), mostMerged)
	if git := gitLine(o); git != "" {
		lines = append(lines, show.MergedLine{Word: "git", Text: git})
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Word == show.MergedBoth {
			lines = slices.Insert(lines, i+1, show.MergedLine{Word: show.MergedBoth, Text: "(branches share plans; a claim holds in one clone only)"})
			break
		}
	}
	a.mergedLines(lines)
}

// whoseOther is what the other side's things are called. Git applies the user's own
// commits in a rebase, where their side is the commit.
func whoseOther(o *merge.Outcome) string {
	for _, s := range o.Sources {
		switch s.Kind {
		case merge.KindRebase, merge.KindPick, merge.KindRevert:
			return "the commit's"
		}
	}
	return "their"
}

// gitLine says what became of git's conflicts: "3 files added; src/cart.ts is left".
func gitLine(o *merge.Outcome) string {
	var parts []string
	if n := len(o.Added); n > 0 {
		parts = append(parts, text.Count(n, "file", "files")+" added")
	}
	if n := len(o.Removed); n > 0 {
		parts = append(parts, text.Count(n, "file", "files")+" removed")
	}
	if n := len(o.Left); n > 0 {
		are := " are left"
		if n == 1 {
			are = " is left"
		}
		parts = append(parts, someFiles(o.Left)+are)
	}
	return strings.Join(parts, "; ")
}

// someFiles names the first few of some files.
func someFiles(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, text.Line(text.Clip(f, 80)))
	}
	return text.Few(names, 3)
}

// nextInGit is what to do in git after a merge; empty: nothing.
func (a *app) nextInGit(o *merge.Outcome) string {
	next := o.Waits
	if next == "git rebase --continue" && len(o.Added)+len(o.Removed) == 0 {
		next = "git add " + quote(o.Board) + " && " + next // git refuses while changes of this stop are not in the index
	}
	switch {
	case next != "" && len(o.Left) > 0:
		return "resolve " + someFiles(o.Left) + ", then " + next
	case next != "":
		return next
	case o.Commit:
		board := o.Board
		if place, err := a.place(); err == nil {
			if below, err := filepath.Rel(a.env.Dir, place.Dir); err == nil && filepath.IsAbs(a.env.Dir) {
				board = below
			}
		}
		board = quote(board)
		return fmt.Sprintf(`git add %s && git commit -m "Merge tasks" %s`, board, board)
	}
	return ""
}
