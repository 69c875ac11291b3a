package claude

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Variable: "CLAUDE_CONFIG_DIR",
	Programs: []string{"claude"},
	Private:  true,
	History:  ".claude.json", // of all projects
	List:     list,
	Home:     func(p agent.Place) string { return p.Own(".claude", ".claude") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Own(".claude", ".claude")
		name := "settings.json"
		if p.Scope == agent.Here {
			name = "settings.local.json"
		}
		settings := agent.File{Path: filepath.Join(dir, name), Pieces: slices.Concat(
			[]agent.Piece{agent.Element("permission", "mcp__pawl__*", "permissions", "allow")},
			// Without PreCompact: Claude Code tells the person and the agent of each hook
			// that ran then, and the start that follows says that there was a compaction.
			p.Nested(agent.Seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "TaskCreated",
				"TaskCompleted", "SubagentStart", "SubagentStop", "Stop", "StopFailure", "SessionEnd"),
		)}
		if p.OwnList {
			settings.Pieces = append(settings.Pieces, agent.Member("its own todo list", "1", "env", ownList))
		}
		server := p.Server(agent.Value{"type", "stdio"}, nil)
		servers := agent.File{Path: filepath.Join(p.Root, ".mcp.json"), Pieces: []agent.Piece{agent.Member("server", server, "mcpServers", "pawl")}}
		if p.Scope != agent.Project {
			servers.Path = filepath.Join(p.Home, ".claude.json")
			if p.Profile != "" {
				servers.Path = filepath.Join(p.Profile, ".claude.json")
			}
			// One of the user's own would no longer be seen below that of a project.
			if own := filepath.Join(userDir(p), "settings.json"); p.Scope == agent.User || p.Disk.JSON(own, "statusLine") == nil {
				settings.Pieces = append(settings.Pieces, agent.Member("status line",
					agent.Value{"type", "command", "command", p.Line(p.Shell(), "statusline"), "padding", 0, "refreshInterval", 5}, "statusLine"))
			}
		}
		if p.Scope == agent.Here { // the scope local of claude mcp add
			servers.Pieces[0] = agent.Member("server", server, "projects", filepath.ToSlash(p.Root), "mcpServers", "pawl")
		}
		return slices.Concat([]agent.File{servers, settings, agent.Skill(filepath.Join(dir, "skills"))}, agent.Commands(filepath.Join(dir, "commands"), agent.Texts(integrations.ClaudeCommands())))
	},
	Packaged: func(p agent.Place) (string, string) {
		var enabled map[string]any
		_ = json.Unmarshal(p.Disk.JSON(filepath.Join(userDir(p), "settings.json"), "enabledPlugins"), &enabled)
		for name, on := range enabled {
			if strings.HasPrefix(name, "pawl@") && on == true {
				return "the plugin " + name, "claude plugin uninstall " + name
			}
		}
		return "", ""
	},
	Steps: func(p agent.Place) []string {
		switch p.Scope {
		case agent.Project:
			return []string{"start it in the project and allow the server of .mcp.json once; for others with these files hooks do nothing without pawl, and the server is shown as failed"}
		case agent.Here:
			return []string{"restart it here; it may ask first whether to trust the hooks of .claude/settings.local.json, with \"No, exit\" selected: choose yes, if they are Pawl's alone; /mcp lists pawl"}
		}
		return []string{"restart it; /mcp lists pawl"}
	},
	Windows: agent.PosixPowershell,
	Brakes: []agent.Brake{
		{Path: "permissions.deny", Value: `"mcp__pawl`, What: "Pawl's tools are denied"},
		{Path: "permissions.ask", Value: `"mcp__pawl`, What: "it asks at each call of Pawl's tools"},
		{Path: "disabledMcpjsonServers", Value: `"pawl"`, What: "the server is switched off"},
	},
}

// ownList is the variable that gives each model Claude Code's own todo list.
const ownList = "CLAUDE_CODE_ENABLE_TODO_TOOLS"

// modelIn is the variable that names the model.
const modelIn = "ANTHROPIC_MODEL"

// list goes by what the settings say of model and list, and the environment; the command
// line of a session may say something else.
func list(p agent.Place) string {
	said := func(key ...string) (value string) {
		for _, file := range []string{filepath.Join(p.Root, ".claude", "settings.local.json"), filepath.Join(p.Root, ".claude", "settings.json"), filepath.Join(userDir(p), "settings.json")} {
			if json.Unmarshal(p.Disk.JSON(file, key...), &value) == nil && value != "" {
				return value
			}
		}
		return p.Getenv(map[bool]string{true: ownList, false: modelIn}[len(key) > 1])
	}
	model := said("model")
	if on, _ := strconv.ParseBool(said("env", ownList)); on || p.OwnList {
		return "Claude Code's own, for each model (" + ownList + "), and Pawl keeps it"
	}
	if listed, _ := agent.Listed(model); listed {
		return "Claude Code's own, which it gives " + model + ", and Pawl keeps it"
	}
	return "Pawl's, as Claude Code gives current models (Opus 4.8, Sonnet 5 and newer) none; its own comes back with pawl setup claude --own-list"
}

// userDir is where Claude Code keeps the user's settings, whatever the scope.
func userDir(p agent.Place) string {
	p.Scope = agent.User
	return p.Own(".claude", ".claude")
}
