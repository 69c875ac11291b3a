package setup

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/text"
)

// Agents are all that can be set up, the most used first.
func Agents() (all []*agent.Agent) {
	for _, a := range known.Agents {
		if a.Config != nil {
			all = append(all, a)
		}
	}
	return all
}

// Find returns the agent with a name, or what else is set up like one.
func Find(name string) (*agent.Agent, error) {
	switch name {
	case AgentsMD:
		return &agentsMD, nil
	case Git:
		return &gitItself, nil
	}
	var names []string
	for _, a := range Agents() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	e := pawl.Errorf(pawl.NotFound, "unknown agent %q", text.Clip(name, 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "it is one of: " + strings.Join(names, ", ")}
	near := text.Nearest(name, append(names, Git))
	for _, known := range names {
		if strings.HasPrefix(strings.ToLower(name), known) { // claude-code
			near = known
		}
	}
	if near != "" {
		e.Hint.Text = "pawl setup " + near
	} else {
		e.Message = fmt.Sprintf(`Pawl has no setup for %q; any MCP client works with the entry {"mcpServers": {"pawl": {"command": "pawl", "args": ["mcp"]}}}, and an editor that speaks the Agent Client Protocol starts pawl acp -- AGENT`, text.Clip(name, 40))
	}
	return nil, e
}

// twice says that an agent would have Pawl twice; empty: it would not.
func twice(p agent.Place) (what, step string) {
	if p.Config.Packaged == nil {
		return "", ""
	}
	if what, step = p.Config.Packaged(p); what != "" {
		what += " brings tools and hooks too, which are there twice then"
	}
	return what, step
}
