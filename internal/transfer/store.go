package transfer

import (
	"context"
	"errors"
	"iter"

	"github.com/pawl-dev/pawl"
)

// Store is a board that this process keeps, to copy from or to.
func Store(store pawl.Store) Local { return Local{store} }

// Local is what [Store] returns.
type Local struct{ store pawl.Store }

var (
	_ Source = Local{}
	_ Target = Local{}
)

// Receive takes the next part of a copy.
func (l Local) Receive(ctx context.Context, part pawl.Part) error {
	to, ok := l.store.(pawl.Receiver)
	if !ok {
		return pawl.Errorf(pawl.Invalid, "nothing can be copied to this kind of board")
	}
	return to.Receive(ctx, part)
}

// Look says how the board is. What other programs did to its files is recorded
// first, where that can be written.
func (l Local) Look(ctx context.Context, rev pawl.Revision) (Look, error) {
	var is Look
	if to, ok := l.store.(pawl.Receiver); ok {
		receiving, err := to.Receiving(ctx)
		if err != nil || receiving != nil {
			return Look{Receiving: receiving}, err
		}
	}
	if err := l.record(ctx, false); errors.Is(err, pawl.NotFound) {
		return is, nil // a database does not have it yet
	} else if err != nil {
		return is, err
	}
	err := l.store.View(ctx, func(r pawl.Reader) error {
		is.Origin, is.Revision = r.Origin(), r.Revision()
		page, err := r.Select(pawl.Query{Brief: true, Limit: 1})
		is.Tasks = page.Total
		return err
	})
	if err != nil || rev > is.Revision {
		return is, err
	}
	is.Begins = rev == is.Origin
	if rev < 1 {
		return is, nil
	}
	for set, err := range l.store.Changes(ctx, pawl.Span{After: rev - 1, Before: rev + 1}) {
		if gone, ok := errors.AsType[*pawl.Error](err); ok && gone.Kind == pawl.Gone {
			is.Begins = gone.Revision == rev
			break
		}
		if err != nil {
			return is, err
		}
		is.Set = &set
	}
	return is, nil
}

// record lets the store record what other programs did to its files: without that, the
// same revision could mean two boards. With begin, a board of files that Pawl has never
// written to begins its history, so that a second copying knows it again.
func (l Local) record(ctx context.Context, begin bool) error {
	_, err := l.store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) {
		if !begin {
			return pawl.Commit{}, nil
		}
		page, err := r.Select(pawl.Query{Brief: true, Limit: 1})
		if err != nil || page.Total == 0 || r.Revision() != r.Origin() {
			return pawl.Commit{}, err
		}
		set := pawl.ChangeSet{At: r.Now(), By: pawl.Actor{Name: pawl.ExternalName}, Verb: pawl.ExternalName}
		return pawl.Commit{Sets: []pawl.ChangeSet{set}}, nil
	})
	if errors.Is(err, pawl.Unavailable) && ctx.Err() == nil {
		return nil // nothing can be written there; reading tells what is wrong, if anything is
	}
	return err
}

// Read goes through the board. Most of its history is read before the view, because
// a set never changes: a database must not keep the same moment for that long.
func (l Local) Read(ctx context.Context, after pawl.Revision) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if err := l.read(ctx, after, func(item Item) bool { return yield(item, nil) }); err != nil && err != errStopped {
			yield(Item{}, err)
		}
	}
}

// errStopped says that the reader has had enough.
var errStopped = errors.New("the reader has stopped")

func (l Local) read(ctx context.Context, after pawl.Revision, yield func(Item) bool) error {
	if err := l.record(ctx, true); err != nil {
		return err
	}
	var start Start
	var now pawl.Revision
	err := l.store.View(ctx, func(r pawl.Reader) error {
		start.Origin, now = r.Origin(), r.Revision()
		return copyable(r)
	})
	if err != nil {
		return err
	}
	start.Since = after
	if after == Fresh {
		if start.Since, err = l.oldest(ctx, start.Origin, now); err != nil {
			return err
		}
	}
	if !yield(Item{Start: &start}) {
		return errStopped
	}
	at := start.Since
	sets := func(upTo pawl.Revision) error {
		for set, err := range l.store.Changes(ctx, pawl.Span{After: at, Before: upTo + 1}) {
			if err != nil {
				return err
			}
			at = set.Revision
			if !yield(Item{Set: &set}) {
				return errStopped
			}
		}
		if at != upTo {
			return pawl.Errorf(pawl.Conflict, "the history of the board to copy from ends at %d, and the board is at %d: repeat this", int64(at), int64(upTo))
		}
		return nil
	}
	if err := sets(now); err != nil {
		return err
	}
	return l.store.View(ctx, func(r pawl.Reader) error {
		end := pawl.End{Revision: r.Revision(), LastID: r.LastID()}
		if err := sets(end.Revision); err != nil {
			return err
		}
		for q := (pawl.Query{Uncounted: true, Limit: pageSize}); ; {
			page, err := r.Select(q)
			if err != nil {
				return err
			}
			for i := range page.Tasks {
				if !yield(Item{Task: &page.Tasks[i]}) {
					return errStopped
				}
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
		if !yield(Item{End: &end}) {
			return errStopped
		}
		return nil
	})
}

// copyable fails for a board with a task that cannot be copied, before anything of it
// comes to the other one.
func copyable(r pawl.Reader) error {
	for _, q := range []pawl.Query{{Damaged: true}, {Merging: true}} {
		q.Brief, q.Uncounted, q.Limit = true, true, 1
		page, err := r.Select(q)
		if err != nil {
			return err
		}
		if len(page.Tasks) > 0 {
			return copies(&page.Tasks[0])
		}
	}
	return nil
}

// pageSize is how many tasks are in memory at once, besides those of a part.
const pageSize = 50

// oldest returns the revision after which the history has no gap.
func (l Local) oldest(ctx context.Context, origin, now pawl.Revision) (pawl.Revision, error) {
	at, first := pawl.Revision(0), true
	since := now
	for {
		var gone *pawl.Error
		for set, err := range l.store.Changes(ctx, pawl.Span{After: at, Before: now + 1}) {
			if e, ok := errors.AsType[*pawl.Error](err); ok && e.Kind == pawl.Gone && e.Revision > at {
				gone = e
				break
			}
			if err != nil {
				return 0, err
			}
			if first {
				since, first = set.Revision-1, false
			}
			at = set.Revision
		}
		if gone == nil {
			return max(since, origin), nil
		}
		at, since, first = gone.Revision, gone.Revision, true
		if at >= now {
			return now, nil
		}
	}
}
