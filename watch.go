package pawl

import (
	"context"
	"errors"
	"iter"
	"time"
)

// WatchInterval is how often [Board.Watch] reads without a hint: hints only make it
// faster.
const WatchInterval = 5 * time.Second

// watchPatience is how many looks in a row may find a board busy before it
// counts as one that cannot be read.
const watchPatience = 3

// Watch yields the change sets after a revision: first the existing ones, then
// each as it is committed, by anybody, until ctx ends or the caller stops. It
// yields every set exactly once, however slow the caller is.
//
// Watch shows history. So it yields the end of a lease when a write records it,
// even though readers see it at once. It yields an external edit of a board of
// files when the store has recorded it. The store does that by itself while
// somebody watches, unless it may not write there.
//
// An error of kind Gone means that history up to its revision is no longer kept,
// or that another board took this one's place, whose revision it is. A caller that
// continues gets the sets after that revision. Any other error is the last thing
// that Watch yields.
func (b *Board) Watch(ctx context.Context, after Revision) iter.Seq2[ChangeSet, error] {
	return func(yield func(ChangeSet, error) bool) {
		if err := refuseInside(); err != nil { // before the store is asked for hints
			yield(ChangeSet{Revision: after}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		hints := b.hints(ctx) // before the first look, so that nothing falls between
		look := time.NewTicker(WatchInterval)
		defer look.Stop()
		for busy := 0; ; {
			err := b.follow(ctx, &after, yield)
			switch e, _ := errors.AsType[*Error](err); {
			case err == nil:
				busy = 0
			case errors.Is(err, errEnough), ctx.Err() != nil:
				return
			case errors.Is(err, Gone) && e != nil && e.Revision != after:
				after = e.Revision
				if !yield(ChangeSet{Revision: after}, err) {
					return
				}
				continue
			case errors.Is(err, Unavailable) && busy < watchPatience-1:
				busy++
			default:
				yield(ChangeSet{Revision: after}, err)
				return
			}
			select {
			case <-ctx.Done():
				return
			case _, open := <-hints:
				if !open {
					hints = nil
				}
			case <-look.C:
			}
		}
	}
}

// hints returns where the store says that something may be new; nil, on which
// one waits for ever, where it does not.
func (b *Board) hints(ctx context.Context) <-chan struct{} {
	notifier, ok := b.store.(Notifier)
	if !ok {
		return nil
	}
	hints, err := notifier.Notify(ctx)
	if err != nil {
		return nil
	}
	return hints
}

// errEnough says that the caller stopped.
var errEnough = errors.New("enough")

// follow yields what is new, and moves after along with it.
func (b *Board) follow(ctx context.Context, after *Revision, yield func(ChangeSet, error) bool) error {
	for set, err := range b.Changes(ctx, Span{After: *after}) {
		if err != nil {
			return err
		}
		*after = set.Revision
		if !yield(set, nil) {
			return errEnough
		}
	}
	var rev Revision
	err := b.store.View(ctx, func(r Reader) error { rev = r.Revision(); return nil })
	if err == nil && rev < *after {
		return neverHad(*after, rev)
	}
	return err
}
