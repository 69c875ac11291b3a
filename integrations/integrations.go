// Package integrations is what agents' programs install to work with Pawl:
// manifests, hooks, chat commands and a skill.
//
//	plugin/      the plugin for Claude Code and Codex
//	extension/   the extension for Gemini CLI, and the Agent Plugin, which is a skill
//	opencode/    the plugin for opencode, in a package of its own
//
// The first two are apart because Claude Code and Gemini CLI look for different hooks in
// hooks/hooks.json, and Codex looks at nothing but the skill where there is an
// Agent Plugin. What they share is copied, and a test compares it.
//
// The marketplace that offers plugin/ stands where the programs look for it, in
// the root of the repository: .claude-plugin/marketplace.json.
//
// The command has the texts in it that `pawl setup` installs without a package.
package integrations

import (
	"embed"
	"io/fs"
)

//go:embed plugin/skills plugin/commands extension/commands/pawl
var files embed.FS

// Skill is the text of SKILL.md, for a folder called pawl.
func Skill() []byte { return read("plugin/skills/pawl/SKILL.md") }

// ClaudeCommands are the chat commands for Claude Code, todo.md and so on, for
// a folder called pawl in one of commands.
func ClaudeCommands() fs.FS { return sub("plugin/commands") }

// GeminiCommands are the same for Gemini CLI: todo.toml and so on.
func GeminiCommands() fs.FS { return sub("extension/commands/pawl") }

func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is in the program
	}
	return text
}

func sub(dir string) fs.FS {
	found, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the names are constants
	}
	return found
}
