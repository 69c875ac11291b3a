package attribution

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Forget removes what was noted of a session, and returns how many notes that
// were.
func (n Notes) Forget(session string) (int, error) {
	removed := 0
	var failed error
	remove := func(path string) {
		switch err := os.Remove(path); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			failed = pawl.Errorf(pawl.Unavailable, "a note of the session cannot be removed: %w", err)
		}
	}
	for _, process := range names(n.processes()) {
		remove(filepath.Join(n.processes(), process.Name(), userdir.Escape(session)))
	}
	for _, dir := range []string{n.latest(), n.tickets()} {
		for _, entry := range names(dir) {
			path := filepath.Join(dir, entry.Name())
			var of note // both shapes have the session's name
			if text, ok := get(path); ok && json.Unmarshal(text, &of) == nil && of.Session == session {
				remove(path)
			}
		}
	}
	return removed, failed
}
