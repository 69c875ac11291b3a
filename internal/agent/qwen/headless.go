package qwen

import (
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
)

var headless = agent.Headless{
	Program: "qwen",
	Install: "npm install -g @qwen-code/qwen-code",
	Args: func(t agent.Turn) []string {
		args := append(bounds(t), "-o", "stream-json")
		if t.Trusted { // a server of a project waits for approval, one that is named here does not
			args = append(args, "--mcp-config", filepath.Join(t.Dir, ".qwen", "settings.json"))
		}
		return append(t.With(args, "-m", "--resume"), "-p", t.Prompt)
	},
	// It does not tell whose tool it asks for.
	ACP: func(t agent.Turn) []string {
		return t.With(append(bounds(t), "--acp", "--allowed-tools", "mcp__pawl"), "-m", "")
	},
	// Without Compact: /compress refuses a conversation as short as these.
	Skip:    skip,
	Said:    claude.Prints, // its lines are those of Claude Code
	Tells:   agent.Tells{Tokens: true, AllTokens: true},
	Login:   "start qwen and type /auth",
	Refused: []string{"No auth type", "Missing API key", "Invalid API key", "Authentication required"},
	Traces: func(t agent.Trace) (all []string) {
		dir := filepath.Join(t.Home, ".qwen")
		for _, s := range t.Sessions {
			all = append(all, filepath.Join(dir, "todos", s+"*"), filepath.Join(dir, "debug", s+"*"))
		}
		return append(all, filepath.Join(dir, "projects", claude.Folder(t.Dir)))
	},
	Tokens: 17_000,
}

var skip = []string{"--approval-mode", "yolo"}

// bounds are the arguments that say what the agent may do.
func bounds(t agent.Turn) []string {
	if t.Skip {
		return slices.Clone(skip)
	}
	return []string{"--approval-mode", "auto-edit"}
}
