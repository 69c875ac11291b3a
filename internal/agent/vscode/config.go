package vscode

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"code"},
	Asks:     true,
	Home:     func(p agent.Place) string { return code(p) },
	Files: func(p agent.Place) []agent.File {
		servers := filepath.Join(code(p), "mcp.json")
		hooks := agent.File{Path: filepath.Join(p.Dir(".copilot/hooks", ".github/hooks"), "pawl-vscode.json")}
		if p.Below() {
			servers = filepath.Join(p.Root, ".vscode", "mcp.json")
		}
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact", "Stop"} {
			handler := agent.Value{"type", "command", "command", p.Hook(""), "timeout", agent.Seconds}
			if p.Scope == agent.Project {
				args := p.HookArgs("")
				handler = agent.Value{"type", "command", "command", p.Line(agent.Posix, args), "windows", p.Line(agent.CmdPowershell, args), "timeout", agent.Seconds}
			}
			hooks.Pieces = append(hooks.Pieces, agent.Element("hooks", handler, "hooks", event))
		}
		return []agent.File{
			{Path: servers, Pieces: []agent.Piece{agent.Member("server", p.Server(agent.Value{"type", "stdio"}, nil), "servers", "pawl")}},
			hooks, agent.Skill(p.Shared()),
		}
	},
	Steps: func(p agent.Place) []string {
		steps := []string{
			"VS Code asks before it starts the server, and at the first call: choose to allow Pawl's tools always",
			"hooks are a preview in VS Code, which your organization may have switched off",
		}
		return append(steps, p.Elsewhere()...)
	},
	Workspace: "${workspaceFolder}",
}

// code is where VS Code keeps the user's settings.
func code(p agent.Place) string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support", "Code", "User")
	case "windows":
		if data := p.Getenv("APPDATA"); data != "" {
			return filepath.Join(data, "Code", "User")
		}
	}
	return filepath.Join(p.UserConfig("Code"), "User")
}
