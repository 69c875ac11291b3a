package memory_test

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// A board of ten thousand tasks; each waits for the one a hundred
// before it.
func crowded(b *testing.B) *pawl.Board {
	board := pawl.NewBoard(memory.New())
	for n := 0; n < 10_000; n += pawl.MaxBatch {
		var op pawl.Create
		for i := n; i < n+pawl.MaxBatch; i++ {
			task := pawl.NewTask{Subject: fmt.Sprint("task ", i)}
			if i >= 100 {
				task.BlockedBy = []pawl.Ref{pawl.RefID(pawl.ID(i - 99))}
			}
			op.Tasks = append(op.Tasks, task)
		}
		if _, err := board.Do(b.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
			b.Fatal(err)
		}
	}
	return board
}

func BenchmarkClaimAndComplete(b *testing.B) {
	board := crowded(b)
	by := pawl.Actor{Name: "ada", Session: "s"}
	b.ReportAllocs()
	for b.Loop() {
		res, err := board.Do(b.Context(), pawl.Request{By: by, Op: pawl.ClaimTask{}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := board.Do(b.Context(), pawl.Request{By: by, Op: pawl.Complete{IDs: res.IDs}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReady(b *testing.B) {
	board := crowded(b)
	b.ReportAllocs()
	for b.Loop() {
		page, err := board.Select(b.Context(), pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 10})
		if err != nil || len(page.Tasks) != 10 {
			b.Fatal(len(page.Tasks), err)
		}
	}
}
