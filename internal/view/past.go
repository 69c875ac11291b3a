package view

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
)

// mostUndone is how far undos of undos are gone through.
const mostUndone = 100

// LoadUndid finds what an undo took back, in what is known or else on the board;
// nil: it is no undo, or history does not have that any more. What it reads it
// adds to what is known.
func LoadUndid(ctx context.Context, b *pawl.Board, set *pawl.ChangeSet, known map[pawl.Revision]pawl.ChangeSet) *Undid {
	again := true
	for range mostUndone {
		if set.Undoes == 0 {
			break
		}
		was, ok := known[set.Undoes]
		if !ok {
			var err error
			if was, err = ChangeAt(ctx, b, set.Undoes); err != nil {
				return nil
			}
			known[was.Revision] = was
		}
		if again = !again; was.Undoes == 0 {
			return &Undid{Set: &was, Again: again}
		}
		set = &was
	}
	return nil
}

// ChangeAt finds a change by its revision.
func ChangeAt(ctx context.Context, b *pawl.Board, rev pawl.Revision) (pawl.ChangeSet, error) {
	for set, err := range b.Changes(ctx, pawl.Span{After: rev - 1}) {
		if err != nil || set.Revision == rev {
			return set, err
		}
		break
	}
	return pawl.ChangeSet{}, pawl.Errorf(pawl.NotFound, "there is no such change in history any more")
}

// Barred says which change by whom is in the way of taking one back, where an
// undo was refused for it: "carol claimed #1 Set up from ada". It is empty where
// none is, and the error says why.
func Barred(ctx context.Context, b *pawl.Board, set *pawl.ChangeSet, refused error) string {
	e, ok := errors.AsType[*pawl.Error](refused)
	if !ok || e.Revision == 0 {
		return ""
	}
	later, err := ChangeAt(ctx, b, e.Revision)
	if err != nil || later.Undoes == set.Revision {
		return ""
	}
	var names Subjects
	err = b.View(ctx, func(r pawl.Reader) (err error) {
		names, err = LoadSubjects(r, later)
		return err
	})
	if err != nil {
		return ""
	}
	later.Ready = nil
	undid := LoadUndid(ctx, b, &later, map[pawl.Revision]pawl.ChangeSet{})
	return Telling{Names: names, Most: SaidName, Words: true, Undid: undid}.Line(&later)
}
