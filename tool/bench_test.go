package tool_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// BenchmarkCall is what a call costs in a process that runs on, on a board of
// 1,000 tasks. "bare" is the same change without a tool: the difference is what
// the tool costs.
func BenchmarkCall(b *testing.B) {
	for _, store := range []struct {
		name string
		open func(b *testing.B) pawl.Store
	}{
		{"memory", func(*testing.B) pawl.Store { return memory.New() }},
		{"file", func(b *testing.B) pawl.Store {
			s, err := file.Open(filepath.Join(b.TempDir(), ".tasks"), file.WithWatcher(notify.Watch))
			if err != nil {
				b.Fatal(err)
			}
			return s
		}},
	} {
		b.Run(store.name, func(b *testing.B) {
			board := pawl.NewBoard(store.open(b))
			b.Cleanup(func() { _ = board.Close() })
			ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
			var plan pawl.Create
			for i := range 500 {
				plan.Tasks = append(plan.Tasks, pawl.NewTask{
					Ref: fmt.Sprint(i), Subject: fmt.Sprint("Task number ", i), Description: "What there is to do, in a line or two.",
				}, pawl.NewTask{Subject: "What follows", BlockedBy: []pawl.Ref{pawl.RefName(fmt.Sprint(i))}})
			}
			for half := range 2 {
				part := pawl.Create{Tasks: plan.Tasks[half*500 : half*500+500]}
				if _, err := board.Do(b.Context(), pawl.Request{By: ada.Actor, Op: part}); err != nil {
					b.Fatal(err)
				}
			}
			tools := map[string]tool.Tool{}
			for _, one := range tool.New(tool.Options{Board: tool.OneBoard(board), Todos: todo.New(todomem.New(), time.Now)}) {
				tools[one.Name] = one
			}
			b.Run("bare", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					subject := fmt.Sprint("Task ", i)
					if _, err := board.Do(b.Context(), pawl.Request{By: ada.Actor, Op: pawl.Update{ID: 1, Subject: &subject}}); err != nil {
						b.Fatal(err)
					}
				}
			})
			for _, call := range []struct{ name, args string }{
				{"task_update", `{"taskId":1,"subject":"Task %d of all"}`},
				{"task_create", `{"subject":"Another one, %d"}`},
				{"task_list", `{"status":"ready"}`},
				{"task_get", `{"taskId":2}`},
				{"todo_write", `{"todos":[{"content":"Step %d","status":"in_progress"},{"content":"The next one","status":"pending"}]}`},
				{"todo_read", `{}`},
			} {
				b.Run(call.name, func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						args := call.args
						if !tools[call.name].ReadOnly {
							args = fmt.Sprintf(args, i)
						}
						if r := tools[call.name].Call(b.Context(), ada, json.RawMessage(args)); r.Err != nil {
							b.Fatal(r.LLMContent)
						}
					}
				})
			}
		})
	}
}
