package query_test

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// BenchmarkFacets counts what a filter offers, on a board of files that stays open.
func BenchmarkFacets(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			board := query.Local(plant(b, n, n/2))
			who := query.Asker{By: pawl.Actor{Name: "ada"}}
			look := func() {
				if f, err := query.Of(b.Context(), board, who, query.FacetsQuery{}); err != nil || len(f.Owners) == 0 {
					b.Fatal(f.Owners, err)
				}
			}
			look()
			b.ReportAllocs()
			for b.Loop() {
				look()
			}
		})
	}
}
