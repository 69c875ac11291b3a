package storetest

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

func TestTrial(t *testing.T) {
	for name, run := range map[string]func(w *world){
		"an error":             func(w *world) { w.Errorf("here") },
		"a fatal one":          func(w *world) { w.Fatalf("here"); panic("went on") },
		"a panic":              func(w *world) { panic("here") },
		"an error at clean-up": func(w *world) { w.Cleanup(func() { w.Errorf("here") }) },
		"a broken invariant": func(w *world) {
			w.store.Update(w.ctx, func(r pawl.Reader) (pawl.Commit, error) {
				c := counted(r, 1)
				c.Sets[0].Changes[0].After.Blocks = []pawl.ID{7}
				return c, nil
			})
		},
	} {
		if failures := record(t, run, nil); len(failures) != 1 {
			t.Errorf("%s: recorded %q", name, failures)
		}
	}
	if failures := record(t, func(w *world) { w.clock.Advance(time.Second) }, nil); failures != nil {
		t.Errorf("recorded %q of a check that passes", failures)
	}
}
