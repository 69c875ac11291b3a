package goose

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/agent"
)

var config = agent.Config{
	Programs:  []string{"goose"},
	Asks:      true,
	NoProject: "Goose reads its servers from the user's configuration only",
	Home:      func(p agent.Place) string { return folder(p) },
	Files: func(p agent.Place) []agent.File {
		plugin := filepath.Join(p.Home, ".agents", "plugins", "pawl")
		return []agent.File{
			{Path: filepath.Join(folder(p), "config.yaml"), Pieces: []agent.Piece{{Kind: agent.KindEntry, For: "server", Path: []string{"extensions", "pawl"}, Text: "pawl:\n" +
				"  name: pawl\n  description: Todo lists and a shared task board\n  type: stdio\n  cmd: " + string(agent.Raw(p.Command)) +
				"\n  args: [\"mcp\"]\n  enabled: true\n  timeout: 60\n"}}},
			agent.WholeFile("hooks", filepath.Join(plugin, "plugin.json"),
				"{\n  \"name\": \"pawl\",\n  \"version\": \"1.0.0\",\n  \"description\": \"Todo lists and a shared task board\"\n}\n"),
			{Path: filepath.Join(plugin, "hooks", "hooks.json"), Pieces: p.Nested(agent.Seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")},
			agent.Skill(p.Shared()),
		}
	},
	Steps: func(p agent.Place) []string {
		return []string{"in GOOSE_MODE auto Goose asks for nothing; in the others choose always allow at the first call"}
	},
}

// folder is where Goose keeps the user's settings.
func folder(p agent.Place) string {
	if data := p.Getenv("APPDATA"); p.OS == "windows" && data != "" {
		return filepath.Join(data, "Block", "goose", "config")
	}
	return p.UserConfig("goose")
}
