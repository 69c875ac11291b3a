package ask

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// An Agent is a name with the tasks that it has. People are agents here, too.
type Agent struct {
	Name     string      `json:"name"`
	Working  []pawl.Task `json:"working,omitempty"`  // in progress, by id
	Assigned []pawl.Task `json:"assigned,omitempty"` // pending: nobody else is given them
}

// loadAgents reads who has which open tasks, by name. The tasks come in brief.
func loadAgents(r pawl.Reader) ([]Agent, error) {
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
