package team

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// hanging is a store that answers nothing, and ends each call after a while.
type hanging struct {
	query.Board
	calls int
	mu    sync.Mutex
}

func (h *hanging) DoAll(_ context.Context, _ query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	h.mu.Lock()
	h.calls++
	h.mu.Unlock()
	<-time.After(10 * time.Second) // of the bubble's clock
	return make([]query.Outcome, len(requests)), pawl.Errorf(pawl.Unavailable, "the database does not answer")
}

// A store that hangs keeps nobody for much longer than one call of it takes: a commit
// that failed late is not tried again for each caller, and who has waited too long
// for its turn is told to come back.
func TestBatchHangs(t *testing.T) { synctest.Test(t, batchHangs) }

func batchHangs(t *testing.T) {
	g, b := newGated(t)
	h := &hanging{Board: g.Board}
	b.Board = h
	const callers = 20 * mostTogether
	var wg sync.WaitGroup
	var longest time.Duration
	refusedLater := 0
	for range callers {
		wg.Go(func() {
			began := time.Now()
			_, err := b.Do(ctx, create("task"), 0)
			if !errors.Is(err, pawl.Unavailable) {
				t.Errorf("a caller was told %v", err)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			longest = max(longest, time.Since(began))
			if own, ok := errors.AsType[*refusal](err); ok && own.status == http.StatusServiceUnavailable && own.after > 0 {
				refusedLater++
			}
		})
	}
	wg.Wait()
	synctest.Wait()
	if longest > queueFor+10*time.Second {
		t.Errorf("a caller waited %v", longest)
	}
	if refusedLater == 0 || refusedLater == callers {
		t.Errorf("%d of %d callers were told to come back", refusedLater, callers)
	}
	if b.running != 0 || len(b.waiting) != 0 {
		t.Errorf("afterwards %d commits run and %d orders wait", b.running, len(b.waiting))
	}
}

// A board has a bounded queue: what is too many is refused at once.
func TestBatchQueueIsBounded(t *testing.T) { synctest.Test(t, batchQueueIsBounded) }

func batchQueueIsBounded(t *testing.T) {
	g, b := newGated(t)
	b.Board = &hanging{Board: g.Board}
	var wg sync.WaitGroup
	for range 1 + mostWaiting {
		wg.Go(func() { b.Do(ctx, create("task"), 0) })
		synctest.Wait()
	}
	began := time.Now()
	_, err := b.Do(ctx, create("task"), 0)
	if own, ok := errors.AsType[*refusal](err); !ok || own.status != http.StatusServiceUnavailable || own.after == 0 || time.Since(began) > 0 {
		t.Errorf("one too many: %v after %v", err, time.Since(began))
	}
	wg.Wait()
}

// What a store says is worth repeating is answered so that clients repeat it; any other
// failure is the outcome of its request.
func TestRetryIsAsked(t *testing.T) {
	e := pawl.Errorf(pawl.Unavailable, "the database was lost")
	e.Hint = pawl.Hint{Step: pawl.HintRetry}
	unclear := pawl.Errorf(pawl.Unavailable, "the database was lost at the commit")
	unclear.Hint, unclear.Cause = pawl.Hint{Step: pawl.HintHistory}, context.DeadlineExceeded
	full := pawl.Errorf(pawl.Unavailable, "the disk is full")
	conflict := pawl.Errorf(pawl.Conflict, "claimed")
	both := func(errs ...error) error { return &pawl.BatchError{Errs: errs} }
	for _, test := range []struct {
		name   string
		failed error
		again  bool
	}{
		{"all alike", e, true},
		{"each", both(e, e), true},
		{"nobody knows what became of it", both(unclear, conflict), true},
		{"nobody knows, and of one no op id would tell", both(unclear, unclear), false},
		{"one of them would fail anyway", both(conflict, e), true},
		{"one is done", both(nil, e), false},
		{"a disk", both(full, full), false},
		{"a rule", both(conflict, conflict), false},
		{"none", nil, false},
	} {
		err := later([]pawl.Request{{ID: "first"}, {}}, test.failed)
		own, ok := errors.AsType[*refusal](err)
		if ok != test.again || ok && (own.status != http.StatusServiceUnavailable || own.after == 0 || !strings.Contains(new(Server).told(err).Message, "lost")) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
