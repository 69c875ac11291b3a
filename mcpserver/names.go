package mcpserver

import (
	"strings"

	"github.com/pawl-dev/pawl/tool"
)

// names are what the tools are called, by what our texts call them: {task_create}
// is TaskCreate where Claude Code's names are offered.
type names struct{ replacer *strings.Replacer }

// alike lists the tools that our texts name, and what else does that work where
// a tool is not offered.
var alike = [][]string{
	{"todo_write"}, {"todo_read", "todo_write"}, {"todo_pause", "todo_write"},
	{"task_create"}, {"task_update"}, {"task_list"}, {"task_get"}, {"task_claim", "task_update"},
}

func newNames(tools []tool.Tool) names {
	offered := map[string]string{}
	for _, t := range tools {
		offered[plain(t.Name)] = t.Name
	}
	var pairs []string
	for _, words := range alike {
		name := words[0]
		for _, word := range words {
			if found, ok := offered[plain(word)]; ok {
				name = found
				break
			}
		}
		pairs = append(pairs, "{"+words[0]+"}", name)
	}
	return names{strings.NewReplacer(pairs...)}
}

// in writes the names into a text.
func (n names) in(text string) string { return strings.TrimSpace(n.replacer.Replace(text)) }

// plain is a tool's name without what differs between the two ways to spell it.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
