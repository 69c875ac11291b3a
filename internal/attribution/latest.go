package attribution

import (
	"encoding/json"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
)

func (n Notes) latest() string { return filepath.Join(n.Dir, "callers", "latest") }

// Latest is the session that an agent's process is in, as far as it was noted.
func (n Notes) Latest(process string) string {
	if n.Dir == "" || process == "" {
		return ""
	}
	text, _ := get(filepath.Join(n.latest(), userdir.Escape(process)))
	r, _ := decodeReport(text)
	return r.Session
}

// Enter notes that an agent's process is in a session now, and returns the one
// that it was in before; empty: none is known. It may be the same.
func (n Notes) Enter(r Report) (before string, err error) {
	if err := r.check(); err != nil || n.Dir == "" {
		return "", err
	}
	name := userdir.Escape(r.Process)
	text, ok := get(filepath.Join(n.latest(), name))
	if !ok {
		n.sweep(n.latest())
	}
	if was, valid := decodeReport(text); valid {
		before = was.Session
	}
	if before == r.Session {
		return before, nil
	}
	if text, err = json.Marshal(reported{Session: r.Session, At: n.now().UTC()}); err != nil {
		return before, pawl.Errorf(pawl.Internal, "report: %w", err)
	}
	return before, put(n.latest(), name, text)
}
