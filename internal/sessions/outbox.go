package sessions

import (
	"context"
	"sync"
	"time"
)

// How an outbox sends.
const (
	gather  = 50 * time.Millisecond // what comes together goes together
	apart   = time.Second           // two requests
	retry   = 5 * time.Second       // after a failure, and then twice as long
	retryAt = 5 * time.Minute       // at most
)

// An Outbox sends from a process that runs on: soon after a change, at most once in a
// second, and again if that failed. It is safe for concurrent use.
type Outbox struct {
	sync   func(context.Context) error
	wake   chan struct{}
	stop   context.CancelFunc
	done   chan struct{}
	mu     sync.Mutex
	unsent bool
}

// NewOutbox returns an outbox whose changes sync sends.
func NewOutbox(sync func(context.Context) error) *Outbox {
	ctx, stop := context.WithCancel(context.Background())
	o := &Outbox{sync: sync, wake: make(chan struct{}, 1), stop: stop, done: make(chan struct{})}
	go o.run(ctx)
	return o
}

// Wake says that something changed.
func (o *Outbox) Wake() {
	o.mark(true)
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *Outbox) mark(unsent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent = unsent
}

// Close ends it, and reports whether something is left that is not sent.
func (o *Outbox) Close() (unsent bool) {
	o.stop()
	<-o.done
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unsent
}

func (o *Outbox) run(ctx context.Context) {
	defer close(o.done)
	var again <-chan time.Time
	pause := retry
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case <-again:
		}
		sleep(ctx, gather)
		select {
		case <-o.wake:
		default:
		}
		o.mark(false)
		if err := o.sync(ctx); err != nil {
			o.mark(true)
			again, pause = time.After(pause), min(2*pause, retryAt)
		} else {
			again, pause = nil, retry
		}
		sleep(ctx, apart)
	}
}
