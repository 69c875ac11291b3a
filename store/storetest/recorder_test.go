package storetest

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
)

// A recorder is a test that may fail without failing anything.
type recorder struct {
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

var _ TB = (*recorder)(nil)

func (r *recorder) Helper()                  {}
func (r *recorder) Logf(string, ...any)      {}
func (r *recorder) Context() context.Context { return context.Background() }
func (r *recorder) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

// record runs a check on stores that open makes, to its clean-up, and returns
// how it failed. A panic is a failure too. The check runs in a bubble of package
// synctest, where it takes no time to see that something never happens.
func record(t *testing.T, run func(w *world), o *opener) []string {
	t.Helper()
	r := &recorder{}
	guarded := func(f func()) {
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		f()
	}
	synctest.Test(t, func(t *testing.T) {
		at := *o
		at.t = t
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				for _, f := range r.cleanups {
					guarded(f)
				}
			}()
			guarded(func() { run(newWorld(r, &at)) })
		}()
		<-done
	})
	return r.failures
}

func TestRecorder(t *testing.T) {
	open := sound(func(s pawl.Store) pawl.Store { return s })
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
		if failures := record(t, run, open); len(failures) != 1 {
			t.Errorf("%s: recorded %q", name, failures)
		}
	}
	if failures := record(t, func(w *world) { w.clock.Advance(time.Second) }, open); failures != nil {
		t.Errorf("recorded %q of a check that passes", failures)
	}
}
