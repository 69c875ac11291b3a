package nudge

import "github.com/pawl-dev/pawl/todo"

// items is a list of pending todos.
func items(contents ...string) []todo.Item {
	var out []todo.Item
	for _, content := range contents {
		out = append(out, todo.Item{Content: content, Status: todo.Pending})
	}
	return out
}
