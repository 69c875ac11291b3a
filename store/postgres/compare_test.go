package postgres_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/store/postgres"
	"github.com/pawl-dev/pawl/store/storetest"
)

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
		return all.Board(name)
	}
	storetest.Compare(t,
		storetest.Candidate{Name: "memory", Open: func(_ *testing.T, clock func() time.Time) pawl.Store {
			return memory.New(memory.WithClock(clock))
		}},
		storetest.Candidate{Name: "file", Open: func(t *testing.T, clock func() time.Time) pawl.Store {
			dir = filepath.Join(t.TempDir(), ".tasks")
			return fileAgain(t, nil, clock)
		}, Options: []storetest.Option{storetest.Reopen(fileAgain)}},
		storetest.Candidate{Name: "postgres", Open: func(t *testing.T, clock func() time.Time) pawl.Store {
			boards++
			return tablesAgain(t, nil, clock)
		}, Options: []storetest.Option{storetest.Reopen(tablesAgain)}},
	)
}
