package gemini

import (
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/agent"
)

var headless = agent.Headless{
	Program: "gemini",
	Install: "npm install -g @google/gemini-cli",
	Args:    func(t agent.Turn) []string { return append(t.With(bounds(t), "-m", "--resume"), "-p", t.Prompt) },
	ACP:     func(t agent.Turn) []string { return t.With(append(bounds(t), "--acp"), "-m", "") },
	Skip:    skip,
	Tells:   agent.Tells{AllTokens: true},
	Login:   "start gemini and choose how to log in",
	Refused: []string{"set an Auth method", "API key not valid", "GEMINI_API_KEY", "API key is missing", "Authentication required"},
	Named:   func(p agent.Place) []string { return []string{filepath.Join(p.Home, ".gemini", "projects.json")} },
	Traces: func(t agent.Trace) []string {
		name := filepath.Base(t.Dir) // as Gemini CLI calls the project, since it has no other of that name
		return []string{filepath.Join(t.Home, ".gemini", "tmp", name), filepath.Join(t.Home, ".gemini", "history", name)}
	},
	Tokens: 10_000,
}

var skip = []string{"--approval-mode", "yolo"}

// bounds are the arguments that say what the agent may do.
func bounds(t agent.Turn) []string {
	args := []string{"--approval-mode", "auto_edit"}
	if t.Skip {
		args = slices.Clone(skip)
	}
	if t.Trusted || t.Work { // it edits nothing in a folder that it does not trust, and this one is new
		args = append(args, "--skip-trust")
	}
	return args
}
