package todofile

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// working is a list as a session has it: some todos, the tool calls of each,
// and what went before.
func working(key todo.Key) todo.List {
	l := todo.List{Key: key, Project: "/home/ann/shop", StartedAt: time.Unix(1767261600, 0), UpdatedAt: time.Unix(1767265200, 0)}
	for n := range 8 {
		item := todo.Item{
			ID: fmt.Sprint(n), Content: strings.Repeat("some words ", 5), Status: todo.Pending, Priority: todo.Medium,
			ActiveForm: strings.Repeat("some words ", 5), CreatedAt: time.Unix(1767261600, 0),
		}
		for c := range 5 {
			item.ToolCalls = append(item.ToolCalls, todo.ToolCall{
				ID: fmt.Sprint(n, c), Name: "Edit", Parameters: []byte(`{"file_path":"/home/ann/shop/cart.go"}`), StartedAt: time.Unix(1767261600, 0), Outcome: todo.Succeeded,
			})
		}
		l.Items = append(l.Items, item)
	}
	return l
}

func fill(b *testing.B, s *Store, lists int) {
	for n := range lists {
		key := todo.Key{Session: fmt.Sprint("session-", n)}
		text, err := (&document{}).encode(new(toDisk(new(working(key)))))
		must(b, err)
		write(b, filepath.Join(s.dir, fileName(key)), string(text))
	}
}
