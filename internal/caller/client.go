package caller

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// clients are what agents call themselves to the servers that they start, from
// the first letter on: Qwen Code appends the server's name.
var clients = []struct{ prefix, agent string }{
	{"claude-code", "claude"},
	{"codex", "codex"},
	{"gemini-cli", "gemini"},
	{"qwen-cli", "qwen"},
	{"copilot", "copilot"},
	{"github-copilot", "copilot"},
	{"visual studio code", "vscode"},
	{"opencode", "opencode"},
	{"cursor", "cursor"},
	{"goose", "goose"},
	{"amp-", "amp"},
}

// Client returns the name of an agent that calls itself so to a server: a short
// one where Pawl knows the agent, as on the command line.
//
//	codex-mcp-client   codex
//	My Agent           my-agent
func Client(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, c := range clients {
		if strings.HasPrefix(name, c.prefix) {
			return c.agent
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
// agent that put it there. Only the agent that started the server counts: what
// that one inherited from another agent, which it was started by, would be the
// other one's session. The agent is known by its name, if there is one, else by
// what its own environment lacks.
func (p Process) Started(getenv func(string) string, client string) (name, session string) {
	var own []agent
	for _, a := range seen(getenv) {
		if a.name == client {
			own = []agent{a}
			break
		}
		if !known(client) && !slices.ContainsFunc(a.marks, p.inherited) {
			own = append(own, a)
		}
	}
	if len(own) != 1 {
		return "", ""
	}
	if own[0].session != "" {
		session = getenv(own[0].session)
	}
	return own[0].name, session
}

// known reports whether an agent of this name would be seen by its environment.
func known(name string) bool {
	for _, c := range clients {
		if c.agent == name {
			return true
		}
	}
	return false
}
