package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// An Agent is a name with the tasks that it has in one clone of the board. People
// are agents here, too.
type Agent struct {
	Name     string      `json:"name"`
	Clone    string      `json:"clone,omitempty"`    // the other clone that has its claims, on a shared board; empty: this one
	Working  []pawl.Task `json:"working,omitempty"`  // in progress, by id
	Assigned []pawl.Task `json:"assigned,omitempty"` // pending: nobody else is given them
}

// loadAgents reads who has which open tasks: those of this clone first, then those of
// each other one, by name. The tasks come in brief.
func loadAgents(r pawl.Reader) ([]Agent, error) {
	tasks, err := pages(r, pawl.Query{Owned: true, Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Brief: true})
	if err != nil {
		return nil, err
	}
	type place struct{ clone, name string }
	at := map[place]*Agent{}
	clones := map[string][]string{} // where a name works
	agent := func(clone, name string) *Agent {
		p := place{clone, name}
		if at[p] == nil {
			at[p] = &Agent{Name: name, Clone: clone}
			clones[name] = append(clones[name], clone)
		}
		return at[p]
	}
	for _, t := range tasks {
		if t.Status == pawl.InProgress {
			a := agent(t.Claim.Clone, t.Owner)
			a.Working = append(a.Working, t)
		}
	}
	for _, t := range tasks {
		if t.Status == pawl.InProgress {
			continue
		}
		clone := "" // an assignment has no place: it is said where the name works, if that is one
		if only := clones[t.Owner]; len(only) == 1 {
			clone = only[0]
		}
		a := agent(clone, t.Owner)
		a.Assigned = append(a.Assigned, t)
	}
	agents := make([]Agent, 0, len(at))
	for _, a := range at {
		agents = append(agents, *a)
	}
	slices.SortFunc(agents, func(a, b Agent) int {
		return cmp.Or(strings.Compare(a.Clone, b.Clone), strings.Compare(a.Name, b.Name))
	})
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
