package copilot

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"copilot"},
	Asks:     true,
	Variable: "COPILOT_HOME",
	Home:     func(p agent.Place) string { return p.Own(".copilot", ".github") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Own(".copilot", ".github")
		servers := agent.File{Path: filepath.Join(dir, "mcp-config.json")}
		if p.Below() {
			servers.Path = filepath.Join(p.Root, ".github", "mcp.json")
		}
		servers.Pieces = []agent.Piece{agent.Member("server", p.Server(agent.Value{"type", "local"}, agent.Value{"tools", []string{"*"}}), "mcpServers", "pawl")}
		hooks := agent.File{Path: filepath.Join(dir, "hooks", "pawl.json"), Pieces: []agent.Piece{agent.FormatVersion()}}
		for _, event := range []string{"sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop",
			"preCompact", "agentStop", "errorOccurred", "sessionEnd"} {
			args := p.HookArgs(event)
			hooks.Pieces = append(hooks.Pieces, agent.Element("hooks", agent.Value{"type", "command", "bash", p.Line(agent.Posix, args), "powershell", p.Line(agent.Powershell, args),
				"timeoutSec", agent.Seconds}, "hooks", event))
		}
		return []agent.File{servers, hooks, agent.Skill(p.Shared())}
	},
	Steps: func(p agent.Place) []string {
		steps := []string{"restart it, best with --allow-tool pawl: it keeps no permission in a file, and asks in each session"}
		if p.Below() {
			steps = append(steps, "trust the folder when it asks: until then it skips the project's hooks")
		}
		return steps
	},
}
