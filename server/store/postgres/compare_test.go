package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
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

// Memory, files and a database hold the same, byte for byte, whatever they are told.
func TestAgreesWithOthers(t *testing.T) {
	db := open(t)
	boards, dir := 0, ""
	fileAgain := func(t *testing.T, _ pawl.Store, clock func() time.Time) pawl.Store {
		s, err := file.Open(dir, file.WithClock(clock))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tablesAgain := func(t *testing.T, _ pawl.Store, clock func() time.Time) pawl.Store {
		all, name := postgres.Over(db, postgres.WithClock(clock)), fmt.Sprint("shop", boards)
		if err := all.Make(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		return &inTurn{[2]*postgres.Store{all.Board(name), postgres.Over(db, postgres.WithClock(clock)).Board(name)}, 0}
	}
	storetest.Compare(t,
		storetest.Candidate{Name: "memory", Open: func(_ *testing.T, clock func() time.Time) pawl.Store {
			return memory.New(memory.WithClock(clock))
		}},
		storetest.Candidate{Name: "file", Open: func(t *testing.T, clock func() time.Time) pawl.Store {
			dir = filepath.Join(t.TempDir(), ".tasks")
			return fileAgain(t, nil, clock)
		}, Options: []storetest.Option{storetest.Reopen(fileAgain)}},
		storetest.Candidate{Name: "postgres, from two servers in turn", Open: func(t *testing.T, clock func() time.Time) pawl.Store {
			boards++
			return tablesAgain(t, nil, clock)
		}, Options: []storetest.Option{storetest.Reopen(tablesAgain)}},
	)
}
