package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// A Seen is a session of this machine that works on a board at an address. Only the
// lists of such sessions are sent there.
type Seen struct {
	todo.Key
	Program string // of the agent, as it calls itself
	Folder  string // the name of the project's folder
	Ended   bool

	at   time.Time
	path string
}

// seenDir is where the marks of sessions are, below the folder of an address. A mark's
// time is when its session last did anything.
const seenDir = "seen"

// The limits of marks. A session that nobody came back to for so long is not looked at.
const (
	forgotten = 7 * 24 * time.Hour
	maxSeen   = 4 << 10
)

// Dir is the folder of an address in the user's state folder.
func Dir(state string, at address.Address) string {
	return filepath.Join(state, "addresses", userdir.Escape(at.String()), "lists")
}

type seenJSON struct {
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	Program string `json:"program,omitempty"`
	Folder  string `json:"folder,omitempty"`
	Ended   bool   `json:"ended,omitempty"`
}

func markOf(dir string, key todo.Key) string {
	sum := sha256.Sum256([]byte(key.Session + "\x00" + key.Agent))
	return filepath.Join(dir, seenDir, hex.EncodeToString(sum[:16]))
}

// Mark notes in the folder of an address that a session does something now. It takes
// a hook less than a tenth of a millisecond.
func Mark(dir string, s Seen) error {
	s.Key = s.Key.Normal()
	path := markOf(dir, s.Key)
	want, err := json.Marshal(seenJSON{s.Session, s.Agent, s.Program, s.Folder, s.Ended})
	if err != nil || len(want) > maxSeen {
		return err
	}
	if text, err := os.ReadFile(path); err == nil {
		var is seenJSON
		if json.Unmarshal(text, &is) == nil && s.Program == "" && !s.Ended { // such as pawl todo
			s.Program = is.Program
			want, _ = json.Marshal(seenJSON{s.Session, s.Agent, s.Program, s.Folder, s.Ended})
		}
		if string(text) == string(want) {
			now := time.Now()
			return os.Chtimes(path, now, now)
		}
	}
	if err := userdir.Make(filepath.Dir(path)); err != nil {
		return err
	}
	return filelock.Write(path, want)
}

// Note is Mark for a change that the session itself may not have made: a session that
// has a mark already is not said to have done something.
func Note(dir string, s Seen) error {
	if _, err := os.Lstat(markOf(dir, s.Key.Normal())); err == nil {
		return nil
	}
	return Mark(dir, s)
}

// Again is Mark for something that a session does often. It reports whether that is
// worth a word to the server.
func Again(dir string, s Seen) (due bool, err error) {
	s.Key = s.Key.Normal()
	info, err := os.Lstat(markOf(dir, s.Key))
	switch {
	case err == nil && time.Since(info.ModTime()) < again:
		return false, nil
	case err == nil && s.Folder == "": // what is known of it stays
		now := time.Now()
		return true, os.Chtimes(markOf(dir, s.Key), now, now)
	}
	return true, Mark(dir, s)
}

// End notes that a session is over, for all of its agents. It reports whether the
// folder has a mark of it.
func End(dir, session string) (marked bool, err error) {
	marks, err := Marked(dir)
	for i := range marks {
		if m := marks[i]; err == nil && m.Session == session {
			m.Ended, marked = true, true
			err = Mark(dir, m)
		}
	}
	return marked, err
}

// Marked returns the sessions that a folder has marks of.
func Marked(dir string) ([]Seen, error) {
	entries, err := os.ReadDir(filepath.Join(dir, seenDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Seen
	for _, e := range entries {
		path := filepath.Join(dir, seenDir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxSeen {
			continue
		}
		if strings.HasPrefix(e.Name(), ".") {
			if time.Since(info.ModTime()) > time.Hour { // a crash left it
				os.Remove(path)
			}
			continue
		}
		text, err := os.ReadFile(path)
		var is seenJSON
		if err != nil || json.Unmarshal(text, &is) != nil {
			continue
		}
		all = append(all, Seen{todo.Key{Session: is.Session, Agent: is.Agent}.Normal(), is.Program, is.Folder, is.Ended, info.ModTime(), path})
	}
	return all, err
}
