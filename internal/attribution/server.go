package attribution

import (
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/userdir"
)

func (n Notes) servers() string { return filepath.Join(n.Dir, "callers", "servers") }

func (n Notes) server(process string) string {
	return filepath.Join(n.servers(), userdir.Escape(process))
}

// Serve notes that a server runs for an agent's process, so that hooks know that
// its agent has the tools. The note stays: an agent starts its servers again.
func (n Notes) Serve(process string) error {
	if n.Dir == "" || process == "" || n.Served(process) {
		return nil
	}
	n.sweep(n.servers())
	if err := userdir.Make(n.servers()); err != nil {
		return err
	}
	file, err := os.OpenFile(n.server(process), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return unwritable(err)
	}
	if err := file.Close(); err != nil {
		return pawl.Errorf(pawl.Unavailable, "a note for hooks cannot be written: %w", err)
	}
	return os.Chtimes(n.server(process), time.Time{}, n.now())
}

// Served reports whether a server was started for an agent's process.
func (n Notes) Served(process string) bool {
	if n.Dir == "" || process == "" {
		return false
	}
	_, err := os.Stat(n.server(process))
	return err == nil
}
