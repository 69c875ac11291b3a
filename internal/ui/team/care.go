package team

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/query"
)

const (
	// reapEach is how late a watcher may learn that a lease has ended.
	reapEach = 3 * time.Second
	// idle is after how long a board is closed that nobody asks for: it has memory, and
	// a watch of its folder.
	idle = 10 * time.Minute
)

// care looks after the open boards until ctx ends: it records the leases that have
// ended, and closes what nobody uses.
func (s *Server) care(ctx context.Context) {
	tick := time.NewTicker(reapEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.reap(ctx)
			s.boards.closeIdle(s.Now().Add(-idle))
		}
	}
}

// reap records the leases that have ended on each board. One that takes long, or fails,
// keeps no other waiting.
func (s *Server) reap(ctx context.Context) {
	for _, b := range s.boards.all() {
		e, can := b.Board.(query.Expirer)
		if !can || !b.reaping.TryLock() {
			continue
		}
		go func() {
			defer b.reaping.Unlock()
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			if err := e.Expire(ctx); err != nil && ctx.Err() == nil && b.ended.Err() == nil {
				if told := err.Error(); told != b.told {
					b.told = told
					s.Log.Warn("leases that have ended cannot be recorded: "+told, "board", b.name)
				}
			}
		}()
	}
}
