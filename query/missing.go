package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// missing lets an error about one task that does not exist say what history knows:
// who deleted the task and when, and which change brings it back; or which number
// is the last.
//
//	#2 Cart was deleted by ada at 2026-11-22T20:35:14Z
//	#5 Mail is gone: its file was removed outside Pawl, which the next change records
//	no task #99; the last is #3
//	no task is #12 now; #15 Retry hooks was #12 until it was merged
//
// r is a reader of the board, if one is at hand.
func missing(ctx context.Context, b *pawl.Board, r pawl.Reader, err error) {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Kind != pawl.NotFound || e.Hint.Step != pawl.HintList || len(e.IDs) != 1 || !e.Since.IsZero() {
		return
	}
	id, last := e.IDs[0], pawl.ID(0)
	if r != nil {
		last = r.LastID()
	} else if b.View(ctx, func(r pawl.Reader) error { last = r.LastID(); return nil }) != nil {
		return // the error stands without it, too
	}
	if id > last {
		e.Message = fmt.Sprintf("no task %v; the last is %v", id, last)
		if last == 0 {
			e.Message = fmt.Sprintf("no task %v; the board has none", id)
		}
		return
	}
	was := func(once []pawl.Task) {
		t := &once[0]
		e.Message += fmt.Sprintf("; %v %s was %v until it was merged", t.ID, clip(t.Subject), id)
		e.Hint = pawl.Hint{Step: pawl.HintShow, IDs: []pawl.ID{t.ID}}
	}
	if once := onceAt(ctx, b, r, id); len(once) > 0 {
		e.Message = fmt.Sprintf("no task is %v now", id)
		defer was(once)
	}
	for set, err := range b.Changes(ctx, pawl.Span{Task: id, Backward: true}) {
		if err != nil || set.Bulk {
			return
		}
		i := slices.IndexFunc(set.Changes, func(c pawl.Change) bool { return c.ID == id })
		was, is := set.Changes[i].Before, set.Changes[i].After
		if is != nil && is.Subject != "" { // the next change will record what became of it
			e.Message = fmt.Sprintf("%v %s is gone: its file was removed outside Pawl, which the next change records", id, clip(is.Subject))
			return
		}
		if is != nil || was == nil { // history keeps only those fields of an edit that it changed
			continue
		}
		by, hint := " by "+set.By.Name, pawl.Hint{Step: pawl.HintUndo}
		if set.Verb == pawl.VerbSync { // and is undone there
			by, hint = " in another clone", pawl.Hint{Step: pawl.HintHistory, IDs: []pawl.ID{id}}
		} else if set.Verb == pawl.ExternalName || set.By.Name == "" {
			by = " outside Pawl"
			if slices.ContainsFunc(set.Changes, func(c pawl.Change) bool { return c.After != nil }) {
				// It may be a pull, and to undo it would take away what others made.
				hint = pawl.Hint{Step: pawl.HintHistory, IDs: []pawl.ID{id}}
			}
		}
		e.Message = fmt.Sprintf("%v %s was deleted%s at %s", id, clip(was.Subject), by, set.At.UTC().Format(time.RFC3339))
		e.Since, e.Revision = set.At, set.Revision
		e.Hint = hint
		return
	}
}

// onceAt returns the tasks that had a number, of the board as r has it, or as it is.
func onceAt(ctx context.Context, b *pawl.Board, r pawl.Reader, id pawl.ID) (once []pawl.Task) {
	read := func(r pawl.Reader) (err error) { once, err = onceOf(r, id); return err }
	if r != nil {
		_ = read(r) // the error stands without it, too
	} else {
		_ = b.View(ctx, read)
	}
	return once
}
