package mcpserver

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// TestTextsNameWhatIsOffered: texts once told models with Claude Code's tools to
// read their todos with TodoWrite, which empties the list.
func TestTextsNameWhatIsOffered(t *testing.T) {
	o := tool.Options{Board: tool.OneBoard(pawl.NewBoard(memory.New())), Todos: todo.New(todomem.New(), time.Now)}
	names := regexp.MustCompile(`\b(?:(?:todo|task)_[a-z]+|(?:Todo|Task)[A-Z][a-z]+)\b`)
	for set, tools := range map[string][]tool.Tool{"pawl": tool.New(o), "claude": tool.Claude(o)} {
		told := textsFor(tools)
		if n := len(strings.Fields(told.instructions)); n >= 150 {
			t.Errorf("%s: the instructions have %d words", set, n)
		}
		first, _, _ := strings.Cut(told.instructions, ".")
		for _, word := range []string{"todo list", "plan", "task board"} { // newest models of Codex see only this sentence, and find tools by it
			if !strings.Contains(first, word) {
				t.Errorf("%s: the first sentence has no %q: %s", set, word, first)
			}
		}
		all := []string{told.instructions, told.plan, told.resume, told.write}
		for _, text := range all {
			found := names.FindAllString(text, -1)
			if len(found) == 0 {
				t.Errorf("%s: no tool is named in %q", set, text)
			}
			for _, name := range found {
				if !slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name }) {
					t.Errorf("%s: %s is named, and not offered", set, name)
				}
			}
		}
	}
}
