package pawl

import (
	"context"
	"maps"
	"slices"
)

// ChangedSince lists the tasks that have changed since a revision, by id and
// deleted ones among them, and returns the revision to ask with next. It is for
// callers that come back now and then; one that stays uses [Board.Watch].
//
// The renewal of a claim is not a change. A lease that has ended is one at each
// call until a write records it. External edits are recorded first, if the store
// may write.
//
// It fails with Gone if history does not reach back that far, or if the board
// never had the revision: the caller has to read everything then. So it does on
// a board that others made and Pawl has not written to yet, which has no history.
func (b *Board) ChangedSince(ctx context.Context, rev Revision) ([]ID, Revision, error) {
	changed := map[ID]bool{}
	var next Revision
	look := func(r Reader) error {
		clear(changed)
		next = r.Revision()
		for q := (Query{LeaseBefore: r.Now(), Brief: true}); ; {
			page, err := r.Select(q)
			if err != nil {
				return err
			}
			for i := range page.Tasks {
				changed[page.Tasks[i].ID] = true
			}
			if q.After = page.Next; q.After == nil {
				return nil
			}
		}
	}
	if err := refuseInside(); err != nil {
		return nil, 0, err
	}
	_, err := b.store.Update(ctx, func(r Reader) (Commit, error) { return Commit{}, look(r) })
	if err != nil && ctx.Err() == nil { // nothing may be written there
		err = b.store.View(ctx, look)
	}
	if err != nil {
		return nil, 0, err
	}
	seen := rev
	for set, err := range b.Changes(ctx, Span{After: rev}) {
		if err != nil {
			if e, ok := err.(*Error); ok && e.Kind == Gone {
				e.Next(HintList)
			}
			return nil, 0, err
		}
		seen = set.Revision
		for i := range set.Changes {
			if !set.Changes[i].renewal() {
				changed[set.Changes[i].ID] = true
			}
		}
	}
	if rev > next || seen < next {
		return nil, 0, neverHad(rev, next)
	}
	return slices.Sorted(maps.Keys(changed)), max(next, seen), nil
}

// neverHad is the error of a board that is at one revision and was asked about
// another, which must be that of another board in the same place.
func neverHad(asked, at Revision) *Error {
	e := Errorf(Gone, "the history of this board, which is at %d, has no revision %d", at, asked).Next(HintList)
	e.Revision = at
	return e
}

// renewal reports whether a change only renews a lease.
func (c *Change) renewal() bool {
	return c.Before != nil && c.After != nil && len(c.Fields) == 1 && c.Fields[0] == FieldClaim &&
		c.Before.Claim.Token == c.After.Claim.Token && c.Before.Claim.Clone == c.After.Claim.Clone
}
