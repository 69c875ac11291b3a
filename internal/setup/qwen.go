package setup

import (
	"path/filepath"
	"slices"
)

var qwen = Agent{
	Name: "qwen", Title: "Qwen Code",
	home: func(p place) string { return p.dir(".qwen", ".qwen") },
	files: func(p place) []File {
		dir := p.dir(".qwen", ".qwen")
		return append([]File{
			{filepath.Join(dir, "settings.json"), slices.Concat(
				[]Piece{member("server, and the permission", p.server(nil, value{"trust", true}), "mcpServers", "pawl")},
				p.nested(millis, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "TodoCreated", "TodoCompleted",
					"SubagentStart", "SubagentStop", "PreCompact", "Stop", "StopFailure", "SessionEnd"),
			)},
			skill(filepath.Join(dir, "skills")),
		}, commands(filepath.Join(dir, "commands"), qwenCommands())...)
	},
	steps: func(p place) []string {
		return []string{"start Qwen Code anew; /mcp shows the server. A project's settings count only in a folder that you trust"}
	},
}
