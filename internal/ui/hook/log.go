package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
)

const (
	// maxLog bounds the log. The one before is kept as hook.log.1.
	maxLog = 256 << 10
	// maxLogLine bounds a line, which may quote what an agent wrote.
	maxLogLine = 8 << 10
)

// LogFile is where hooks say what went wrong: nobody reads their stderr.
func LogFile(getenv func(string) string) (string, error) {
	state, err := userdir.State(getenv)
	return filepath.Join(state, "hook.log"), err
}

// A failureLog is the file in which failures of hooks are found.
type failureLog struct {
	path string
	now  func() time.Time
}

func logOf(getenv func(string) string, now func() time.Time) failureLog {
	path, err := LogFile(getenv)
	if err != nil {
		path = "" // nowhere
	}
	return failureLog{path, now}
}

// Logger adds to the log of hooks, for what works on for them in the background.
func Logger(getenv func(string) string, now func() time.Time) func(error) {
	return logOf(getenv, now).add
}

// add appends a line. That it cannot is nothing that anybody could be told.
func (l failureLog) add(err error) {
	if l.path == "" || userdir.Make(filepath.Dir(l.path)) != nil {
		return
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		os.Rename(l.path, l.path+".1")
	}
	file, openErr := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if openErr != nil {
		return
	}
	defer file.Close()
	s := strings.TrimSpace(err.Error())
	if len(s) > maxLogLine {
		s = s[:maxLogLine] + "…"
	}
	s = strings.ReplaceAll(s, "\n", " ⏎ ")
	fmt.Fprintf(file, "%s %s\n", l.now().UTC().Format(time.RFC3339), text.Line(s))
}

// within is add for who cannot wait for a disk.
func (l failureLog) within(limit time.Duration, err error) {
	added := make(chan struct{})
	go func() {
		defer close(added)
		l.add(err)
	}()
	select {
	case <-added:
	case <-time.After(limit):
	}
}
