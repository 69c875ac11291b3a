package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/storetest"
)

// inTurn is one board as two servers have it: every other request goes to the other one.
type inTurn struct {
	servers [2]*postgres.Store
	n       int
}

func (s *inTurn) next() *postgres.Store {
	s.n++
	return s.servers[s.n%2]
}

func (s *inTurn) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return s.next().View(ctx, fn)
}

func (s *inTurn) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return s.next().Update(ctx, fn)
}

func (s *inTurn) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return s.next().Changes(ctx, span)
}

func (s *inTurn) Close() error { return errors.Join(s.servers[0].Close(), s.servers[1].Close()) }

// A database holds what memory does, byte for byte, whatever two servers of it are told.
func TestServersInTurn(t *testing.T) {
	db, boards := open(t), 0
	again := func(t *testing.T, _ pawl.Store, clock func() time.Time) pawl.Store {
		all, name := postgres.Over(db, postgres.WithClock(clock)), fmt.Sprint("shop", boards)
		must.Do(t, all.Make(t.Context(), name))
		return &inTurn{[2]*postgres.Store{all.Board(name), postgres.Over(db, postgres.WithClock(clock)).Board(name)}, 0}
	}
	storetest.Compare(t, func(t *testing.T, clock func() time.Time) pawl.Store {
		boards++
		return again(t, nil, clock)
	}, storetest.Reopen(again))
}
