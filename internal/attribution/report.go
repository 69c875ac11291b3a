package attribution

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/userdir"
)

const (
	// ReportLife is how long a report counts that was not repeated. No agent runs
	// on for that long.
	ReportLife = 30 * 24 * time.Hour
	// deadFor is how long a process must be gone. One in another container, with
	// which the folder is shared, cannot be seen from here.
	deadFor = 24 * time.Hour
	// MaxSessions are remembered of one agent process, the newest.
	MaxSessions = 64
)

// A Report says that a session runs in an agent's process.
type Report struct {
	Process string // the agent's, as caller.Starter finds it from the hook
	Session string // of the main agent
	Cleared bool   // it took the place of the one before, as after /clear
}

type reported struct {
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Ended   bool      `json:"ended,omitempty"`
	Acted   bool      `json:"acted,omitempty"` // noted by a claim, not by a hook: it may be over
	Space   string    `json:"space,omitempty"` // in which the process has its number
}

// Report notes that a session runs. It writes nothing when that is noted
// already, so every hook may say it.
func (n Notes) Report(r Report) error {
	if err := r.check(); err != nil || n.Dir == "" {
		return err
	}
	all := n.reports(r.Process)
	if old, ok := all[r.Session]; ok && !old.Ended && !old.Acted && n.now().Sub(old.At) < ReportLife/2 {
		return nil
	}
	if len(all) == 0 {
		n.sweep(n.processes())
	}
	if before := running(all, r.Session); r.Cleared && len(before) == 1 {
		// Not every agent says that the one before has ended. With several, it is
		// not known which one it was.
		if err := n.put(r.Process, reported{Session: before[0], Ended: true}); err != nil {
			return err
		}
	}
	return n.put(r.Process, reported{Session: r.Session})
}

// End notes that a session no longer runs in an agent's process.
func (n Notes) End(process, session string) error {
	r := Report{Process: process, Session: session}
	if err := r.check(); err != nil || n.Dir == "" {
		return err
	}
	return n.put(process, reported{Session: session, Ended: true})
}

func (r Report) check() error {
	switch {
	case !valid(r.Session):
		return pawl.Errorf(pawl.Invalid, "session %.200q must be a name of 1 to %d characters", r.Session, pawl.MaxName)
	case r.Process == "":
		return pawl.Errorf(pawl.Invalid, "the agent's process is not known, so its session cannot be reported")
	}
	return nil
}

// put writes a file of its own for each session, so that hooks that run at the
// same time do not undo one another's.
func (n Notes) put(process string, r reported) error {
	r.At, r.Space = n.now().UTC(), caller.Space()
	text, err := json.Marshal(r)
	if err != nil {
		return pawl.Errorf(pawl.Internal, "report: %w", err)
	}
	return put(n.process(process), userdir.Escape(r.Session), text)
}

// reports returns what was reported of a process, by session.
func (n Notes) reports(process string) map[string]reported {
	if n.Dir == "" || process == "" {
		return nil
	}
	all := map[string]reported{}
	for _, entry := range names(n.process(process)) {
		text, ok := get(filepath.Join(n.process(process), entry.Name()))
		r, valid := decodeReport(text)
		if !ok || !valid || userdir.Escape(r.Session) != entry.Name() || n.now().Sub(r.At) > ReportLife {
			tidy(n.process(process), entry, n.now())
			continue
		}
		all[r.Session] = r
	}
	for len(all) > MaxSessions {
		oldest := slices.MinFunc(slices.Collect(maps.Values(all)), func(a, b reported) int {
			return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Session, b.Session))
		})
		os.Remove(filepath.Join(n.process(process), userdir.Escape(oldest.Session)))
		delete(all, oldest.Session)
	}
	return all
}

func decodeReport(text []byte) (reported, bool) {
	var r reported
	return r, json.Unmarshal(text, &r) == nil && valid(r.Session)
}

func running(all map[string]reported, but string) []string {
	var sessions []string
	for session, r := range all {
		if !r.Ended && !r.Acted && session != but {
			sessions = append(sessions, session)
		}
	}
	return sessions
}

// sessions returns the sessions that run in a process, and those that ended.
func (n Notes) sessions(process string) (runs []string, ended map[string]bool) {
	all := n.reports(process)
	ended = map[string]bool{}
	for session, r := range all {
		ended[session] = r.Ended
	}
	return running(all, ""), ended
}

// sweep removes what was noted, under their names, of processes that have ended.
func (n Notes) sweep(dir string) {
	for _, entry := range names(dir) {
		info, err := entry.Info()
		if err != nil {
			continue
		}
		runs, known := caller.Runs(entry.Name())
		age := n.now().Sub(info.ModTime())
		if known && !runs && age > deadFor || age > ReportLife {
			os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
}
