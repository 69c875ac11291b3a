package pawl_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// Leases that have ended by the thousand are recorded in sets of a page each, all of them
// before the next change: who asks next does not find most of them still to be settled.
func TestManyExpire(t *testing.T) {
	for _, how := range []string{"a change", "a server"} {
		synctest.Test(t, func(t *testing.T) {
			ctx := context.Background()
			b := pawl.NewBoard(memory.New())
			defer b.Close()
			by := pawl.Actor{Name: "bot", Session: "s1"}
			do := func(op pawl.Op) pawl.Result {
				res, err := b.Do(ctx, pawl.Request{By: by, Op: op})
				must.Do(t, err)
				return res
			}
			last := pawl.Revision(0)
			for range 5 {
				made := do(pawl.Create{Tasks: slices.Repeat([]pawl.NewTask{{Subject: "x"}}, 460)})
				last = do(pawl.Start{IDs: made.IDs, Lease: pawl.Duration(time.Minute)}).Revision
			}
			time.Sleep(2 * time.Minute)
			want := []int{1000, 1000, 300}
			if how == "a server" {
				must.Do(t, b.Expire(ctx))
			} else {
				by = pawl.Actor{Name: "ada"}
				do(pawl.AddNote{ID: 7, Text: "x"})
				want = append(want, 1)
			}
			var got []int
			for set, err := range b.Changes(ctx, pawl.Span{After: last}) {
				must.Do(t, err)
				got = append(got, len(set.Changes))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: sets of %v changes, want %v", how, got, want)
			}
		})
	}
}
