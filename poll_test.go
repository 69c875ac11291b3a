package pawl_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

func TestChangedSince(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	since := func(rev pawl.Revision, want ...pawl.ID) pawl.Revision {
		t.Helper()
		got, next, err := w.ChangedSince(ctx, rev)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("since %d: %v, want %v, %v", rev, got, want, err)
		}
		return next
	}
	w.chain("a", "b", "c")
	start := since(0, 1, 2, 3)
	since(start)
	w.do(ada, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(10 * time.Minute)})
	claimed := since(start, 1)
	w.now = w.now.Add(time.Minute)
	w.do(ada, pawl.Renew{})
	renewed := since(claimed) // a renewal is no change
	if renewed == claimed {
		t.Error("nothing was renewed")
	}
	// A lease that ends shows at each poll, until it is recorded; then once.
	w.now = w.now.Add(time.Hour)
	since(since(renewed, 1), 1)
	w.do(bob, pawl.Delete{IDs: ids(3)})
	last := since(renewed, 1, 2, 3)
	since(last)

	for _, rev := range []pawl.Revision{last + 1, last + 1_000_000} {
		_, _, err := w.ChangedSince(ctx, rev)
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Gone || e.Hint.Step != pawl.HintList {
			t.Errorf("since %d, which the board never had: %v", rev, err)
		}
	}
}
