package mcpserver

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/tool"
)

//go:embed instructions.md
var instructions string

//go:embed plan.md
var plan string

//go:embed resume.md
var resume string

//go:embed instructions_claude.md
var instructionsClaude string

//go:embed plan_claude.md
var planClaude string

//go:embed resume_claude.md
var resumeClaude string

// texts are what models are told beside the tools. They name tools, and what can
// be done with each, so every set of tools has its own.
type texts struct {
	instructions, plan, resume string
	write                      string // the tool that writes todos
}

func textsFor(tools []tool.Tool) texts {
	t := texts{instructions, plan, resume, "todo_write"}
	if slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == "TodoWrite" || t.Name == "TaskCreate" }) {
		t = texts{instructionsClaude, planClaude, resumeClaude, "TodoWrite"}
	}
	for _, text := range []*string{&t.instructions, &t.plan, &t.resume} {
		*text = strings.TrimSpace(*text)
	}
	return t
}
