package amp

import (
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/claude"
)

var headless = agent.Headless{
	Untried: true,
	Program: "amp",
	Install: "npm install -g @ampcode/cli",
	Args: func(t agent.Turn) []string {
		args := []string{"--execute", "--stream-json"}
		if t.Skip {
			args = append(args, skip...)
		}
		if t.Session != "" {
			args = append([]string{"threads", "continue", t.Session}, args...)
		}
		return args // without a model: the program has modes instead
	},
	Free:    true,
	Skip:    skip,
	Stdin:   true,
	Said:    claude.Prints, // its lines are those of Claude Code
	Tells:   agent.Tells{Tokens: true},
	Login:   "amp login",
	Refused: []string{"amp login", "AMP_API_KEY", "Not logged in"},
	Tokens:  12_000,
}

var skip = []string{"--dangerously-allow-all"}
