package storetest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
)

// Files and memory hold the same, byte for byte, in every story: without -long in a quarter
// of them.
func TestFileAgreesWithMemory(t *testing.T) {
	for name, text := range storyTexts(t) {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 4)
			dir := filepath.Join(t.TempDir(), ".tasks")
			open := func(t *testing.T, clock func() time.Time) pawl.Store {
				s := must.Get(file.Open(dir, file.WithClock(clock)))(t)
				return s
			}
			again := func(t *testing.T, _ pawl.Store, clock func() time.Time) pawl.Store { return open(t, clock) }
			p := compared(&opener{t: t, open: open, again: again})(t)
			for _, batch := range batches(text) {
				m, ok, err := parseMove(batch)
				if err != nil {
					t.Fatal(err)
				}
				if d, wait := strings.CutPrefix(batch[0], "wait "); wait {
					if m.wait, err = time.ParseDuration(d); err != nil {
						t.Fatal(err)
					}
					ok = true
				}
				if ok || batch[0] == "restart" {
					p.play(m)
				}
			}
			p.end()
		})
	}
}
