package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// BenchmarkClaims claims tasks as a server does: those who wait together in one commit,
// each in a session of its own. An op is one claim.
func BenchmarkClaims(b *testing.B) {
	for _, size := range []int{1, 20, 64} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			boards := postgres.Over(open(b))
			if err := boards.Make(b.Context(), "shop"); err != nil {
				b.Fatal(err)
			}
			board := pawl.NewBoard(boards.Board("shop"))
			for made := 0; made < b.N+1000; made += pawl.MaxBatch {
				op := pawl.Create{Tasks: make([]pawl.NewTask, pawl.MaxBatch)}
				for i := range op.Tasks {
					op.Tasks[i].Subject = fmt.Sprint("Step ", made+i)
				}
				if _, err := board.Do(b.Context(), pawl.Request{Op: op}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; {
				var batch []pawl.Request
				for ; len(batch) < size && n < b.N; n++ {
					batch = append(batch, pawl.Request{
						By: pawl.Actor{Name: fmt.Sprint("agent ", n%10), Session: fmt.Sprint("s", n)}, ID: pawl.OpID(fmt.Sprint("op", n)),
						Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)},
					})
				}
				if _, err := board.DoAll(b.Context(), batch...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkComplete completes a task for which 1,000 others wait, and opens it again.
func BenchmarkComplete(b *testing.B) {
	const waiting = 1_000
	boards := postgres.Over(open(b))
	if err := boards.Make(b.Context(), "shop"); err != nil {
		b.Fatal(err)
	}
	board := pawl.NewBoard(boards.Board("shop"))
	hub := pawl.Create{Tasks: []pawl.NewTask{{Subject: "hub"}}}
	if _, err := board.Do(b.Context(), pawl.Request{Op: hub}); err != nil {
		b.Fatal(err)
	}
	for range waiting / pawl.MaxBatch {
		op := pawl.Create{Tasks: make([]pawl.NewTask, pawl.MaxBatch)}
		for i := range op.Tasks {
			op.Tasks[i] = pawl.NewTask{
				Subject: fmt.Sprint("Step ", i), BlockedBy: []pawl.Ref{{ID: 1}},
				Description: "What there is to do, in a sentence or two, as an agent would write it for another one.",
			}
		}
		if _, err := board.Do(b.Context(), pawl.Request{Op: op}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		for _, op := range []pawl.Op{pawl.Complete{IDs: []pawl.ID{1}}, pawl.Reopen{IDs: []pawl.ID{1}}} {
			if _, err := board.Do(b.Context(), pawl.Request{Op: op}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
