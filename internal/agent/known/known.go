// Package known is the table of the agents that Pawl knows, for packages that
// ask about all of them or find one by its name.
package known

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/amp"
	"github.com/pawl-dev/pawl/internal/agent/claude"
	"github.com/pawl-dev/pawl/internal/agent/codex"
	"github.com/pawl-dev/pawl/internal/agent/copilot"
	"github.com/pawl-dev/pawl/internal/agent/crush"
	"github.com/pawl-dev/pawl/internal/agent/cursor"
	"github.com/pawl-dev/pawl/internal/agent/gemini"
	"github.com/pawl-dev/pawl/internal/agent/goose"
	"github.com/pawl-dev/pawl/internal/agent/jetbrains"
	"github.com/pawl-dev/pawl/internal/agent/llxprt"
	"github.com/pawl-dev/pawl/internal/agent/opencode"
	"github.com/pawl-dev/pawl/internal/agent/qwen"
	"github.com/pawl-dev/pawl/internal/agent/vscode"
	"github.com/pawl-dev/pawl/internal/agent/windsurf"
	"github.com/pawl-dev/pawl/internal/agent/zed"
)

// Agents are all that are known, the most used first.
var Agents = [...]*agent.Agent{
	&claude.Agent, &codex.Agent, &gemini.Agent, &llxprt.Agent, &qwen.Agent, &copilot.Agent, &opencode.Agent, &vscode.Agent, &cursor.Agent, &goose.Agent, &crush.Agent, &windsurf.Agent, &amp.Agent, &zed.Agent, &jetbrains.Agent,
}

// Find returns the agent with a name, or nil.
func Find(name string) *agent.Agent {
	for _, a := range Agents {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// ListTool returns the tool of an agent's own list that has a name, or nil. A tool
// that another program has, too, counts as that one's.
func ListTool(of *agent.Agent, name string) *agent.ListTool {
	if tool := listTool(of, name, true); tool != nil || name == "" {
		return tool
	}
	for _, a := range Agents {
		if tool := listTool(a, name, false); tool != nil {
			return tool
		}
	}
	return nil
}

func listTool(a *agent.Agent, name string, own bool) *agent.ListTool {
	for i := range a.Lists {
		if tool := &a.Lists[i]; (own || !tool.Alone) && agent.Match(tool.Name, name) {
			return tool
		}
	}
	return nil
}

// Resources reports whether a server's resources are worth it for a client that calls
// itself so, started in an environment.
func Resources(client string, getenv func(string) string) bool {
	for _, a := range Agents {
		if a.Resources != nil && slices.ContainsFunc(a.Clients, func(c string) bool { return strings.HasPrefix(strings.ToLower(client), c) }) {
			return a.Resources(getenv)
		}
	}
	return true
}
