package pg

import (
	"context"
	"crypto/rand"
	"maps"
	mrand "math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the NOTIFY channel of all of Pawl's servers. The payload is a topic.
const channel = "pawl"

const (
	// pollEach is how often is looked for news while nobody can be rung for.
	pollEach = 250 * time.Millisecond
	// rehearsal is how long the ring of one's own is waited for: through a pooler that
	// gives connections away after each transaction it never comes.
	rehearsal = 2 * time.Second
	// again is the pause before a lost listening connection is made again, and before
	// ringing is tried once more where it did not work.
	listenAgain = 200 * time.Millisecond
	probeAgain  = time.Minute
	// proofEach is how often the listening connection is proved to be there.
	proofEach = 5 * time.Second
)

// Ring queues a notification for a topic, sent when the transaction commits. NOTIFY locks
// the whole database until the commit is done, so a transaction rings last.
func Ring(b *Batch, topic string) { b.Queue("select pg_notify('"+channel+"', $1)", topic) }

// bells receives notifications for a whole process, on one connection, while
// somebody listens.
type bells struct {
	db *Database

	mu     sync.Mutex
	look   Look // nil: listeners look themselves
	topics map[string]map[chan struct{}]bool
	stop   context.CancelFunc // nil: nobody listens
	done   sync.WaitGroup
	closed bool
}

func newBells(d *Database) *bells {
	return &bells{db: d, topics: map[string]map[chan struct{}]bool{}}
}

// A Look returns a number for each of many topics, which changes with each news for
// listeners. A topic may have none.
type Look func(ctx context.Context, topics []string) (map[string]int64, error)

// LookBy makes the database find news by a look while notifications do not arrive.
func (d *Database) LookBy(look Look) {
	d.bells.mu.Lock()
	defer d.bells.mu.Unlock()
	d.bells.look = look
}

// Listen returns a channel with room for one hint, in which several become one. A hint
// comes after each ring for the topic, and sometimes without one. The channel is closed
// when ctx ends or the database is closed.
func (d *Database) Listen(ctx context.Context, topic string) <-chan struct{} {
	b := d.bells
	hints := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		close(hints)
		return hints
	}
	if b.topics[topic] == nil {
		b.topics[topic] = map[chan struct{}]bool{}
	}
	b.topics[topic][hints] = true
	if b.stop == nil {
		hearing, stop := context.WithCancel(context.Background())
		b.stop = stop
		b.done.Go(func() { b.hear(hearing) })
	}
	context.AfterFunc(ctx, func() { b.leave(topic, hints) })
	return hints
}

func (b *bells) leave(topic string, hints chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.topics[topic][hints] {
		return
	}
	delete(b.topics[topic], hints)
	close(hints)
	if len(b.topics[topic]) == 0 {
		delete(b.topics, topic)
	}
	if len(b.topics) == 0 {
		b.hush()
	}
}

// hush ends the listening; the caller holds b.mu.
func (b *bells) hush() {
	if b.stop != nil {
		b.stop()
		b.stop = nil
	}
}

func (b *bells) close() {
	b.mu.Lock()
	b.closed = true
	b.hush()
	for _, all := range b.topics {
		for hints := range all {
			close(hints)
		}
	}
	clear(b.topics)
	b.mu.Unlock()
	b.done.Wait()
}

// ring hints at a topic; an empty one at all.
func (b *bells) ring(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, all := range b.topics {
		if topic != "" && name != topic {
			continue
		}
		for hints := range all {
			select {
			case hints <- struct{}{}:
			default: // there is one already
			}
		}
	}
}

// hear listens until ctx ends. While that does not work, it looks often.
func (b *bells) hear(ctx context.Context) {
	seen := map[string]int64{}
	for ctx.Err() == nil {
		worked := b.listen(ctx)
		pause := listenAgain
		if !worked {
			pause = probeAgain
		}
		for end := time.Now().Add(pause); ctx.Err() == nil && time.Now().Before(end); {
			seen = b.poll(ctx, seen)
			// Not all servers at once.
			select {
			case <-ctx.Done():
			case <-time.After(pollEach/2 + time.Duration(mrand.Int64N(int64(pollEach)))):
			}
		}
	}
}

// poll hints at each topic whose number has changed since seen, and returns the new
// numbers. Without an answer it gives no hint: a listener's own query would fail, too.
func (b *bells) poll(ctx context.Context, seen map[string]int64) map[string]int64 {
	b.mu.Lock()
	look, topics := b.look, slices.Collect(maps.Keys(b.topics))
	b.mu.Unlock()
	if look == nil {
		b.ring("")
		return seen
	}
	found, err := look(ctx, topics)
	if err != nil {
		return seen
	}
	now := make(map[string]int64, len(topics))
	for _, topic := range topics {
		now[topic] = found[topic]
		if was, known := seen[topic]; !known || was != now[topic] {
			b.ring(topic)
		}
	}
	return now
}

// listen hears rings until the connection is lost. It reports whether another try soon
// makes sense: not where rings do not come through.
func (b *bells) listen(ctx context.Context) (again bool) {
	began := time.Now().UnixNano()
	connecting, done := context.WithTimeout(ctx, b.db.timeout)
	defer done()
	conn, err := pgx.ConnectConfig(connecting, b.db.config.ConnConfig.Copy())
	if err != nil {
		return true
	}
	defer func() {
		closing, done := context.WithTimeout(context.Background(), time.Second)
		defer done()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(connecting, "listen "+channel); err != nil {
		return true
	}
	// Earlier notifications are lost: everybody looks once. Then a test notification,
	// sent through the pool as writers do, must arrive.
	b.ring("")
	test := "test " + rand.Text()
	trial, done := context.WithTimeout(ctx, rehearsal)
	defer done()
	if _, err := b.db.Exec(trial, "select pg_notify('"+channel+"', $1)", test); err != nil {
		return true
	}
	for {
		n, err := conn.WaitForNotification(trial)
		if err != nil {
			return trial.Err() == nil || ctx.Err() != nil
		}
		if n.Payload == test {
			break
		}
		b.ring(n.Payload)
	}
	for {
		waiting, done := context.WithTimeout(ctx, proofEach)
		n, err := conn.WaitForNotification(waiting)
		late := waiting.Err() != nil && ctx.Err() == nil
		done()
		switch {
		case err == nil:
			b.ring(n.Payload)
		case late && b.db.lost.Load() > began:
			return true // the others lead to another host by now, or this one is as dead as they were
		case late && !conn.IsClosed():
			proving, done := context.WithTimeout(ctx, connectTimeout)
			_, err := conn.Exec(proving, "select 1")
			done()
			if err != nil {
				return true
			}
		default:
			return true
		}
	}
}
