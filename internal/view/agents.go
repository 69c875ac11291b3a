package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// An Agent is a name with the tasks that it has. People are agents here, too.
type Agent struct {
	Name     string
	Working  []pawl.Task // in progress, by id
	Assigned []pawl.Task // pending: nobody else is given them
}

// LoadAgents reads who has which open tasks, by name. The tasks come in brief.
func LoadAgents(r pawl.Reader) ([]Agent, error) {
	byName := map[string]*Agent{}
	for q := (pawl.Query{Owned: true, Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Brief: true}); ; {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tasks {
			a := byName[t.Owner]
			if a == nil {
				a = &Agent{Name: t.Owner}
				byName[t.Owner] = a
			}
			if t.Status == pawl.InProgress {
				a.Working = append(a.Working, t)
			} else {
				a.Assigned = append(a.Assigned, t)
			}
		}
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	agents := make([]Agent, 0, len(byName))
	for _, a := range byName {
		agents = append(agents, *a)
	}
	slices.SortFunc(agents, func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
	return agents, nil
}

// Sessions lists the sessions that claimed the agent's tasks.
func (a *Agent) Sessions() []string {
	var sessions []string
	for i := range a.Working {
		if s := a.Working[i].Claim.Session; s != "" && !slices.Contains(sessions, s) {
			sessions = append(sessions, s)
		}
	}
	return sessions
}

// Heading names the agent, and its session where all that it works on was
// claimed in one.
func (a *Agent) Heading() string {
	name := text.Line(a.Name)
	switch sessions := a.Sessions(); len(sessions) {
	case 0:
	case 1:
		name += " (session " + shortSession(sessions[0]) + ")"
	default:
		name += " (" + text.Count(len(sessions), "session", "sessions") + ")"
	}
	return name
}

// Remark says of a task that the agent has, at now, since when, when there was
// a sign of life, and how long the lease still holds.
func (a *Agent) Remark(t *pawl.Task, now time.Time) string {
	if t.Status != pawl.InProgress {
		if len(t.BlockedBy) > 0 {
			return "assigned, waits for " + fewIDs(t.BlockedBy)
		}
		return "assigned"
	}
	var words []string
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
		words = append(words, "session "+shortSession(t.Claim.Session))
	}
	if len(words) == 0 {
		return "in progress"
	}
	return strings.Join(words, ", ")
}

// seen says when the owner of a claim with a lease last gave a sign of life, and
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

// shortSession is a session's name as far as it tells it from others.
func shortSession(s string) string { return text.Line(text.Clip(s, 24)) }

// AgentJSON is an agent in an envelope.
type AgentJSON struct {
	Name     string    `json:"name"`     // of an agent or a person
	Sessions []string  `json:"sessions"` // in which it claimed what it works on
	Working  []Holding `json:"working"`  // tasks in progress
	Assigned []Brief   `json:"assigned"` // pending tasks that nobody else is given
}

// Holding is a task that somebody works on.
type Holding struct {
	Brief
	Since     Moment `json:"since,omitempty"`     // when it was started
	LastSign  Moment `json:"lastSign,omitempty"`  // when the owner last gave a sign of life; not there for a claim that asks for none
	LeaseLeft string `json:"leaseLeft,omitempty"` // how long the claim still holds without another one, such as 12m30s
	Claim     *Claim `json:"claim,omitempty"`     // not there where a file only says so
}

// NewAgents returns agents as an envelope shows them at now.
func NewAgents(agents []Agent, now time.Time) []AgentJSON {
	out := make([]AgentJSON, len(agents))
	for i := range agents {
		a := &agents[i]
		j := AgentJSON{Name: a.Name, Sessions: list(a.Sessions()), Working: make([]Holding, len(a.Working)), Assigned: make([]Brief, len(a.Assigned))}
		for n := range a.Working {
			t := &a.Working[n]
			h := Holding{Brief: Brief{t.ID, t.Subject}, Since: Time(t.StartedAt), LastSign: Time(t.Claim.LastSign()), Claim: NewClaim(t.Claim)}
			if t.Claim.Lease > 0 {
				h.LeaseLeft = text.FormatDuration(t.Claim.Until.Sub(now).Truncate(time.Second))
			}
			j.Working[n] = h
		}
		for n := range a.Assigned {
			j.Assigned[n] = Brief{a.Assigned[n].ID, a.Assigned[n].Subject}
		}
		out[i] = j
	}
	return out
}

// mostAssigned is how many of an agent's assigned tasks are shown: what it works
// on matters more.
const mostAssigned = 10

// Shown are the tasks of the agent that a face shows.
func (a *Agent) Shown() []*pawl.Task {
	var shown []*pawl.Task
	for i := range a.Working {
		shown = append(shown, &a.Working[i])
	}
	for i := range a.Assigned[:min(len(a.Assigned), mostAssigned)] {
		shown = append(shown, &a.Assigned[i])
	}
	return shown
}

// More says how many tasks Shown leaves out; empty: none.
func (a *Agent) More() string {
	if left := len(a.Assigned) - mostAssigned; left > 0 {
		return fmt.Sprintf("and %d more assigned", left)
	}
	return ""
}

// AgentLines is who has which tasks, at now:
//
//	ada (session 0f0d)
//	  [>] #3 Write parser (for 5 min, seen 2 min ago, 13 min left)
func AgentLines(agents []Agent, now time.Time) []string {
	var lines []string
	for i := range agents {
		a := &agents[i]
		lines = append(lines, a.Heading())
		for _, t := range a.Shown() {
			lines = append(lines, fmt.Sprintf("  %s %s (%s)", Mark(t), Name(t), a.Remark(t, now)))
		}
		if more := a.More(); more != "" {
			lines = append(lines, "  "+more)
		}
	}
	return lines
}
