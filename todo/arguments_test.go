package todo_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// Arguments may hold anything, so none are kept that nobody sees: a todo shows its
// five latest calls, one made several times in a row as one.
func TestArgumentsOfLatestCalls(t *testing.T) {
	s := newSession(t)
	s.write(`[{"content":"A","status":"in_progress"}]`)
	n := 0
	call := func(args string) {
		t.Helper()
		n++
		c := todo.Call{ToolCall: todo.ToolCall{ID: fmt.Sprint("c", n), Name: "Bash", Parameters: json.RawMessage(args), Outcome: todo.Succeeded}, Arguments: true}
		must.Do(t, s.CallStarted(t.Context(), key, c))
	}
	kept := func(items []todo.Item) (with string) {
		for _, c := range items[0].ToolCalls {
			if c.Parameters != nil {
				with += c.ID + " "
			}
		}
		return with
	}
	for i := range 8 {
		call(fmt.Sprintf(`{"path":"step %d"}`, i))
	}
	s.expect("the latest", "c4 c5 c6 c7 c8", kept(s.list().Items))
	shown := func(list todo.List) (all string) {
		for _, row := range todo.Outline(&list)[1:] {
			all += row.Text + "; "
		}
		return all
	}
	s.expect("shown", "...3 more tool calls...; Bash(path: 'step 3'); Bash(path: 'step 4'); Bash(path: 'step 5'); Bash(path: 'step 6'); Bash(path: 'step 7'); ", shown(s.list()))
	for range 3 {
		call(`{"path":"step 7"}`)
	}
	s.expect("the same again", "c4 c5 c6 c7 c8 c9 c10 c11", kept(s.list().Items))
	call(`{"path":"other"}`)
	s.expect("another one", "c5 c6 c7 c8 c9 c10 c11 c12", kept(s.list().Items))
	if got := len(s.list().Items[0].ToolCalls); got != 12 {
		t.Errorf("%d calls are kept, want all 12", got)
	}

	s.change(func(l *todo.List) { // as an older Pawl left it
		for i := range l.Items[0].ToolCalls {
			l.Items[0].ToolCalls[i].Parameters = json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
		}
	})
	s.write(`[{"content":"A","status":"completed"},{"content":"B","status":"in_progress"}]`)
	call(`{"path":"b"}`)
	s.expect("of what is kept from before", "c8 c9 c10 c11 c12", kept(s.list().Items))
}
