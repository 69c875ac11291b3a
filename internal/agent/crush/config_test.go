package crush

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/tool"
)

// Crush allows each of the tools that there are.
func TestToolNames(t *testing.T) {
	var names []string
	for _, tl := range tool.New(tool.Options{Board: tool.OneBoard(nil), Todos: nil}) {
		names = append(names, tl.Name)
	}
	for _, name := range names {
		if !slices.Contains(tools, name) {
			t.Errorf("%s is not among the tools that are allowed", name)
		}
	}
	if len(names) == 0 || len(tools) != 8 {
		t.Errorf("%d tools, %d are allowed", len(names), len(tools))
	}
}
