package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Forget removes what hooks remember of a session and of its subagents in a state
// folder: their notebooks, its settings, and what is noted of its process. It
// returns how many files that were.
func Forget(state, session string) (int, error) {
	removed := 0
	var failed []error
	remove := func(path string) {
		switch err := os.Remove(path); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			failed = append(failed, err)
		}
	}
	own := userdir.Escape(session)
	for _, name := range files(memories(state)) {
		if name == own+".jsonl" || strings.HasPrefix(name, own+helperMark) {
			remove(filepath.Join(memories(state), name))
		}
	}
	last := filepath.Join(state, lastSessions)
	for _, name := range files(last) {
		if text, err := os.ReadFile(filepath.Join(last, name)); err == nil && string(text) == session {
			remove(filepath.Join(last, name))
		}
	}
	of := filepath.Join(state, "sessions", own)
	for _, name := range files(of) {
		remove(filepath.Join(of, name))
	}
	os.Remove(of)
	notes, err := attribution.Notes{Dir: state}.Forget(session)
	distant, missed := courier.Forget(state, session)
	return removed + notes + distant, errors.Join(append(failed, err, missed)...)
}

// files are the names in a folder; none without a folder.
func files(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
