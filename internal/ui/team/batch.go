package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A batch is what waited together for the disk:
//
//	claim of ada ─┐                            ┌→ outcome of ada
//	claim of bob ─┼→ one DoAll, one fdatasync ─┼→ outcome of bob
//	done of eve  ─┘                            └→ error of eve, which is hers alone
const (
	// mostTogether bounds the orders of a commit: the first of them waits for the last.
	mostTogether = 128
	// largeOrder is how many tasks make an order that goes alone. So do imports.
	largeOrder = 20
	// slow is after how long a commit no longer keeps others waiting, and mostAtOnce how
	// many go on beside it then: the board of a clone may wait for its remote.
	slow       = 100 * time.Millisecond
	mostAtOnce = 4
	// roomTogether is what each further order of a commit adds to its room.
	roomTogether = 128 << 10
	// mostWaiting bounds the orders that wait for their turn, and queueFor how long one
	// does: a longer queue would not make a slow store faster.
	mostWaiting = 4096
	queueFor    = 10 * time.Second
	// repeatFor is within what a commit has to have failed to be tried again for each
	// caller: one that failed later did so for the store, and each would wait as long.
	repeatFor = 2 * time.Second
)

// A batcher carries out what several callers want of a board in one commit, as far as
// they come while another is under way. Each gets the outcome that it would have had
// alone, in some order.
type batcher struct {
	query.Board
	log *slog.Logger

	mu      sync.Mutex
	waiting []*order
	running int
	begun   time.Time // when the newest of those that run took its last orders
	done    uint64    // orders, and commits that they took
	commits uint64
}

// An order is one call of DoAll.
type order struct {
	ctx      context.Context
	want     query.Want
	requests []pawl.Request
	done     chan struct{}
	outcomes []query.Outcome
	err      error
}

func (b *batcher) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := b.DoAll(ctx, want, request)
	if len(outcomes) == 0 {
		return query.Outcome{}, pawl.ErrorAt(err, 0)
	}
	return outcomes[0], pawl.ErrorAt(err, 0)
}

// DoAll carries out requests in one commit, or, where others would wait too long for it,
// in several.
func (b *batcher) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	for n := range requests {
		if n > 0 && weight(requests[:n+1]) > partTasks {
			first, failed := b.order(ctx, want, requests[:n])
			if last := pawl.ErrorAt(failed, n-1); errors.Is(last, pawl.ErrTooMuch) {
				return joined(len(requests), first, n, failed, last)
			}
			rest, err := b.DoAll(ctx, want, requests[n:]...)
			return joined(len(requests), append(first, rest...), n, failed, err)
		}
	}
	return b.order(ctx, want, requests)
}

// order waits until requests are carried out, together with those of others.
func (b *batcher) order(ctx context.Context, want query.Want, requests []pawl.Request) ([]query.Outcome, error) {
	o := &order{ctx: ctx, want: want, requests: requests, done: make(chan struct{})}
	b.mu.Lock()
	if len(b.waiting) >= mostWaiting {
		b.mu.Unlock()
		return make([]query.Outcome, len(requests)), full("%d changes wait for the board already, so this one was not begun", mostWaiting)
	}
	b.waiting = append(b.waiting, o)
	if b.running == 0 || b.running < mostAtOnce && time.Since(b.begun) > slow {
		b.running++
		b.begun = time.Now()
		go b.run()
	}
	b.mu.Unlock()
	var gone error
	select {
	case <-o.done:
		return o.outcomes, o.err
	case <-ctx.Done():
		gone = context.Cause(ctx)
	case <-time.After(queueFor):
		gone = full("the board does not get through its changes, so this one was not begun")
	}
	if b.withdraw(o) {
		return make([]query.Outcome, len(requests)), gone
	}
	<-o.done // it is under way, and its outcome is worth the wait
	return o.outcomes, o.err
}

// withdraw takes an order back that nobody has begun.
func (b *batcher) withdraw(o *order) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.waiting, o)
	if i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	return i >= 0
}

// run carries out orders until none waits.
func (b *batcher) run() {
	for {
		b.mu.Lock()
		orders := b.take()
		if len(orders) == 0 {
			b.running--
			b.mu.Unlock()
			return
		}
		b.begun = time.Now()
		b.done += uint64(len(orders))
		b.commits++
		b.mu.Unlock()
		b.carry(orders)
	}
}

// take takes the first order, and those that can go with it; the caller holds b.mu.
func (b *batcher) take() []*order {
	if len(b.waiting) == 0 {
		return nil
	}
	first := b.waiting[0]
	if first.large() {
		b.waiting = slices.Delete(b.waiting, 0, 1)
		return []*order{first}
	}
	var orders, rest []*order
	n := 0
	for _, o := range b.waiting {
		if len(orders) < mostTogether && !o.large() && o.want == first.want && n+weight(o.requests) <= partTasks {
			orders, n = append(orders, o), n+weight(o.requests)
		} else {
			rest = append(rest, o)
		}
	}
	b.waiting = rest
	return orders
}

func (o *order) large() bool {
	return pawl.Room(o.ctx) > smallRoom || weight(o.requests) > largeOrder || slices.ContainsFunc(o.requests, func(r pawl.Request) bool {
		switch r.Op.(type) {
		case pawl.Import, *pawl.Import, pawl.All, *pawl.All:
			return true
		}
		return false
	})
}

// carry carries out orders and tells each what came of it. If the commit failed as a
// whole, those that can run again without harm are carried out one by one, as long as
// that is quick: a fault that one of them causes in the store is not the others'
// failure.
//
// The first order that is too much for this commit, and all after it, are carried out
// next.
func (b *batcher) carry(orders []*order) {
	defer func() {
		for _, o := range orders {
			close(o.done)
		}
	}()
	var all []pawl.Request
	for _, o := range orders {
		all = append(all, o.requests...)
	}
	began := time.Now()
	// A commit that has begun is completed: a caller that goes does not take its
	// neighbours along.
	ctx := context.WithoutCancel(orders[0].ctx)
	if room := pawl.Room(ctx); room > 0 {
		ctx = pawl.Within(ctx, room+(len(orders)-1)*roomTogether)
	}
	outcomes, err := b.guarded(ctx, orders[0].want, all)
	together := len(orders) > 1 && failedWhole(err)
	at := 0
	for i, o := range orders {
		n := len(o.requests)
		if i > 0 && errors.Is(pawl.ErrorAt(err, at), pawl.ErrTooMuch) {
			b.mu.Lock()
			b.waiting = append(slices.Clone(orders[i:]), b.waiting...)
			b.done -= uint64(len(orders) - i)
			b.mu.Unlock()
			orders = orders[:i]
			return
		}
		if o.outcomes, o.err = part(outcomes, err, at, n); together && repeatable(o.requests) && time.Since(began) < repeatFor {
			o.outcomes, o.err = b.guarded(context.WithoutCancel(o.ctx), o.want, o.requests)
		}
		if n == 1 && len(o.outcomes) == 1 {
			o.outcomes[0].Left = nil // the others are not its caller's business
		}
		at += n
	}
}

// failedWhole reports whether what failed was the commit, and not some requests in it:
// then none of them is done.
func failedWhole(err error) bool {
	if batch, some := errors.AsType[*pawl.BatchError](err); some {
		return !slices.Contains(batch.Errs, nil) && (errors.Is(err, pawl.Internal) || errors.Is(err, pawl.Unavailable))
	}
	return err != nil
}

// repeatable reports whether requests can run again, for they run once.
func repeatable(requests []pawl.Request) bool {
	return !slices.ContainsFunc(requests, func(r pawl.Request) bool { return r.ID == "" })
}

// part is what came of n requests from a place on.
func part(outcomes []query.Outcome, err error, at, n int) ([]query.Outcome, error) {
	some := make([]query.Outcome, n)
	if at+n <= len(outcomes) {
		copy(some, outcomes[at:])
	}
	if err == nil {
		return some, nil
	}
	errs := make([]error, n)
	failed := false
	for i := range errs {
		errs[i] = pawl.ErrorAt(err, at+i)
		failed = failed || errs[i] != nil
	}
	if !failed {
		return some, nil
	}
	return some, &pawl.BatchError{Errs: errs}
}

// guarded is DoAll of the board, whose faults end no other board.
func (b *batcher) guarded(ctx context.Context, want query.Want, requests []pawl.Request) (outcomes []query.Outcome, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			b.log.Error("a change failed for a fault of pawl's own", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			outcomes, err = nil, pawl.Errorf(pawl.Internal, "a fault of pawl's own, which the server's log has")
		}
	}()
	return b.Board.DoAll(ctx, want, requests...)
}
