// Package memory keeps a board in memory. It is the model for every other
// store: simple enough to be seen to be right, and what tests and throw-away
// boards use.
//
// It is good for some ten thousand tasks: what is asked by id costs nothing
// that grows with the board, a query looks at every task.
package memory

import (
	"context"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// DefaultHistory is how many change sets a store keeps unless told otherwise.
const DefaultHistory = 10_000

// A Store is a board in memory. It is safe for concurrent use; the functions
// given to View and Update must not call it again.
type Store struct {
	clock func() time.Time

	mu       sync.RWMutex // held while a function given to View or Update runs
	tasks    tasks
	history  history
	results  results
	revision pawl.Revision
	lastID   pawl.ID

	listeners map[chan struct{}]bool
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
	return func(s *Store) { s.history.bound = n }
}

// New returns a store with an empty board.
func New(opts ...Option) *Store {
	s := &Store{
		clock:     time.Now,
		tasks:     newTasks(),
		history:   history{bound: DefaultHistory},
		results:   results{byOp: map[pawl.OpID][]byte{}},
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
	s.mu.RLock()
	defer s.mu.RUnlock()
	return fn(s.reader())
}

// Update runs fn on the board as it is and commits what it returns.
func (s *Store) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	if err := alive(ctx); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.reader()
	commit, err := fn(r)
	if err != nil {
		return 0, err
	}
	if commit.Empty() {
		return s.revision, nil
	}
	staged, err := s.tasks.stage(&commit)
	if err != nil {
		return 0, err
	}
	s.tasks.install(staged)
	for _, set := range commit.Sets {
		s.revision++
		set = trim(set)
		set.Revision = s.revision
		s.history.add(set)
		s.results.add(set, r.now)
	}
	s.lastID = max(s.lastID, commit.LastID)
	for hints := range s.listeners {
		select {
		case hints <- struct{}{}:
		default: // there is one already
		}
	}
	return s.revision, nil
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

func (s *Store) reader() *reader {
	return &reader{store: s, now: s.clock().UTC().Truncate(time.Millisecond)}
}
