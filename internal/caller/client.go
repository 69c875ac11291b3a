package caller

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
)

// Client returns the name of an agent that calls itself so to a server: a short
// one where Pawl knows the agent, as on the command line.
//
//	codex-mcp-client   codex
//	My Agent           my-agent
func Client(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, a := range known.Agents {
		for _, begin := range a.Clients {
			if strings.HasPrefix(name, begin) {
				return a.Name
			}
		}
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	if utf8.RuneCountInString(name) > pawl.MaxName {
		return ""
	}
	return name
}

// Started returns the session that the environment of a server shows, and the
// agent that put it there. Only the agent that started the server counts:
// variables that it inherited from another agent name that one's session. The
// agent is known by its name, if there is one, else by what its own environment
// lacks.
func (p Process) Started(getenv func(string) string, client string) (name, session string) {
	var own []*agent.Agent
	for _, a := range seen(getenv) {
		if a.Name == client {
			own = []*agent.Agent{a}
			break
		}
		if !seeable(client) && !slices.ContainsFunc(a.Marks, p.inherited) {
			own = append(own, a)
		}
	}
	if len(own) != 1 {
		return "", ""
	}
	if own[0].Session != "" {
		session = getenv(own[0].Session)
	}
	return own[0].Name, session
}

// seeable reports whether an agent of this name would be seen by its environment.
func seeable(name string) bool {
	a := known.Find(name)
	return a != nil && len(a.Clients) > 0
}
