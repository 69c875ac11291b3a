package tables

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/server/pg"
)

// each is how often the marks of the boards are read that somebody watches: one query
// for all. A NOTIFY would be there sooner, but it takes a lock of the whole database,
// which claims need more: lists change all the time.
const each = 250 * time.Millisecond

// A lookout reads marks while somebody watches.
type lookout struct {
	db *pg.Database

	mu    sync.Mutex
	waits map[*wait]bool
	stop  context.CancelFunc // nil: nobody watches
}

// A wait is for the mark of a board to become another one.
type wait struct {
	board   string
	since   keeper.Mark
	changed chan struct{}
}

func newLookout(db *pg.Database) *lookout { return &lookout{db: db, waits: map[*wait]bool{}} }

func (l *lookout) watch(board string, since keeper.Mark) (changed <-chan struct{}, stop func()) {
	w := &wait{board, since, make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits[w] = true
	if l.stop == nil {
		var ctx context.Context
		ctx, l.stop = context.WithCancel(context.Background())
		go l.run(ctx)
	}
	return w.changed, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.leave(w)
	}
}

// leave ends a wait; the caller holds l.mu.
func (l *lookout) leave(w *wait) {
	delete(l.waits, w)
	if len(l.waits) == 0 && l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

func (l *lookout) run(ctx context.Context) {
	for {
		timer := time.NewTimer(each/2 + rand.N(each)) // not all servers at once
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		l.look(ctx)
	}
}

// look ends the waits that are over. When the database does not answer, the next look
// does.
func (l *lookout) look(ctx context.Context) {
	boards := map[string]bool{}
	l.mu.Lock()
	for w := range l.waits {
		boards[w.board] = true
	}
	l.mu.Unlock()
	var marks map[string]keeper.Mark
	err := l.db.Query(ctx, func() { marks = map[string]keeper.Mark{} }, func(rows pg.Rows) error {
		var board, epoch string
		var seq int64
		err := rows.Scan(&board, &epoch, &seq)
		marks[board] = keeper.Mark{Epoch: epoch, Seq: uint64(seq)}
		return err
	}, "select board, epoch, seq from pawl.session_mark where board = any($1)", slices.Collect(maps.Keys(boards)))
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.waits {
		if boards[w.board] && marks[w.board] != w.since {
			l.leave(w)
			close(w.changed)
		}
	}
}
