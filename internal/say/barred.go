package say

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// Barred says which change by whom is in the way of taking one back, where an
// undo was refused for it: "carol claimed #1 Set up from ada". It is empty where
// none is, and the error says why.
func Barred(ctx context.Context, b *pawl.Board, set *pawl.ChangeSet, refused error) string {
	e, ok := errors.AsType[*pawl.Error](refused)
	if !ok || e.Revision == 0 {
		return ""
	}
	later, err := ask.ChangeAt(ctx, b, e.Revision)
	if err != nil || later.Undoes == set.Revision {
		return ""
	}
	var names ask.Subjects
	err = b.View(ctx, func(r pawl.Reader) (err error) {
		names, err = ask.LoadSubjects(r, later)
		return err
	})
	if err != nil {
		return ""
	}
	later.Ready = nil
	undid := ask.LoadUndid(ctx, b, &later, map[pawl.Revision]pawl.ChangeSet{})
	return Telling{Names: names, Most: SaidName, Words: true, Undid: undid}.Line(&later)
}
