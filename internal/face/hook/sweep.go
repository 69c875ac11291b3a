package hook

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/settings"
)

// sweepEvery is how often old todo lists are looked for.
const sweepEvery = 24 * time.Hour

// sweep takes away the todo lists that are kept no longer: those who use no
// server would keep them for ever. All lists are read for it, so it is done once
// a day, and when nobody waits, at the end of a session.
func (s *session) sweep(ctx context.Context) {
	if s.lists() == "" {
		return
	}
	mark := filepath.Join(s.state, "hook.swept")
	if info, err := os.Stat(mark); err == nil {
		if age := s.now.Sub(info.ModTime()); age >= 0 && age < sweepEvery {
			return
		}
	}
	// Before the work: one that is too much for a hook is tried once a day, too.
	err := os.WriteFile(mark, nil, 0o600)
	if err == nil {
		err = os.Chtimes(mark, s.now, s.now)
	}
	if err == nil {
		_, err = s.todos.Sweep(ctx, settings.Of[time.Duration](s.place.held, "todos.keep"))
	}
	s.try(err)
}
