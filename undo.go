package pawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Undo reverts the change set with this revision, as a new change. It refuses
// when that would overwrite a later one, which the error names, and never gives
// a claim back: its token has been overtaken.
func (b *Board) Undo(ctx context.Context, by Actor, rev Revision) (Result, error) {
	op, err := b.UndoOp(ctx, rev)
	if err != nil {
		return Result{}, err
	}
	return b.Do(ctx, Request{By: by, Op: op})
}

// UndoOp returns the op that reverts the change set with this revision, for
// [Board.Do] and [Board.Try]. It fails with NotFound or Gone when history does
// not have the set.
func (b *Board) UndoOp(ctx context.Context, rev Revision) (Op, error) {
	for set, err := range b.Changes(ctx, Span{After: rev - 1}) {
		if err != nil {
			if e, ok := err.(*Error); ok && e.Kind == Gone {
				e.hint(HintHistory)
			}
			return nil, err
		}
		if set.Revision != rev {
			break
		}
		return revert{rev, set}, nil
	}
	return nil, Errorf(NotFound, "there is no change with revision %d", rev).hint(HintHistory)
}

// Undoable returns the newest change set by this actor that is in effect and no
// undo itself: what somebody means who wants to take back the last thing they
// did. An actor without a session is the name in all of them, as a person is;
// with one, its changes and those of the sessions of the name that same says are
// the actor's as well (nil: none is). The changes may still be overwritten by
// others': whoever was refused one goes on to those before with but. Without one
// it fails with NotFound.
func (b *Board) Undoable(ctx context.Context, by Actor, same func(session string) bool, but ...Revision) (ChangeSet, error) {
	undone := map[Revision]bool{}
	own := map[string]bool{by.Session: true}
	mine := func(other Actor) bool {
		if other.Name != by.Name || by.Session == "" {
			return other.Name == by.Name
		}
		is, asked := own[other.Session]
		if !asked {
			is = same != nil && same(other.Session)
			own[other.Session] = is
		}
		return is
	}
	who := clip(by.Name, 60)
	if by.Session != "" {
		who += " in this session"
	}
	for set, err := range b.Changes(ctx, Span{Backward: true}) {
		switch {
		case err != nil && KindOf(err) == Gone:
			return ChangeSet{}, Errorf(NotFound, "in what history keeps there is nothing by %s to be undone: %v", who, err).hint(HintHistory)
		case err != nil:
			return ChangeSet{}, err
		case undone[set.Revision]: // an undo that was undone takes nothing back
		case set.Undoes != 0:
			undone[set.Undoes] = true
		case mine(set.By) && !set.Bulk && slices.ContainsFunc(set.Changes, tellable) && !slices.Contains(but, set.Revision):
			return set, nil
		}
	}
	return ChangeSet{}, Errorf(NotFound, "there is nothing by %s to be undone", who).hint(HintHistory)
}

// tellable reports whether a change did more than renew a claim.
func tellable(c Change) bool {
	return c.Before == nil || c.After == nil ||
		slices.ContainsFunc(c.Fields, func(f Field) bool { return !slices.Contains(overtaken, f) })
}

// explain says of each undo that was refused for a later change which one that
// is: the newest, since it would have to be taken back first.
func (b *Board) explain(ctx context.Context, requests []Request, errs []error) {
	for i := range errs {
		op, isUndo := requests[i].Op.(revert)
		e, failed := errs[i].(*Error)
		if !isUndo || !failed || e.Hint.Step != HintHistory {
			continue
		}
		id := e.IDs[0]
		n := slices.IndexFunc(op.set.Changes, func(c Change) bool { return c.ID == id })
		var differs []Field
		if tasks, err := b.Get(ctx, id); err == nil && op.set.Changes[n].After != nil {
			differs = op.set.Changes[n].overwrites(&tasks[0])
		}
		for set, err := range b.Changes(ctx, Span{After: op.Undoes, Task: id, Backward: true}) {
			if err != nil || op.blame(e, &set, differs) {
				break // the refusal stands without it, too
			}
		}
	}
}

// blame puts a later set into the refusal of an undo, when it made one of the
// differences that are in the way, made the task or deleted it.
func (op revert) blame(e *Error, set *ChangeSet, differs []Field) bool {
	c := &set.Changes[slices.IndexFunc(set.Changes, func(c Change) bool { return c.ID == e.IDs[0] })]
	who := fmt.Sprintf("revision %d (%s", set.Revision, set.Verb)
	if set.By.Name != "" && set.By.Name != ExternalName {
		who += " by " + clip(set.By.Name, 60)
	}
	who += ")"
	if !set.Bulk && c.Before != nil && c.After != nil {
		var fields []string
		for _, f := range c.Fields {
			if slices.Contains(differs, f) {
				fields = append(fields, string(f))
			}
		}
		if len(fields) == 0 {
			return false
		}
		e.Message += fmt.Sprintf(": %s changed its %s", who, strings.Join(fields, ", "))
	} else {
		e.Message += ", by " + who
	}
	if set.Undoes == op.Undoes {
		e.Message = fmt.Sprintf("revision %d was undone already, by revision %d", op.Undoes, set.Revision)
	}
	e.Revision = set.Revision
	return true
}
