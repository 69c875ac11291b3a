package team

import (
	"context"
	"errors"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// boards are those that are open.
type boards struct {
	server *Server
	mu     sync.Mutex
	open   map[string]*board
	closed bool
	names  [64]sync.Mutex // by a hash of the name
	begun  sync.Map       // by name, how far the board had come when it was first opened
}

// A board is one that is open.
type board struct {
	batcher
	reached
	name string
	at   Place // what was opened
	hub  hub

	reaping sync.Mutex
	told    string       // what went wrong with the leases; under reaping
	asked   atomic.Int64 // when the board was asked for last, in Unix nanoseconds
	watches atomic.Int64 // that go on

	ended context.Context // ends when the board is closed
	end   context.CancelFunc
}

// Close ends what watches the board, and closes it.
func (b *board) Close() error {
	b.end()
	return b.batcher.Close()
}

// Watch counts as use of the board, which is not closed while it runs.
func (b *board) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		b.watches.Add(1)
		defer b.watches.Add(-1)
		b.batcher.Watch(ctx, who, from)(yield)
	}
}

// DoAll remembers how far the board has come.
func (b *board) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	outcomes, err := b.batcher.DoAll(ctx, want, requests...)
	for i := range outcomes {
		b.note(&outcomes[i].Head)
	}
	return outcomes, err
}

// Ask remembers how far the board has come, too.
func (b *board) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.batcher.Ask(ctx, who, q)
	if head, has := answer.(interface{ High() epoch.High }); has && err == nil {
		b.note(head)
	}
	return answer, err
}

// Film returns the history of the board.
func (b *board) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Of(ctx, b.Board, name)
}

// lock lets one caller open, make or close the board of a name. Boards of other names
// seldom wait for it.
func (b *boards) lock(name string) (unlock func()) {
	h := fnv.New32a()
	h.Write([]byte(name))
	mu := &b.names[h.Sum32()%uint32(len(b.names))]
	mu.Lock()
	return mu.Unlock
}

// find returns the board of a name; nil: it does not exist.
func (b *boards) find(ctx context.Context, name string) (*board, error) {
	defer b.lock(name)()
	return b.findLocked(ctx, name)
}

func (b *boards) findLocked(ctx context.Context, name string) (*board, error) {
	at, err := b.server.Boards.Find(ctx, name)
	b.mu.Lock()
	was, closed := b.open[name], b.closed
	if was != nil && !errors.Is(err, pawl.Unavailable) && (at == nil || !at.Same(was.at)) { // it was moved away, or another put in its place
		b.drop(was)
		defer was.Close()
		was = nil
	}
	b.mu.Unlock()
	switch {
	case closed:
		return nil, errEnding
	case err != nil || at == nil:
		return nil, err
	case was != nil:
		was.asked.Store(b.server.Now().UnixNano())
		return was, nil
	}
	opened, err := at.Open(func(text string) { b.server.Log.Warn(text, "board", name) })
	if err != nil {
		return nil, err
	}
	made := &board{batcher: batcher{Board: opened, log: b.server.Log}, name: name, at: at}
	made.ended, made.end = context.WithCancel(context.Background())
	made.hub.board = made
	made.began = b.began(ctx, name, opened)
	made.asked.Store(b.server.Now().UnixNano())
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		made.Close()
		return nil, errEnding
	}
	b.open[name] = made
	return made, nil
}

// drop takes a board out of those that are open; the caller holds b.mu.
func (b *boards) drop(at *board) {
	delete(b.open, at.name)
	at.mu.Lock()
	defer at.mu.Unlock()
	b.server.counts.orders.Add(int64(at.done))
	b.server.counts.commits.Add(int64(at.commits))
}

// make is find that makes the board.
func (b *boards) make(ctx context.Context, name string) (*board, error) {
	defer b.lock(name)()
	if found, err := b.findLocked(ctx, name); found != nil || err != nil {
		return found, err
	}
	if err := b.server.Boards.Make(ctx, name); err != nil {
		return nil, err
	}
	return b.findLocked(ctx, name)
}

// all are the boards that are open.
func (b *boards) all() []*board {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.open))
}

// closeIdle closes the boards that nobody has asked for since, and nobody watches.
func (b *boards) closeIdle(since time.Time) {
	for _, at := range b.all() {
		unlock := b.lock(at.name)
		b.mu.Lock()
		idle := b.open[at.name] == at && at.asked.Load() < since.UnixNano() && at.watches.Load() == 0
		if idle {
			b.drop(at)
		}
		b.mu.Unlock()
		if idle {
			at.Close()
		}
		unlock()
	}
}

func (b *boards) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	var errs []error
	for _, open := range b.open {
		errs = append(errs, open.Close())
	}
	b.open = nil
	return errors.Join(errs...)
}

// counts tells how many boards are open, and what they have carried out.
func (b *boards) counts() (open int, orders, commits int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.open {
		at.mu.Lock()
		orders, commits = orders+int64(at.done), commits+int64(at.commits)
		at.mu.Unlock()
	}
	return len(b.open), orders, commits
}
