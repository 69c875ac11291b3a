package setup

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// An Agent is a program that Pawl can be put into.
type Agent struct {
	Name  string // as --agent of the hook has it
	Title string // as people call it
	// variable names its folder for the user, of which people who have several
	// accounts have several; empty: there is none.
	variable string
	// files are what it needs in a scope. Nothing is nothing to do there.
	files func(p place) []File
	// steps are what only a person can do, after a setup.
	steps func(p place) []string
	// home is the folder that shows that the program is used here.
	home func(p place) string
	// packaged is what shows that Pawl is there as a package already, and what takes
	// that out; empty: it is not.
	packaged func(p place) (what, step string)
	// noProject says why it cannot be set up for one project; empty: it can.
	noProject string
}

// Agents are all that are known, the most used first.
var Agents = []*Agent{&claude, &codex, &gemini, &llxprt, &qwen, &copilot, &opencode, &vscode, &cursor, &goose, &crush, &windsurf}

// Find returns the agent with a name.
func Find(name string) (*Agent, error) {
	if name == AgentsMD {
		return &agentsMD, nil
	}
	var names []string
	for _, a := range Agents {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	e := pawl.Errorf(pawl.NotFound, "there is no agent %q that pawl knows how to set up", text.Clip(name, 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "it is one of: " + strings.Join(names, ", ")}
	near := text.Nearest(name, names)
	for _, known := range names {
		if strings.HasPrefix(strings.ToLower(name), known) { // claude-code
			near = known
		}
	}
	if near != "" {
		e.Hint.Text = "pawl setup " + near
	}
	return nil, e
}

// twice says that an agent would have Pawl twice; empty: it would not.
func (a *Agent) twice(p place) (what, step string) {
	if a.packaged == nil {
		return "", ""
	}
	if what, step = a.packaged(p); what != "" {
		what += " brings tools and hooks too, which are there twice then"
	}
	return what, step
}
