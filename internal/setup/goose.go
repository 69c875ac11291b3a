package setup

import (
	"path/filepath"
)

var goose = Agent{
	Name: "goose", Title: "Goose",
	noProject: "Goose reads its servers from the user's configuration only",
	home:      func(p place) string { return p.goose() },
	files: func(p place) []File {
		plugin := filepath.Join(p.home, ".agents", "plugins", "pawl")
		return []File{
			{filepath.Join(p.goose(), "config.yaml"), []Piece{{Kind: Entry, For: "server", Path: []string{"extensions", "pawl"}, Text: "pawl:\n" +
				"  name: pawl\n  description: Todo lists and a shared task board\n  type: stdio\n  cmd: " + string(raw(p.Command)) +
				"\n  args: [\"mcp\"]\n  enabled: true\n  timeout: 60\n"}}},
			whole("hooks", filepath.Join(plugin, "plugin.json"),
				"{\n  \"name\": \"pawl\",\n  \"version\": \"1.0.0\",\n  \"description\": \"Todo lists and a shared task board\"\n}\n"),
			{filepath.Join(plugin, "hooks", "hooks.json"), p.nested(seconds, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")},
			skill(p.shared()),
		}
	},
	steps: func(p place) []string {
		return []string{"in GOOSE_MODE auto Goose asks for nothing; in the others choose always allow at the first call"}
	},
}

func (p place) goose() string {
	if data := p.getenv("APPDATA"); p.os == "windows" && data != "" {
		return filepath.Join(data, "Block", "goose", "config")
	}
	return p.config("goose")
}
