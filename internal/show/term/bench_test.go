package term

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pawl-dev/pawl/internal/show"
)

// BenchmarkGraph draws a graph once more, as a screen does when the reader moves
// from task to task: one as large as is drawn in lines, and one that is listed.
func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{60, mostDrawn, 1_000} {
		tasks, missing := board(b, plan(rand.New(rand.NewPCG(1, 1)), n, 1, 12))
		g := show.NewGraph(tasks, missing, "ada")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Screen{200, true}.GraphRows(g, facts(), tasks[0].ID)
			}
		})
	}
}
