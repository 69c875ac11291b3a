package storetest

import (
	"context"
	"slices"
	"strings"
	"sync"
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

// exclusive is a store that has one view at a time.
type exclusive struct {
	pawl.Store
	viewing sync.Mutex
}

func (s *exclusive) View(ctx context.Context, fn func(pawl.Reader) error) error {
	s.viewing.Lock()
	defer s.viewing.Unlock()
	return s.Store.View(ctx, fn)
}

// A call that waits for the view that it is in waits for ever, and is not waited for so long.
func TestWaitInViewIsFound(t *testing.T) {
	open := sound(t, func(s pawl.Store) pawl.Store { return &exclusive{Store: s} })
	failures := try(func(tb TB) { callsInView(newWorld(tb, open)) })
	if len(failures) != 1 || !strings.HasSuffix(failures[0], "it waits for the function that it is called in") {
		t.Errorf("%q", failures)
	}
}

// What a store may leave out is not asked for.
func TestStoreWithoutHints(t *testing.T) {
	for _, c := range slices.Concat(hintChecks(), glanceChecks()) {
		if failures := record(t, c.run, func(s pawl.Store) pawl.Store { return &broken{Store: s} }); failures != nil {
			t.Errorf("%s: %q", c.name, failures)
		}
	}
}
