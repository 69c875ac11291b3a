package pawl_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// The end of a lease is in history as soon as somebody asks for it to be recorded, and
// nothing is recorded without one.
func TestExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		b := pawl.NewBoard(memory.New())
		defer b.Close()
		by := pawl.Actor{Name: "bot", Session: "s1"}
		if _, err := b.Do(ctx, pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}}}}); err != nil {
			t.Fatal(err)
		}
		claimed, err := b.Do(ctx, pawl.Request{By: by, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		after := func() (sets []pawl.ChangeSet) {
			if err := b.Expire(ctx); err != nil {
				t.Fatal(err)
			}
			for set, err := range b.Changes(ctx, pawl.Span{After: claimed.Revision}) {
				if err != nil {
					t.Fatal(err)
				}
				sets = append(sets, set)
			}
			return sets
		}
		if sets := after(); len(sets) != 0 {
			t.Errorf("before its end: %+v", sets)
		}
		time.Sleep(2 * time.Minute)
		for range 2 {
			if sets := after(); len(sets) != 1 || sets[0].Verb != pawl.VerbExpire || len(sets[0].Ready) != 1 {
				t.Errorf("after its end: %+v", sets)
			}
		}
	})
}

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
				if err != nil {
					t.Fatal(err)
				}
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
				if err := b.Expire(ctx); err != nil {
					t.Fatal(err)
				}
			} else {
				by = pawl.Actor{Name: "ada"}
				do(pawl.AddNote{ID: 7, Text: "x"})
				want = append(want, 1)
			}
			var got []int
			for set, err := range b.Changes(ctx, pawl.Span{After: last}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, len(set.Changes))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: sets of %v changes, want %v", how, got, want)
			}
		})
	}
}
