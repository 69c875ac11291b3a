package tui

import (
	"testing"

	"pgregory.net/rapid"
)

// Whatever a lane holds: the reader's item is seen, nothing is drawn beyond the
// lane but an item that alone is too high for it, a row is left for what is cut
// off below, and no room is left empty while something is cut off above.
func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 6), 1, 40).Draw(t, "rows")
		n := len(sizes)
		height := rapid.IntRange(2, 30).Draw(t, "height")
		top := rapid.IntRange(-2, n+2).Draw(t, "top")
		want := rapid.IntRange(-1, n-1).Draw(t, "want")
		from, to := fit(n, top, want, height, func(i int) int { return sizes[i] })
		if from < 0 || to > n || from >= to {
			t.Fatalf("%d to %d of %d", from, to, n)
		}
		if want >= 0 && (want < from || want >= to) {
			t.Fatalf("%d is not in %d to %d", want, from, to)
		}
		used := 0
		for _, h := range sizes[from:to] {
			used += h
		}
		room := height
		if to < n {
			room--
		}
		if used > room && to-from > 1 {
			t.Fatalf("%d to %d take %d of %d rows", from, to, used, room)
		}
		if to == n && from > 0 && used+sizes[from-1] <= room {
			t.Fatalf("there is room for %d", from-1)
		}
	})
}
