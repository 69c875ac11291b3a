package todo_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// Lines of a transcript, as Claude Code writes them.
func use(id, tool, input string) string {
	return fmt.Sprintf(`{"parentUuid":"u0","isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"the \"todos\" are next"},{"type":"tool_use","id":%q,"name":%q,"input":%s}]},"uuid":"u1","timestamp":"2026-11-21T10:00:00.000Z"}`, id, tool, input)
}

func result(id string, failed bool) string {
	return fmt.Sprintf(`{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":"Todos have been modified","is_error":%t}]}}`, id, failed)
}

func TestFromTranscript(t *testing.T) {
	const plan = `{"todos":[{"content":"Plan","status":"completed","activeForm":"Planning"},{"content":"Write","status":"in_progress","activeForm":"Writing"}]}`
	const other = `{"todos":[{"content":"Other","status":"pending","activeForm":"Doing other things"}]}`
	const line = `{"type":"system","subtype":"todos","data":[{"id":"a","content":"Kept","status":"pending","priority":"high","activeForm":"Keeping","subtasks":[{"id":"a.1","content":"part","status":"completed"}]}]}`
	for _, c := range []struct {
		name  string
		lines []string
		want  string // id status content, with commas
	}{
		{"a call", []string{use("t1", "TodoWrite", plan), result("t1", false)}, "1 completed Plan,2 in_progress Write"},
		{"of a server", []string{use("t1", "mcp__pawl__todo_write", plan)}, "1 completed Plan,2 in_progress Write"},
		{"of another name for it", []string{use("t1", "todo_write", plan)}, "1 completed Plan,2 in_progress Write"},
		{"the last of two", []string{use("t1", "TodoWrite", plan), use("t2", "TodoWrite", other)}, "1 pending Other"},
		{"a line", []string{line}, "a pending Kept"},
		{"a line behind a call", []string{use("t1", "TodoWrite", plan), line}, "a pending Kept"},
		{"a call behind a line", []string{line, use("t1", "TodoWrite", other)}, "1 pending Other"},
		{"a call that failed", []string{use("t1", "TodoWrite", plan), result("t1", false), use("t2", "TodoWrite", other), result("t2", true)}, "1 completed Plan,2 in_progress Write"},
		{"a failure of something else", []string{use("t1", "TodoWrite", plan), result("t9", true)}, "1 completed Plan,2 in_progress Write"},
		{"a call that was refused", []string{use("t1", "TodoWrite", plan), use("t2", "TodoWrite", `{"todos":[{"content":"","status":"pending"}]}`)}, "1 completed Plan,2 in_progress Write"},
		{"a call that changes by id", []string{
			use("t1", "mcp__pawl__todo_write", `{"todos":[{"id":"p","content":"Plan","status":"in_progress"},{"id":"w","content":"Write","status":"pending"}]}`),
			use("t2", "mcp__pawl__todo_write", `{"merge":true,"todos":[{"id":"w","status":"in_progress"}]}`),
		}, "p pending Plan,w in_progress Write"},
		{"a subagent's", []string{use("t1", "TodoWrite", plan), strings.Replace(use("t2", "TodoWrite", other), `"isSidechain":false`, `"isSidechain":true`, 1)}, "1 completed Plan,2 in_progress Write"},
		{"another tool's", []string{use("t1", "TodoWrite", plan), use("t2", "write_todos_to_file", other), use("t3", "evil__todo_write", other)}, "1 completed Plan,2 in_progress Write"},
		{"what a user says", []string{use("t1", "TodoWrite", plan), strings.Replace(use("t2", "TodoWrite", other), `"type":"assistant"`, `"type":"user"`, 1)}, "1 completed Plan,2 in_progress Write"},
		{"a line that was torn", []string{use("t1", "TodoWrite", plan), use("t2", "TodoWrite", other)[:200]}, "1 completed Plan,2 in_progress Write"},
		{"a line that is too long", []string{use("t1", "TodoWrite", plan), strings.Replace(use("t2", "TodoWrite", other), `"u0"`, `"`+strings.Repeat("x", todo.MaxLine)+`"`, 1)}, "1 completed Plan,2 in_progress Write"},
		{"a long line before", []string{`{"type":"user","message":{"content":"` + strings.Repeat("y", 3<<20) + `"}}`, use("t1", "TodoWrite", other)}, "1 pending Other"},
		{"what is no JSON", []string{"", "hello", `"todos"`, `["todos"]`, `{"todos":`, use("t1", "TodoWrite", other), "null"}, "1 pending Other"},
		{"Windows", []string{use("t1", "TodoWrite", other) + "\r"}, "1 pending Other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			items, err := todo.FromTranscript(iotest.HalfReader(strings.NewReader(strings.Join(c.lines, "\n"))))
			must.Do(t, err)
			var got []string
			for _, item := range items {
				got = append(got, fmt.Sprintf("%s %s %s", item.ID, item.Status, item.Content))
			}
			if strings.Join(got, ",") != c.want {
				t.Errorf("it is %q, want %q", got, c.want)
			}
		})
	}
}

func TestFromTranscriptWithoutList(t *testing.T) {
	done := use("t1", "TodoWrite", `{"todos":[{"content":"Plan","status":"completed","activeForm":"Planning"}]}`)
	for text, says := range map[string]string{
		"":                         "the transcript has no todo list: neither a line of todos nor a call of a todo tool",
		"a text about \"todos\"\n": "the transcript has no todo list: neither a line of todos nor a call of a todo tool",
		done:                       "the list that the transcript ends with has nothing left to do",
		"{\"type\":\"system\",\"subtype\":\"todos\",\"data\":[]}\n": "the list that the transcript ends with has nothing left to do",
	} {
		if _, err := todo.FromTranscript(strings.NewReader(text)); !errors.Is(err, pawl.NotFound) || err.Error() != says {
			t.Errorf("%.60q: %v, want %s", text, err, says)
		}
	}
	broken := io.MultiReader(strings.NewReader(done+"\n"), iotest.ErrReader(errors.New("the disk is gone")))
	if _, err := todo.FromTranscript(broken); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// What is written into a transcript comes back out of it, but for what only Pawl
// knows of a list: times, tool calls and tasks.
func TestTranscript(t *testing.T) {
	items := []todo.Item{
		{ID: "1", Content: "Plan <b>&\u2028 it", Status: todo.Completed, Priority: todo.Medium, ActiveForm: "Planning", CompletedAt: time.Unix(1, 0)},
		{
			ID: "user-1", Content: "Write", Status: todo.InProgress, Priority: todo.High, ActiveForm: "Write", Task: 12,
			Subtasks:  []todo.Subtask{{ID: "user-1.1", Content: "part", Status: todo.Completed}},
			ToolCalls: []todo.ToolCall{{ID: "c", Name: "bash", Outcome: todo.Running}},
		},
		{ID: "3", Content: "Wait", Status: todo.Pending, Priority: todo.Low, ActiveForm: "Wait", Blocked: true},
	}
	line, err := todo.Transcript(items)
	if err != nil || !bytes.HasPrefix(line, []byte(`{"type":"system","subtype":"todos","data":[{"id":"1",`)) || bytes.ContainsRune(line, '\n') {
		t.Fatalf("%v: %s", err, line)
	}
	got, err := todo.FromTranscript(bytes.NewReader(line))
	must.Do(t, err)
	items[0].CompletedAt = time.Time{}
	items[1].Task, items[1].ToolCalls = 0, nil
	if diff := cmp.Diff(items, got); diff != "" {
		t.Errorf("it comes back otherwise (-want +got):\n%s", diff)
	}
	if line, err := todo.Transcript(nil); err != nil || string(line) != `{"type":"system","subtype":"todos","data":[]}` {
		t.Errorf("an empty list is %s, %v", line, err)
	}
}

func FuzzTranscript(f *testing.F) {
	f.Add([]byte(use("t1", "TodoWrite", `{"todos":[{"content":"Plan","status":"pending"}]}`) + "\n" + result("t1", true)))
	f.Add([]byte(`{"type":"system","subtype":"todos","data":["- [ ] x"]}`))
	f.Add([]byte(use("t1", "mcp__x__todo_write", `{"merge":true,"todos":"- [ ] x\n  - [x] y"}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		items, err := todo.FromTranscript(bytes.NewReader(text))
		if err != nil {
			return
		}
		line, err := todo.Transcript(items)
		must.Do(t, err)
		again, err := todo.FromTranscript(bytes.NewReader(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(items, again); diff != "" {
			t.Errorf("it comes back otherwise (-want +got):\n%s", diff)
		}
	})
}
