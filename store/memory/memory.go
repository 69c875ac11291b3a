// Package memory keeps a board in memory. It is the model for every other
// store: simple enough to be seen to be right, and what tests and throw-away
// boards use.
//
// It is good for some ten thousand tasks: a look-up by id takes constant time, a
// query looks at every task.
package memory

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// DefaultHistory is how many change sets a store keeps unless told otherwise.
const DefaultHistory = 10_000

// A Store is a board in memory. It is safe for concurrent use; a function given
// to Update must not call Update again.
type Store struct {
	clock func() time.Time

	turn      sync.Mutex // held by one Update after another, also while its function runs
	mu        sync.Mutex // guards what follows, and is not held while a function runs
	now       *board
	listeners map[chan struct{}]bool
}

// A board is what a store holds. It is written in place, unless views are
// looking at it: then they keep it, and the store goes on with a copy.
type board struct {
	tasks    tasks
	history  history
	results  results
	revision pawl.Revision
	epoch    int64 // see [pawl.Reader]
	lastID   pawl.ID
	views    int // how many are looking
}

// copied shares with b what is never written in place.
func (b *board) copied() *board {
	c := *b
	c.views, c.tasks, c.results.byOp = 0, b.tasks.copied(), maps.Clone(b.results.byOp)
	return &c
}

var (
	_ pawl.Store    = (*Store)(nil)
	_ pawl.Notifier = (*Store)(nil)
)

// An Option changes how a store works.
type Option func(*Store)

// WithClock makes the store ask clock for the time instead of the machine.
func WithClock(clock func() time.Time) Option {
	return func(s *Store) { s.clock = clock }
}

// WithHistory bounds the history to the latest n change sets.
func WithHistory(n int) Option {
	return func(s *Store) { s.now.history.bound = n }
}

// New returns a store with an empty board.
func New(opts ...Option) *Store {
	s := &Store{
		clock: time.Now,
		now: &board{
			tasks:   newTasks(),
			history: history{bound: DefaultHistory},
			results: results{byOp: map[pawl.OpID][]byte{}},
		},
		listeners: map[chan struct{}]bool{},
	}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// Close does nothing: the board lives as long as the store is referred to.
func (s *Store) Close() error { return nil }

// View runs fn on the board as it is.
func (s *Store) View(ctx context.Context, fn func(pawl.Reader) error) error {
	if err := alive(ctx); err != nil {
		return err
	}
	b := s.begin()
	defer s.end(b)
	return fn(s.reader(b))
}

// begin returns the board as it is, for a view, which ends it.
func (s *Store) begin() *board {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.views++
	return s.now
}

func (s *Store) end(b *board) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.views--
}

// Update runs fn on the board as it is and commits what it returns.
func (s *Store) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := alive(ctx); err != nil {
		return 0, err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	r := s.reader(s.now) // which only an update replaces or writes
	commit, err := fn(r)
	if err != nil {
		return 0, err
	}
	if commit.Empty() {
		return r.board.revision, nil
	}
	staged, err := r.board.tasks.stage(&commit)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.views > 0 {
		s.now = s.now.copied()
	}
	s.now.add(&commit, staged, r.now)
	s.hint()
	return s.now.revision, nil
}

// hint tells the listeners; the caller holds mu.
func (s *Store) hint() {
	for hints := range s.listeners {
		select {
		case hints <- struct{}{}:
		default: // there is one already
		}
	}
}

// add writes a commit down.
func (b *board) add(commit *pawl.Commit, staged map[pawl.ID]*pawl.Task, now time.Time) {
	b.tasks.install(staged)
	for _, set := range commit.Sets {
		b.revision++
		set = trim(set)
		set.Revision = b.revision
		b.history.add(set)
		b.results.add(set, now)
	}
	b.lastID = max(b.lastID, commit.LastID)
}

// Notify hints after every commit.
func (s *Store) Notify(ctx context.Context) (<-chan struct{}, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	hints := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners[hints] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, hints)
		close(hints)
	})
	return hints, nil
}

// alive says whether the caller still waits for an answer.
func alive(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return pawl.Errorf(pawl.Unavailable, "the request ended before the board was asked: %w", context.Cause(ctx))
}

func (s *Store) reader(b *board) *reader {
	return &reader{board: b, now: s.clock().UTC().Truncate(time.Millisecond)}
}
