package wire

import (
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// AgentJSON is an agent in an envelope.
type AgentJSON struct {
	Name     string        `json:"name"`            // of an agent or a person
	Clone    string        `json:"clone,omitempty"` // the other clone that has its claims, on a shared board; absent: this one
	Sessions []string      `json:"sessions"`        // the sessions that claimed the tasks
	Working  []Holding     `json:"working"`         // tasks in progress
	Assigned []query.Brief `json:"assigned"`        // pending tasks that are assigned to the agent
}

// Holding is a task in progress.
type Holding struct {
	query.Brief
	Since     Moment `json:"since,omitempty"`     // when it was started
	LastSign  Moment `json:"lastSign,omitempty"`  // when the lease was last renewed; absent for a claim without a lease
	LeaseLeft string `json:"leaseLeft,omitempty"` // time until the claim expires if it is not renewed, such as 12m30s
	Claim     *Claim `json:"claim,omitempty"`     // absent if only the task's file says so
}

// NewAgents returns agents as an envelope shows them at now.
func NewAgents(agents []query.Agent, now time.Time) []AgentJSON {
	out := make([]AgentJSON, len(agents))
	for i := range agents {
		a := &agents[i]
		j := AgentJSON{Name: a.Name, Clone: a.Clone, Sessions: list(a.Sessions()), Working: make([]Holding, len(a.Working)), Assigned: make([]query.Brief, len(a.Assigned))}
		for n := range a.Working {
			t := &a.Working[n]
			h := Holding{Brief: query.Brief{ID: t.ID, Subject: t.Subject}, Since: Time(t.StartedAt), LastSign: Time(t.Claim.LastSign()), Claim: NewClaim(t.Claim)}
			if t.Claim.Lease > 0 {
				h.LeaseLeft = text.FormatDuration(t.Claim.Until.Sub(now).Truncate(time.Second))
			}
			j.Working[n] = h
		}
		for n := range a.Assigned {
			j.Assigned[n] = query.Brief{ID: a.Assigned[n].ID, Subject: a.Assigned[n].Subject}
		}
		out[i] = j
	}
	return out
}
