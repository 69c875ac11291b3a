// Package integrations holds the packages that agents' programs install to work
// with Pawl: manifests, hooks, chat commands and a skill.
//
//	plugin/      the plugin for Claude Code and Codex
//	extension/   the extension for Gemini CLI, and the Agent Plugin, which is a skill
//	opencode/    the plugin for opencode, one file
//
// The first two are apart because Claude Code and Gemini CLI look for different hooks in
// hooks/hooks.json, and Codex looks at nothing but the skill where there is an Agent
// Plugin. Shared files are copied, and a test compares the copies.
//
// The marketplace that offers plugin/ is .claude-plugin/marketplace.json in the
// root of the repository, where the programs look for it.
//
// The binary embeds the texts that `pawl setup` installs without a package.
package integrations

import (
	"embed"
	"io/fs"
)

//go:embed plugin/skills plugin/commands extension/commands/pawl opencode/pawl.js
var files embed.FS

// Skill is the text of SKILL.md, for a folder called pawl.
func Skill() []byte { return read("plugin/skills/pawl/SKILL.md") }

// ClaudeCommands are the chat commands for Claude Code, todo.md and so on, for
// a folder called pawl in one of commands.
func ClaudeCommands() fs.FS { return sub("plugin/commands") }

// GeminiCommands are the same for Gemini CLI: todo.toml and so on.
func GeminiCommands() fs.FS { return sub("extension/commands/pawl") }

// OpencodePlugin is the text of the plugin. It is installed as .opencode/plugin/pawl.js
// of a project, or of the user's folder of settings.
func OpencodePlugin() string { return string(read("opencode/pawl.js")) }

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
