package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// syncJSON is what was exchanged.
type syncJSON struct {
	wire.Envelope
	DryRun bool            `json:"dryRun,omitempty"` // nothing was written: the answer is what would happen
	Shared *wire.Shared    `json:"shared,omitempty"` // how the board is shared now; absent: it is not, or files were named
	Synced *wire.Synced    `json:"synced,omitempty"` // what the sync with the remote did; absent: there was none, or it failed
	Error  string          `json:"error,omitempty"`  // why the sync with the remote failed
	Files  []syncedFile    `json:"files"`            // the files that tasks came from
	Undo   []pawl.Revision `json:"undo,omitempty"`   // the arguments of pawl undo that revert what changed on the board; files stay
}

// syncedFile is what was exchanged with one file.
type syncedFile struct {
	File     string         `json:"file"`                // below the project, with slashes
	Format   string         `json:"format"`              // whose it is
	Ticked   []query.Brief  `json:"ticked,omitempty"`    // tasks that are done here: their boxes were ticked
	Unticked []query.Brief  `json:"unticked,omitempty"`  // tasks that were reopened here
	Done     []query.Brief  `json:"done,omitempty"`      // tasks that the file has ticked: they are completed now
	Reopened []query.Brief  `json:"reopened,omitempty"`  // tasks that the file has unticked
	New      []query.Brief  `json:"new,omitempty"`       // tasks of lines that the file gained
	Changed  []query.Brief  `json:"changed,omitempty"`   // tasks whose lines have changed
	Gone     []query.Brief  `json:"gone,omitempty"`      // open tasks whose lines are gone; they stay
	Against  []conflictJSON `json:"conflicts,omitempty"` // boxes that are ticked although the board cannot take them so
	Remarks  []string       `json:"remarks,omitempty"`   // other things that a person should know
	Error    string         `json:"error,omitempty"`     // why nothing was exchanged

	err       *pawl.Error
	revisions []pawl.Revision
	origin    pawl.Revision
}

// conflictJSON is a box that is ticked although the board cannot take it so.
type conflictJSON struct {
	ID      pawl.ID `json:"id"`      // the task
	Subject string  `json:"subject"` // what it is called
	Line    int     `json:"line"`    // of its box
	Why     string  `json:"why"`     // what is in the way
}

func briefsOf(tasks []*pawl.Task) (out []query.Brief) {
	for _, t := range tasks {
		out = append(out, query.Brief{ID: t.ID, Subject: t.Subject})
	}
	return out
}

// fill takes over what came of an exchange.
func (s *syncedFile) fill(x *imports.Exchange, tasks []pawl.ImportTask, all *came, r *imports.Result) {
	s.Ticked, s.Unticked, s.Done, s.Reopened, s.Gone = briefsOf(x.Ticked), briefsOf(x.Unticked), briefsOf(x.Done), briefsOf(x.Reopened), briefsOf(x.Gone)
	for _, c := range x.Against {
		s.Against = append(s.Against, conflictJSON{c.Task.ID, c.Task.Subject, c.At.Line, c.Why})
	}
	if all == nil {
		return
	}
	s.revisions, s.origin = all.revisions, all.origin
	told := map[pawl.ID]bool{}
	for _, list := range [][]query.Brief{s.Ticked, s.Unticked, s.Done, s.Reopened} {
		for _, b := range list {
			told[b.ID] = true
		}
	}
	for i, id := range all.IDs {
		b := query.Brief{ID: id, Subject: tasks[i].Subject}
		switch {
		case slices.Contains(all.Kept, id) || told[id]:
		case tasks[i].Status == pawl.Completed && slices.Contains(all.Updated, id): // all below it is done
			s.Done = append(s.Done, b)
		case tasks[i].Status == pawl.Pending && slices.Contains(all.Updated, id):
			s.Reopened = append(s.Reopened, b)
			told[id] = true
		case slices.Contains(all.Updated, id):
			s.Changed = append(s.Changed, b)
		default:
			s.New = append(s.New, b)
		}
	}
	s.Remarks = changed(slices.DeleteFunc(all.news(r.Changed), func(r imports.Remark) bool {
		return strings.HasPrefix(r.What, "reopened: ") && told[all.Refs[r.Ref]] // the list says so
	}), all.Refs)
}

// tellSync prints what was exchanged with files:
//
//	specs/001-cart/tasks.md
//	  ticked    #3 T002 Linting
//	  new       #7 T005 Receipt
func (a *app) tellSync(files []syncedFile, dry bool) error {
	undo, origin, failed, n := filesUndo(files, dry)
	if a.json {
		if failed != nil && len(files) == 1 {
			return failed
		}
		if err := a.printJSON(newSyncJSON(files, dry)); err != nil || failed == nil {
			return err
		}
		return errAnswered{failed}
	}
	for i := range files {
		if failed == nil || len(files) > 1 {
			a.tellFile(&files[i])
		}
	}
	if err := a.flush(); err != nil {
		return err
	}
	if dry {
		a.say("dry run: nothing was written")
	}
	if line := a.undoLine(origin, undo); line != "" {
		a.say("undo: on the board only, the file stays: %s", line)
	}
	if failed != nil {
		if len(files) > 1 {
			failed = &pawl.Error{Kind: failed.Kind, Message: fmt.Sprintf("%s could not be exchanged", text.Count(n, "file", "files")), Hint: failed.Hint}
		}
		return failed
	}
	return nil
}

// newSyncJSON is what was exchanged with files.
func newSyncJSON(files []syncedFile, dry bool) syncJSON {
	undo, _, _, _ := filesUndo(files, dry)
	j := syncJSON{Envelope: wire.NewEnvelope("sync"), DryRun: dry, Files: files, Undo: undo}
	if files == nil {
		j.Files = []syncedFile{}
	}
	return j
}

// filesUndo is what takes back what files have changed on the board so that somebody sees
// it, the first error of one, and how many have failed. A change that only remembers what
// the file has unticks nothing when it is reverted.
func filesUndo(files []syncedFile, dry bool) (undo []pawl.Revision, origin pawl.Revision, first *pawl.Error, failed int) {
	for i := range files {
		f := &files[i]
		origin = max(origin, f.origin)
		if len(f.Done)+len(f.Reopened)+len(f.New)+len(f.Changed) > 0 && !dry {
			undo = append(slices.Clone(f.revisions), undo...)
		}
		if f.err != nil {
			first, failed = cmp.Or(first, f.err), failed+1
		}
	}
	return undo, origin, first, failed
}

func (a *app) tellFile(s *syncedFile) {
	var lines []string
	add := func(word string, list []query.Brief) {
		for i, b := range list {
			if i == mostDetails {
				lines = append(lines, fmt.Sprintf("%-9s and %d more", "", len(list)-i))
				return
			}
			lines = append(lines, fmt.Sprintf("%-9s %v %s", word, b.ID, text.Line(b.Subject)))
			word = ""
		}
	}
	add("ticked", s.Ticked)
	add("unticked", s.Unticked)
	add("done", s.Done)
	add("reopened", s.Reopened)
	add("new", s.New)
	add("changed", s.Changed)
	for _, c := range s.Against {
		lines = append(lines, fmt.Sprintf("%-9s %v %s: ticked in line %d, but %s", "conflict", c.ID, text.Line(c.Subject), c.Line, text.Line(c.Why)))
	}
	for _, line := range s.Remarks {
		lines = append(lines, fmt.Sprintf("%-9s %s", "remark", line))
	}
	if len(s.Gone) > 0 {
		var ids []pawl.ID
		for _, b := range s.Gone {
			ids = append(ids, b.ID)
		}
		lines = append(lines, fmt.Sprintf("%-9s %s: no longer in the file, and kept here", "gone", show.IDs(ids)))
	}
	switch {
	case s.err != nil:
		a.print("%s: not exchanged: %s\n", text.Line(s.File), text.Line(plainError(s.err)))
	case len(lines) == 0:
		a.print("%s: nothing new\n", text.Line(s.File))
	default:
		a.print("%s\n", text.Line(s.File))
		for _, line := range lines {
			a.print("  %s\n", line)
		}
	}
}

func plainError(err error) string {
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		return e.Message
	}
	return err.Error()
}
