package hook

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// maxSession is how many bytes of a session's name are kept of the one before: a
// longer one is not spoken of.
const maxSession = 1 << 10

// lastSessions is the folder of the files that name a session.
const lastSessions = "hooks.last"

// here is the file that names the session which had open todos in this project
// last. There is one for each project, so that no session is looked for among all.
func (s *session) here() string {
	h := fnv.New64a()
	h.Write([]byte(s.place.project))
	return filepath.Join(s.state, lastSessions, hex.EncodeToString(h.Sum(nil)))
}

// before is the session that had open todos here last; empty: none is known.
func (s *session) before() (string, error) {
	file, err := os.Open(s.here())
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return "", err
	}
	defer file.Close()
	name, err := io.ReadAll(io.LimitReader(file, maxSession))
	return string(name), err
}

// leaves notes that this session has open todos, for the one after it. Every event but
// the begin of a call does: a session can die in its first turn.
func (s *session) leaves(ctx context.Context) {
	if s.place.project == "" || len(s.key.Session) > maxSession {
		return
	}
	before, err := s.before()
	if err != nil || before == s.key.Session {
		s.try(err)
		return
	}
	list, err := s.todos.Look(ctx, todo.Key{Session: s.key.Session})
	if err == nil && list.Open() > 0 {
		if err = userdir.Make(filepath.Dir(s.here())); err == nil {
			err = os.WriteFile(s.here(), []byte(s.key.Session), 0o600)
		}
	}
	s.try(err)
}

// offer is a line for the person at the first start of a session, about the work that
// the one before it here left open. A conversation that is resumed or forked under a
// new name gets it too, if nothing was inherited. The agent is not told: it may be
// here for something else.
func (s *session) offer(ctx context.Context, e *agent.Event) string {
	if e.Kind != nudge.Start || e.Source == nudge.Clear || e.Source == nudge.Compact || !s.fresh || s.key.Agent != "" {
		return ""
	}
	before, err := s.before()
	if err != nil || before == "" || before == s.key.Session {
		s.try(err)
		return ""
	}
	if own, err := s.todos.Look(ctx, s.key); err != nil || len(own.Items) > 0 {
		s.try(err)
		return ""
	}
	old, err := s.todos.Look(ctx, todo.Key{Session: before})
	if err != nil || old.Open() == 0 || old.Project != s.place.project {
		s.try(err)
		return ""
	}
	how := "pawl todo resume --session " + s.key.Session
	if s.client.Hooks.Off != "" {
		how = "/pawl:resume"
	}
	open := "todos are"
	if old.Open() == 1 {
		open = "todo is"
	}
	return fmt.Sprintf("Pawl: %d %s open from the session before, last changed %s. Go on with them: %s", old.Open(), open, age(s.now.Sub(old.UpdatedAt)), how)
}

// age is how long ago something was, for a sentence.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	unit := day
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		unit = time.Minute
	case d < 2*day:
		unit = time.Hour
	}
	return text.FormatDuration(d.Truncate(unit)) + " ago"
}
