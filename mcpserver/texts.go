package mcpserver

import (
	"embed"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/tool"
)

//go:embed *.md
var files embed.FS

// texts are what models are told beside the tools. They name tools, and what can
// be done with each, so every set of tools has its own.
type texts struct {
	instructions, plan, resume string
	write                      string // the tool that writes todos
}

func textsFor(tools []tool.Tool) texts {
	set, write := ".md", "todo_write"
	if slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == "TodoWrite" || t.Name == "TaskCreate" }) {
		set, write = "_native.md", "TodoWrite"
	}
	read := func(name string) string {
		text, _ := files.ReadFile(name + set) // each set has all
		return strings.TrimSpace(string(text))
	}
	return texts{read("instructions"), read("plan"), read("resume"), write}
}
