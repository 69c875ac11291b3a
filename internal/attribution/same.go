package attribution

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Acted notes that a session of an agent's process has claimed a task, for
// where no hook reports it. Of whether the session goes on it says nothing.
func (n Notes) Acted(process, session string) error {
	if err := (Report{Process: process, Session: session}).check(); err != nil || n.Dir == "" {
		return err
	}
	if old, ok := n.about(userdir.Escape(process), session); ok && !old.Ended && n.now().Sub(old.At) < ReportLife/2 {
		return nil
	}
	return n.put(process, reported{Session: session, Acted: true})
}

// Knows reports whether anything is noted of a process, which is then an agent's.
func (n Notes) Knows(process string) bool {
	if n.Dir == "" || process == "" {
		return false
	}
	_, err := os.Stat(n.process(process))
	return err == nil
}

// about returns what is noted of a session in a process. It takes the
// name of the folder.
func (n Notes) about(folder, session string) (reported, bool) {
	text, ok := get(filepath.Join(n.processes(), folder, userdir.Escape(session)))
	if !ok {
		return reported{}, false
	}
	r, valid := decodeReport(text)
	return r, valid && r.Session == session && n.now().Sub(r.At) <= ReportLife
}

// Sibling reports whether a session is one of an agent's process, and runs in no
// other one now.
func (n Notes) Sibling(process, session string) bool {
	here, lives, _ := n.trace(process, session)
	return here && !lives
}

// Siblings are the sessions of an agent's process that run in no other one now;
// the process stands for what it did without naming a session.
func (n Notes) Siblings(process string) []string {
	sessions := slices.Sorted(maps.Keys(n.reports(process)))
	return slices.DeleteFunc(append(sessions, process), func(session string) bool { return !n.Sibling(process, session) })
}

// Same reports whether what a session holds may be taken over by another session
// of an agent's process, which may be empty: the session is a sibling, or it has
// ended for certain, having said so or with its process.
func (n Notes) Same(process, session string) bool {
	here, lives, known := n.trace(process, session)
	return !lives && (here || known)
}

// trace looks where a session runs: here, in this process; and whether it lives,
// or may for all that is known, in another one. known: something is noted of it.
func (n Notes) trace(process, session string) (here, lives, known bool) {
	here = process != "" && process == session // what an agent has that names no session
	if n.Dir == "" || !valid(session) {
		return here, false, false
	}
	for _, entry := range names(n.processes()) {
		r, ok := n.about(entry.Name(), session)
		if !ok {
			continue
		}
		known = true
		switch {
		case entry.Name() == userdir.Escape(process):
			here = true
		case !r.Ended && !gone(entry.Name(), r.Space):
			lives = true
		}
	}
	return here, lives, known
}

// gone reports whether a process has ended for certain. One that was noted in
// another container cannot be seen from here.
func gone(process, space string) bool {
	runs, known := caller.Runs(process)
	return known && !runs && space == caller.Space()
}
