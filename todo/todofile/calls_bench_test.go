package todofile

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// busy is a folder with the list of a session at work: twenty todos, some with
// tool calls, one in progress.
func busy(b *testing.B) *todo.Service {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	if _, err := s.Update(b.Context(), aKey, func(l *todo.List) error {
		*l = working(aKey)
		for n := range 12 {
			item := l.Items[0]
			item.ID, item.ToolCalls = fmt.Sprint("more", n), nil
			l.Items = append(l.Items, item)
		}
		l.Items[7].Status = todo.InProgress
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return todo.New(s, time.Now)
}

// BenchmarkRead is what a hook pays that looks at the list.
func BenchmarkRead(b *testing.B) {
	lists := busy(b)
	b.ReportAllocs()
	for b.Loop() {
		if list, err := lists.Read(b.Context(), aKey); err != nil || len(list.Items) != 20 {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is the start and the end of a tool call, as two hooks tell them.
func BenchmarkCall(b *testing.B) {
	lists := busy(b)
	call := todo.Call{ToolCall: todo.ToolCall{Name: "Bash", Parameters: []byte(`{"command":"go test ./...","timeout":60000}`)}, Arguments: true}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		call.ID = fmt.Sprint("toolu_", n)
		if err := lists.CallStarted(b.Context(), aKey, call); err != nil {
			b.Fatal(err)
		}
		if err := lists.CallEnded(b.Context(), aKey, call.ID, todo.Succeeded); err != nil {
			b.Fatal(err)
		}
	}
}
