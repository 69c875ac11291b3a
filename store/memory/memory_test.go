package memory_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t,
		func(t *testing.T, clock func() time.Time) pawl.Store {
			return memory.New(memory.WithClock(clock))
		},
		// What is in memory is there as long as somebody refers to it.
		storetest.Reopen(func(t *testing.T, closed pawl.Store, clock func() time.Time) pawl.Store {
			return closed
		}),
		storetest.Shared(func(t *testing.T, open pawl.Store, clock func() time.Time) pawl.Store {
			return open
		}),
		storetest.Bounded(20, func(t *testing.T, clock func() time.Time) pawl.Store {
			return memory.New(memory.WithClock(clock), memory.WithHistory(20))
		}),
	)
}
