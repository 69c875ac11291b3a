package show

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// AgentHeading names the agent, on a shared board also its clone, and the session of
// its claims, or how many these have. s is how the board is shared, or nil.
func AgentHeading(a *query.Agent, s *share.Status) string {
	name := on(text.Line(a.Name), a.Clone, s)
	switch sessions := a.Sessions(); len(sessions) {
	case 0:
	case 1:
		name += " (session " + ShortSession(sessions[0]) + ")"
	default:
		name += " (" + text.Count(len(sessions), "session", "sessions") + ")"
	}
	return name
}

// AgentRemark says of a task that the agent has, at now, since when, when there was
// a renewal, and the time left on the lease.
func AgentRemark(a *query.Agent, t *pawl.Task, now time.Time, s *share.Status) string {
	if t.Status != pawl.InProgress {
		if len(t.BlockedBy) > 0 {
			return "assigned, waits for " + FewIDs(t.BlockedBy)
		}
		return "assigned"
	}
	var words []string
	if isHereOnly(t.ID, s) {
		words = append(words, hereOnly)
	}
	if age := text.Age(now.Sub(t.StartedAt)); age == "now" {
		words = append(words, "just started")
	} else if !t.StartedAt.IsZero() {
		words = append(words, "for "+age)
	}
	if !t.Claim.LastSign().IsZero() {
		words = append(words, seen(t.Claim, now)...)
	}
	if t.Claim.Agent != "" {
		words = append(words, "agent "+text.Line(t.Claim.Agent))
	}
	if len(a.Sessions()) > 1 && t.Claim.Session != "" {
		words = append(words, "session "+ShortSession(t.Claim.Session))
	}
	return cmp.Or(strings.Join(words, ", "), "in progress")
}

// seen says when the lease of a claim was last renewed, and
// how long it holds without another one.
func seen(c pawl.Claim, now time.Time) []string {
	ago := "seen " + text.Age(now.Sub(c.LastSign()))
	if ago != "seen now" {
		ago += " ago"
	}
	return []string{ago, leaseLeft(c.Until.Sub(now))}
}

func leaseLeft(d time.Duration) string {
	if d < time.Minute {
		return "less than 1 min left"
	}
	return text.Age(d) + " left"
}

// ShortSession is a session's name as far as it tells it from others.
func ShortSession(s string) string { return text.Line(text.Clip(s, 24)) }

// mostAssigned is how many of an agent's assigned tasks are shown: its tasks in
// progress matter more.
const mostAssigned = 10

// AgentShown are the tasks of the agent that an interface shows.
func AgentShown(a *query.Agent) []*pawl.Task {
	var shown []*pawl.Task
	for i := range a.Working {
		shown = append(shown, &a.Working[i])
	}
	for i := range a.Assigned[:min(len(a.Assigned), mostAssigned)] {
		shown = append(shown, &a.Assigned[i])
	}
	return shown
}

// AgentMore says how many tasks Shown leaves out; empty: none.
func AgentMore(a *query.Agent) string {
	if left := len(a.Assigned) - mostAssigned; left > 0 {
		return fmt.Sprintf("and %d more assigned", left)
	}
	return ""
}

// AgentLines is who has which tasks, at now. s is how the board is shared, or nil.
//
//	ada (session 0f0d)
//	  [>] #3 Write parser (for 5 min, seen 2 min ago, 13 min left)
//	As of the last sync, 2 min ago
//	bob on mac-mini
//	  [>] #12 Cart (for 12 min)
func AgentLines(agents []query.Agent, now time.Time, s *share.Status) []string {
	var lines []string
	elsewhere := Elsewhere(agents)
	for i := range agents {
		a := &agents[i]
		if i == elsewhere {
			lines = append(lines, text.Sentence(AsOf(s, now)))
		}
		lines = append(lines, AgentHeading(a, s))
		for _, t := range AgentShown(a) {
			lines = append(lines, fmt.Sprintf("  %s %s (%s)", Mark(t), Name(t), AgentRemark(a, t, now, s)))
		}
		if more := AgentMore(a); more != "" {
			lines = append(lines, "  "+more)
		}
	}
	return lines
}
