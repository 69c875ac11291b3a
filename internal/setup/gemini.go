package setup

import (
	"path/filepath"
	"slices"
)

// geminiFiles are those of Gemini CLI and of what descends from it.
func geminiFiles(p place, dir string, more ...Piece) []File {
	var hooks []Piece
	for _, event := range []string{"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"} {
		handler := value{"type", "command", "command", p.hook(""), "name", "pawl", "timeout", millis}
		hooks = append(hooks, element("hooks", value{"hooks", []value{handler}}, "hooks", event))
	}
	server := member("server, and the permission", p.server(nil, value{"trust", true}), "mcpServers", "pawl")
	return []File{{filepath.Join(dir, "settings.json"), slices.Concat([]Piece{server}, hooks, more)}}
}

var gemini = Agent{
	Name: "gemini", Title: "Gemini CLI",
	home: func(p place) string { return p.dir(".gemini", ".gemini") },
	files: func(p place) []File {
		dir := p.dir(".gemini", ".gemini")
		return slices.Concat(geminiFiles(p, dir), []File{skill(p.shared())}, commands(filepath.Join(dir, "commands"), geminiCommands()))
	},
	packaged: func(p place) (string, string) {
		if there(filepath.Join(p.home, ".gemini", "extensions", "pawl")) {
			return "the extension pawl", "gemini extensions uninstall pawl"
		}
		return "", ""
	},
	steps: func(p place) []string {
		return []string{"Gemini CLI runs a project's hooks, and calls servers unasked, only in a folder that you trust: /permissions"}
	},
}

// Without chat commands: its hooks cannot keep a prompt from the model.
var llxprt = Agent{
	Name: "llxprt", Title: "LLxprt Code",
	home: func(p place) string { return p.dir(".llxprt", ".llxprt") },
	files: func(p place) []File {
		dir := p.dir(".llxprt", ".llxprt")
		enabled := member("hooks switched on", true, "hooksConfig", "enabled")
		enabled.Common = true
		return append(geminiFiles(p, dir, enabled), skill(filepath.Join(dir, "skills")))
	},
	steps: func(p place) []string {
		return []string{"LLxprt runs hooks only while hooksConfig.enabled is true, and in a folder that you trust"}
	},
}
