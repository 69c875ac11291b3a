package tui

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// The panel changes to a session that begins. But two active sessions take turns at
// writing last, so the panel stays with the one that it shows for a while
// after its last activity, and only then changes to the other.
const (
	panelStays = 10 * time.Minute // as long as something is left to do in it
	panelRests = time.Minute      // once it is finished
)

// mostSessions bounds the sessions that are named to who asked for one that is
// not there.
const mostSessions = 8

// A target is which list the reader wants to see.
type target struct {
	session string // to stay with; empty: the newest one of the project
	from    string // where that begins; empty: with the newest
	agent   string // empty: the main one
	of      string // the session in which that agent was chosen; empty: it is meant in any
}

// turn is told what the reader wants from now on.
func (f *follower) turn(t target) {
	f.target, f.rounds = t, 0
	f.shown, f.since, f.asked = t.from, f.Now(), t.from != ""
}

// choose finds the list to show: of the session that the reader asked for or
// that is followed, that of the agent who was asked for, else the main one, else
// any.
func (f *follower) choose(now *panelLook) todo.Key {
	session := f.target.session
	if session == "" {
		if !f.stays() {
			f.shown, f.since, f.asked = f.newest(), f.Now(), false
		}
		session = f.shown
	}
	now.sessions, now.others, now.agents = f.atWork(session), nil, nil
	key := todo.Key{Session: session}
	if session == "" {
		return key
	}
	for _, h := range f.heads {
		if h.Session == session {
			now.agents = append(now.agents, h.Agent)
		}
	}
	slices.Sort(now.agents)
	switch {
	case f.target.agent != "" && (f.target.of == "" || f.target.of == session):
		key.Agent = f.target.agent
	case len(now.agents) > 0:
		key.Agent = now.agents[0]
	}
	for _, h := range f.project {
		if len(now.agents) == 0 && len(now.others) < mostSessions && !slices.Contains(now.others, h.Session) {
			now.others = append(now.others, h.Session)
		}
	}
	return key
}

// newest is the session that wrote its list last.
func (f *follower) newest() string {
	if len(f.project) > 0 {
		return f.project[0].Session
	}
	return ""
}

// stays reports whether the session that is followed is not left yet.
func (f *follower) stays() bool {
	if f.shown == "" || len(f.project) == 0 {
		return false
	}
	newest := f.newest()
	if newest == f.shown {
		return true
	}
	var began, last time.Time
	there, open := false, 0
	if f.asked {
		last = f.since
	}
	for _, h := range f.project {
		switch h.Session {
		case f.shown:
			there, open, last = true, open+h.Pending+h.InProgress, later(last, h.UpdatedAt)
		case newest:
			if began.IsZero() || h.StartedAt.Before(began) {
				began = h.StartedAt
			}
		}
	}
	if began.After(f.since) {
		return false
	}
	if f.last != nil && f.last.key.Session == f.shown {
		for i := range f.last.list.Items {
			item := &f.last.list.Items[i]
			last = later(last, lastCall(item.ToolCalls))
			for s := range item.Subtasks {
				last = later(last, lastCall(item.Subtasks[s].ToolCalls))
			}
		}
	}
	patience := panelStays
	if open == 0 {
		patience = panelRests
	}
	return there && f.Now().Sub(last) < patience
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// lastCall is when the last of some calls began or ended.
func lastCall(calls []todo.ToolCall) (last time.Time) {
	for i := range calls {
		last = later(last, later(calls[i].StartedAt, calls[i].EndedAt))
	}
	return last
}

// atWork are the sessions of the project in which something is left to do and
// was done lately, and the one that is shown, in the order in which they began:
// that does not change when one of them writes.
func (f *follower) atWork(shown string) []string {
	began := map[string]time.Time{}
	for _, h := range f.project {
		if h.Session == shown || h.Running(f.Now()) {
			if at, ok := began[h.Session]; !ok || h.StartedAt.Before(at) {
				began[h.Session] = h.StartedAt
			}
		}
	}
	return slices.SortedFunc(maps.Keys(began), func(a, b string) int { return cmp.Or(began[a].Compare(began[b]), cmp.Compare(a, b)) })
}
