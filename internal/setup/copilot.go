package setup

import (
	"path/filepath"
)

var copilot = Agent{
	Name: "copilot", Title: "Copilot CLI",
	variable: "COPILOT_HOME",
	home:     func(p place) string { return p.own(".copilot", ".github") },
	files: func(p place) []File {
		dir := p.own(".copilot", ".github")
		servers := File{filepath.Join(dir, "mcp-config.json"), nil}
		if p.Scope == Project {
			servers.Path = filepath.Join(p.Root, ".github", "mcp.json")
		}
		servers.Pieces = []Piece{member("server", p.server(value{"type", "local"}, value{"tools", []string{"*"}}), "mcpServers", "pawl")}
		hooks := File{filepath.Join(dir, "hooks", "pawl.json"), []Piece{version()}}
		for _, event := range []string{"sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop",
			"preCompact", "agentStop", "errorOccurred", "sessionEnd"} {
			args := p.hookArgs(event)
			hooks.Pieces = append(hooks.Pieces, element("hooks", value{"type", "command", "bash", p.line(posix, args), "powershell", p.line(powershell, args),
				"timeoutSec", seconds}, "hooks", event))
		}
		return []File{servers, hooks, skill(p.shared())}
	},
	steps: func(p place) []string {
		steps := []string{"Copilot CLI keeps no permission in a file: start it with --allow-tool pawl, or say yes for the session when it asks"}
		if p.Scope == Project {
			steps = append(steps, "trust the folder when Copilot CLI asks: until then it skips the project's hooks")
		}
		return steps
	},
}

// version is the format that a file of hooks says it has.
func version() Piece {
	p := member("hooks", 1, "version")
	p.Frame = true
	return p
}

var vscode = Agent{
	Name: "vscode", Title: "VS Code",
	home: func(p place) string { return p.code() },
	files: func(p place) []File {
		servers := filepath.Join(p.code(), "mcp.json")
		hooks := File{filepath.Join(p.dir(".copilot/hooks", ".github/hooks"), "pawl-vscode.json"), nil}
		if p.Scope == Project {
			servers = filepath.Join(p.Root, ".vscode", "mcp.json")
		}
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact", "Stop"} {
			handler := value{"type", "command", "command", p.hook(""), "timeout", seconds}
			if p.Scope == Project {
				args := p.hookArgs("")
				handler = value{"type", "command", "command", p.line(posix, args), "windows", p.line(cmdPowershell, args), "timeout", seconds}
			}
			hooks.Pieces = append(hooks.Pieces, element("hooks", handler, "hooks", event))
		}
		return []File{
			{servers, []Piece{member("server", p.server(value{"type", "stdio"}, nil), "servers", "pawl")}},
			hooks, skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		steps := []string{
			"VS Code asks before it starts the server, and at the first call: choose to allow Pawl's tools always",
			"hooks are a preview in VS Code, which your organization may have switched off",
		}
		return append(steps, p.elsewhere()...)
	},
}

// code is where VS Code keeps the user's settings.
func (p place) code() string {
	switch p.os {
	case "darwin":
		return filepath.Join(p.home, "Library", "Application Support", "Code", "User")
	case "windows":
		if data := p.getenv("APPDATA"); data != "" {
			return filepath.Join(data, "Code", "User")
		}
	}
	return filepath.Join(p.config("Code"), "User")
}
