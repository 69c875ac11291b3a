//go:build unix

package file_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"golang.org/x/sys/unix"
)

// spent is the time that the processor has worked for this process.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkGlance opens a board and looks at it as a hook does: at an agent's
// stop, and at its start; with an index just made, and with a long log to it.
func BenchmarkGlance(b *testing.B) {
	by := pawl.Actor{Name: "ada", Session: "s1"}
	stop := pawl.GlanceQuery{Session: "s1"}
	start := pawl.GlanceQuery{Session: "s1", Ready: 5, For: "ada"}
	for id := range pawl.ID(5) {
		start.IDs = append(start.IDs, 100*(id+1))
	}
	for _, n := range sizes {
		dir := plant(b, n)
		do := func(count int, op pawl.Op) {
			requests := make([]pawl.Request, count)
			for i := range requests {
				requests[i] = pawl.Request{By: by, Op: op}
			}
			if _, err := pawl.NewBoard(open(b, dir)).DoAll(b.Context(), requests...); err != nil {
				b.Fatal(err)
			}
		}
		look := func(name string, q pawl.GlanceQuery) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				before := spent(b)
				for b.Loop() {
					g, ok, err := open(b, dir).Glance(b.Context(), q)
					if err != nil || !ok || len(g.Claimed) != 2 || len(g.Tasks) != len(q.IDs) {
						b.Fatalf("%+v, %v, %v", g, ok, err)
					}
				}
				b.ReportMetric(float64((spent(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
		do(2, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
		look("stop", stop)
		look("start", start)
		for range 2 {
			do(500, pawl.Create{Tasks: []pawl.NewTask{{Subject: "another one of the same kind"}}})
		}
		look("stop-long", stop)
		look("start-long", start)
	}
}
