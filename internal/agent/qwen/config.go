package qwen

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs: []string{"qwen"},
	Home:     func(p agent.Place) string { return p.Dir(".qwen", ".qwen") },
	Files: func(p agent.Place) []agent.File {
		dir := p.Dir(".qwen", ".qwen")
		return append([]agent.File{
			{Path: filepath.Join(dir, "settings.json"), Pieces: slices.Concat(
				[]agent.Piece{agent.Member("server, and the permission", p.Server(nil, agent.Value{"trust", true}), "mcpServers", "pawl")},
				p.Nested(agent.Millis, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "TodoCreated", "TodoCompleted",
					"SubagentStart", "SubagentStop", "PreCompact", "Stop", "StopFailure", "SessionEnd"),
			)},
			agent.Skill(filepath.Join(dir, "skills")),
		}, agent.Commands(filepath.Join(dir, "commands"), commands())...)
	},
	Steps: func(p agent.Place) []string {
		steps := []string{"restart it; /mcp lists pawl"}
		if p.Below() {
			steps = append(steps, "a project's settings count only in a folder that you trust")
		}
		return steps
	},
	Windows: agent.PosixPowershell,
	Brakes: []agent.Brake{
		{Path: "hooksConfig.enabled", Value: "false", What: "hooks are switched off"},
		{Path: "hooksConfig.disabled", Value: `"pawl"`, What: "the hooks are switched off"},
		{Path: "mcp.excluded", Value: `"pawl"`, What: "the server is switched off"},
	},
}

// commands are those for Claude Code. A person's words are named twice,
// because earlier versions of Qwen Code had another placeholder for them.
func commands() map[string]string {
	texts := agent.Texts(integrations.ClaudeCommands())
	for name, text := range texts {
		var b strings.Builder
		for line := range strings.Lines(text) {
			switch command, ok := strings.CutSuffix(line, "$ARGUMENTS\n"); {
			case ok && strings.HasPrefix(line, "/pawl:"):
				b.WriteString(command + "{{args}}\n" + line)
			case !strings.HasPrefix(line, "allowed-tools:"):
				b.WriteString(line)
			}
		}
		texts[name] = b.String()
	}
	return texts
}
