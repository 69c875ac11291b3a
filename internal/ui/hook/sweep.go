package hook

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/project/settings"
)

// sweepEvery is how often old things are looked for.
const sweepEvery = 24 * time.Hour

// sweep removes expired todo lists: users without a server would keep them for
// ever. All lists are read for it, so it is done once a day, and when nobody
// waits, at the end of a session.
func (s *session) sweep(ctx context.Context) {
	if s.lists() == "" {
		return
	}
	due, err := daily(filepath.Join(s.state, "hook.swept"), s.now)
	if due && err == nil {
		_, err = s.todos.Sweep(ctx, settings.Of[time.Duration](s.place.values, "todos.keep"))
		_ = removeOld(filepath.Join(s.state, lastSessions), s.now, "") // of todos that are kept no longer; most have none
	}
	s.try(err)
}

// daily reports whether something is to be done that is done once a day, and
// notes that it is, in a file's time. That is before the work: one that is too
// much for a hook is tried once a day, too.
func daily(mark string, now time.Time) (bool, error) {
	if info, err := os.Stat(mark); err == nil {
		if age := now.Sub(info.ModTime()); age >= 0 && age < sweepEvery {
			return false, nil
		}
	}
	err := os.WriteFile(mark, nil, 0o600)
	if err == nil {
		err = os.Chtimes(mark, now, now)
	}
	return true, err
}
