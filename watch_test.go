package pawl_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// deaf is a store that hints at nothing.
type deaf struct{ pawl.Store }

func note(t *testing.T, board *pawl.Board) {
	t.Helper()
	op := pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}
	must.Do(t, errOf(board.Do(context.Background(), pawl.Request{By: ada, Op: op})))
}

// TestWatchWithoutHints follows a store that hints at nothing, and one that
// does: the first is looked at every five seconds, the second at once.
func TestWatchWithoutHints(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(pawl.Store) pawl.Store
		want time.Duration
	}{
		{"deaf", func(s pawl.Store) pawl.Store { return deaf{s} }, pawl.WatchInterval},
		{"hinting", func(s pawl.Store) pawl.Store { return s }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				board := pawl.NewBoard(c.wrap(store))
				ctx, cancel := context.WithCancel(t.Context())
				seen := make(chan pawl.Revision)
				go func() {
					defer close(seen)
					for set, err := range board.Watch(ctx, 0) {
						if err != nil {
							t.Error(err)
						}
						seen <- set.Revision
					}
				}()
				note(t, pawl.NewBoard(store))
				<-seen
				for want := pawl.Revision(2); want < 4; want++ { // also after a hint
					synctest.Wait()
					begin := time.Now()
					note(t, pawl.NewBoard(store))
					if rev := <-seen; rev != want {
						t.Errorf("revision %d", rev)
					}
					if took := time.Since(begin); took != c.want {
						t.Errorf("it was seen after %v, want %v", took, c.want)
					}
				}
				cancel()
				if _, more := <-seen; more {
					t.Error("it went on after the end of its context")
				}
			})
		})
	}
}

// faulty is a store whose history fails a few times.
type faulty struct {
	pawl.Store
	faults []error
}

func (f *faulty) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	if len(f.faults) == 0 {
		return f.Store.Changes(ctx, span)
	}
	err := f.faults[0]
	f.faults = f.faults[1:]
	return func(yield func(pawl.ChangeSet, error) bool) { yield(pawl.ChangeSet{}, err) }
}

// TestWatchFaults lets history fail: a board that is busy is asked again, lost
// history is told and gone on after, and anything else ends the watch.
func TestWatchFaults(t *testing.T) {
	busy := pawl.Errorf(pawl.Unavailable, "busy")
	broken := pawl.Errorf(pawl.Internal, "broken")
	gone := pawl.Errorf(pawl.Gone, "gone")
	gone.Revision = 2
	for _, c := range []struct {
		name   string
		faults []error
		errs   []error
		revs   []pawl.Revision // the sets'
		last   pawl.Revision   // after which to go on
	}{
		{"busy for a moment", []error{busy, busy}, nil, []pawl.Revision{1, 2, 3}, 3},
		{"busy for good", []error{busy, busy, busy}, []error{busy}, nil, 0},
		{"gone", []error{gone}, []error{gone}, []pawl.Revision{3}, 3},
		{"gone, and again", []error{gone, gone}, []error{gone, gone}, nil, 2},
		{"broken", []error{broken}, []error{broken}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				board := pawl.NewBoard(&faulty{deaf{store}, slices.Clone(c.faults)})
				for range 3 {
					note(t, board)
				}
				var errs []error
				var revs []pawl.Revision
				var last pawl.Revision
				for set, err := range board.Watch(t.Context(), 0) {
					last = set.Revision
					if err != nil {
						errs = append(errs, err)
						continue
					}
					if revs = append(revs, set.Revision); set.Revision == 3 {
						break
					}
				}
				if !slices.EqualFunc(errs, c.errs, errors.Is) || !slices.Equal(revs, c.revs) || last != c.last {
					t.Errorf("got %v, %v and %d, want %v, %v and %d", revs, errs, last, c.revs, c.errs, c.last)
				}
			})
		})
	}
}

// changing is a store in whose place another one can be put, as a folder can.
type changing struct {
	pawl.Store
	other atomic.Pointer[memory.Store]
}

func (c *changing) at() pawl.Store {
	if other := c.other.Load(); other != nil {
		return other
	}
	return c.Store
}

func (c *changing) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return c.at().View(ctx, fn)
}
func (c *changing) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return c.at().Changes(ctx, span)
}

// An earlier board that is put in the place of the one that is watched, such as
// by a move of folders, has lower numbers. A watcher is told, and continues
// with what comes next: it was silent for ever.
func TestWatchEarlierBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, earlier := &changing{Store: memory.New()}, memory.New()
		for range 3 {
			note(t, pawl.NewBoard(store.Store))
		}
		note(t, pawl.NewBoard(earlier))
		ctx, cancel := context.WithCancel(t.Context())
		type event struct {
			rev  pawl.Revision
			gone bool
		}
		seen := make(chan event)
		go func() {
			defer close(seen)
			for set, err := range pawl.NewBoard(store).Watch(ctx, 2) {
				var e *pawl.Error
				if errors.As(err, &e) {
					seen <- event{e.Revision, e.Kind == pawl.Gone}
					continue
				}
				seen <- event{set.Revision, false}
			}
		}()
		for _, want := range []event{{3, false}, {1, true}, {2, false}} {
			switch want.rev {
			case 1:
				store.other.Store(earlier)
			case 2:
				note(t, pawl.NewBoard(earlier))
			}
			if got := <-seen; got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		cancel()
		if e, more := <-seen; more {
			t.Errorf("%v after the end", e)
		}
	})
}
