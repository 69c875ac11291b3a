package query

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// mostUndone is how far undos of undos are gone through.
const mostUndone = 100

// loadUndid finds what an undo reverted, in what is known or else on the board;
// nil: it is not an undo, or history no longer has the change. It adds the sets
// that it reads to known.
func loadUndid(ctx context.Context, b *pawl.Board, set *pawl.ChangeSet, known map[pawl.Revision]pawl.ChangeSet) *Undid {
	again := true
	for range mostUndone {
		if set.Undoes == 0 {
			break
		}
		was, ok := known[set.Undoes]
		if !ok {
			var err error
			if was, err = b.ChangeAt(ctx, set.Undoes); err != nil {
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

// Undid is what an undo took back.
type Undid struct {
	Set   *pawl.ChangeSet `json:"set"`             // no undo itself
	Again bool            `json:"again,omitempty"` // it was an undo of this that was taken back, so it is in effect again
}
