package postgres_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// BenchmarkCheck checks a board of 100,000 tasks, in groups that wait for one another. It
// reports what the check keeps of them in memory, too.
func BenchmarkCheck(b *testing.B) {
	boards := postgres.Over(open(b))
	if err := boards.Make(b.Context(), "shop"); err != nil {
		b.Fatal(err)
	}
	store := boards.Board("shop")
	board := pawl.NewBoard(store)
	for made := 0; made < 100_000; made += pawl.MaxBatch {
		op := pawl.Create{Tasks: make([]pawl.NewTask, pawl.MaxBatch)}
		for i := range op.Tasks {
			op.Tasks[i] = pawl.NewTask{Ref: fmt.Sprint(i), Subject: fmt.Sprint("Step ", made+i), Description: "What is to be done, in a line or two, as a model writes it."}
			if i%10 != 0 {
				op.Tasks[i].BlockedBy = []pawl.Ref{pawl.RefName(fmt.Sprint(i - 1))}
			}
		}
		if _, err := board.Do(b.Context(), pawl.Request{Op: op}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	var most uint64
	for b.Loop() {
		problems, err := store.Check(b.Context())
		if err != nil || len(problems) > 0 {
			b.Fatal(problems, err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapSys)
	}
	b.ReportMetric(float64(most)/(1<<20), "MiB-heap")
}
