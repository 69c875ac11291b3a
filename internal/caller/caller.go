// Package caller tells who runs a command: a person or an agent, under which
// name, in which session. It is attribution, not authentication: a program that can
// start the command can claim to be anybody.
package caller

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/checks/run"
)

// Environment variables that say who is calling.
const (
	EnvName    = "PAWL_AGENT"
	EnvSession = "PAWL_SESSION"
	// EnvProxy is set for all that pawl acp starts or has started: see attribution.Notes.Hand.
	EnvProxy = "PAWL_ACP"
)

// A Caller is who runs a command.
type Caller struct {
	pawl.Actor
	Told   bool // the session was named, by an argument or PAWL_SESSION
	Person bool // nothing says that an agent or a check is at work; agents crash, are stopped and forget, people come back
}

// Name returns the caller's name alone, which costs nothing to find: as, when
// it is not empty, PAWL_AGENT, the agent that the environment shows, or else the
// user.
func Name(getenv func(string) string, as string) string {
	found := seen(getenv)
	names := make([]string, len(found))
	for i, a := range found {
		names[i] = a.Name
	}
	if name := cmp.Or(as, getenv(EnvName), strings.Join(names, "+")); name != "" {
		return name
	}
	return user(getenv)
}

// Person reports whether no variable shows an agent at work.
func Person(getenv func(string) string) bool { return getenv(EnvName) == "" && len(seen(getenv)) == 0 }

// Find returns who is calling. Arguments that are not empty come before what
// the environment says. A session that nobody names is that of the terminal; an agent's
// goes through [Agents]. A command that runs inside a check keeps the name, but may do no
// more than an agent: an agent may have begun the check, which gets no variables that would
// show it.
func Find(getenv func(string) string, as, session string) Caller {
	c := Caller{Person: Person(getenv) && !run.Inside(getenv)}
	c.Name, c.Session = Name(getenv, as), cmp.Or(session, getenv(EnvSession))
	if c.Told = c.Session != ""; !c.Told {
		c.Session = sessionOf(getenv, seen(getenv))
	}
	if !c.Person {
		c.Session = Agents(c.Session)
	}
	return c
}

// Agents returns the session of an agent, from the one that was found or named. It is never
// a person's session: the person's claims and changes would be the agent's own.
func Agents(session string) string {
	if pawl.Personal(session) {
		return "agent-" + session
	}
	return session
}

// seen returns the agents that the environment shows. One that was started by another
// shows both, and it cannot be told which one is asking: then the name and the session
// are made of both, so that neither is taken for the one that it started.
func seen(getenv func(string) string) []*agent.Agent {
	var found []*agent.Agent
	for _, a := range known.Agents {
		for _, mark := range a.Marks {
			if getenv(mark) != "" {
				found = append(found, a)
				break
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, mark := range []string{"AI_AGENT", "AGENT"} { // what the others agreed on: claude-code_2-1_cli, goose@1.2
		name, _, _ := strings.Cut(getenv(mark), "_")
		name, _, _ = strings.Cut(name, "@")
		if name != "" && unicode.IsLetter([]rune(name)[0]) && name != "true" {
			return []*agent.Agent{{Name: strings.ToLower(name), Marks: []string{mark}, Session: "AGENT_SESSION_ID"}}
		}
	}
	return nil
}

func user(getenv func(string) string) string {
	if name := cmp.Or(getenv("USER"), getenv("LOGNAME"), getenv("USERNAME")); name != "" {
		return name
	}
	return userID() // cron jobs and containers set none of them
}

// sessionOf joins the sessions of the agents, each with its process where the
// environment does not name the session; without agents it is the terminal's.
func sessionOf(getenv func(string) string, found []*agent.Agent) string {
	var sessions []string
	for _, a := range found {
		id := ""
		if a.Session != "" {
			id = getenv(a.Session)
		}
		if id == "" {
			id = launcher(a.Marks[0])
		}
		if id != "" {
			sessions = append(sessions, id)
		}
	}
	if len(sessions) == 0 {
		return terminal()
	}
	return strings.Join(sessions, "+")
}
