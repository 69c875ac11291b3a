package attribution

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Notes are what hooks and servers leave for one another, in the user's state folder:
//
//	callers/tickets/PROCESS,CALL,ID,TIME.RANDOM   a call that is about to come
//	callers/sessions/PROCESS/SESSION              a session that hooks reported, or that claimed a task
//	callers/servers/PROCESS                       a server that was started, for hooks
//	callers/latest/PROCESS                        the session that a program is in, for hooks
//	callers/proxies/TICKET                        the session that a server was started for, by pawl acp
//
// They are hints that are worth nothing after a crash, so nothing is synced. Any
// number of processes may use one folder.
type Notes struct {
	Dir string           // the user's state folder; empty: there are no notes
	Now func() time.Time // nil: time.Now
}

// maxNote is how large a note is at most: its names are bounded.
const maxNote = 16 << 10

func (n Notes) now() time.Time {
	if n.Now != nil {
		return n.Now()
	}
	return time.Now()
}

func (n Notes) tickets() string { return filepath.Join(n.Dir, "callers", "tickets") }

func (n Notes) processes() string { return filepath.Join(n.Dir, "callers", "sessions") }

func (n Notes) process(id string) string { return filepath.Join(n.processes(), userdir.Escape(id)) }

// put writes a note so that a reader sees all of it or none.
func put(dir, name string, text []byte) error {
	if err := userdir.Make(dir); err != nil {
		return err
	}
	if err := filelock.Write(filepath.Join(dir, name), text); err != nil {
		return unwritable(err)
	}
	return nil
}

func unwritable(err error) error {
	return pawl.Errorf(pawl.Unavailable, "a note for the MCP server cannot be written: %w", err)
}

// get reads a note. One that is too large is none of ours.
func get(path string) ([]byte, bool) { return filelock.Read(path, maxNote) }

func names(dir string) []fs.DirEntry {
	entries, _ := os.ReadDir(dir)
	return entries
}

// abandoned is after what time a half-written note is abandoned.
const abandoned = time.Minute

// tidy removes what a process that was killed left half-written.
func tidy(dir string, entry fs.DirEntry, now time.Time) {
	if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > abandoned {
		os.Remove(filepath.Join(dir, entry.Name()))
	}
}
