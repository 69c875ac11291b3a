package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// shown are the calls that docs/mcp.md shows with their answers, in an order in
// which each has something to say.
var shown = []struct{ tool, args string }{
	{"todo_write", `{"todos": [{"content": "Plan", "status": "completed"}, {"content": "Write tests", "status": "in_progress"}]}`},
	{"todo_read", `{}`},
	{"todo_pause", `{"reason": "the registry wants a password"}`},
	{"task_create", `{"tasks": [{"ref": "setup", "subject": "Set up the project"}, {"subject": "Write the parser", "blockedBy": ["setup"]}]}`},
	{"task_list", `{}`},
	{"task_claim", `{}`},
	{"task_update", `{"taskId": "1", "status": "completed"}`},
	{"task_get", `{"taskId": "2"}`},
}

const docs = "../docs/mcp.md"

// The chapter about the tools is made from the tools.
func TestDocs(t *testing.T) {
	text := must.Get(os.ReadFile(docs))(t)
	chapter := regexp.MustCompile(`(?s)(<!-- made by go test ./mcpserver -update -->\n).*?(<!-- end -->)`)
	if !chapter.Match(text) {
		t.Fatal("the chapter that is made is not there")
	}
	var made string
	synctest.Test(t, func(t *testing.T) { made = toolsMarkdown(t) })
	want := chapter.ReplaceAllStringFunc(string(text), func(string) string {
		return "<!-- made by go test ./mcpserver -update -->\n" + made + "<!-- end -->"
	})
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatal("docs/mcp.md is not what the tools say: go test ./mcpserver -update")
	}
	must.Do(t, os.WriteFile(docs, []byte(want), 0o666))
}

func toolsMarkdown(t *testing.T) string {
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	o := tool.Options{Board: tool.OneBoard(board), Todos: todo.New(todomem.New(), time.Now), Now: time.Now}
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}, Project: "/project"}
	offered := map[string]tool.Tool{}
	for _, one := range tool.New(o) {
		offered[one.Name] = one
	}
	var w strings.Builder
	for _, call := range shown {
		one, ok := offered[call.tool]
		if !ok {
			t.Fatalf("there is no tool %s", call.tool)
		}
		delete(offered, call.tool)
		result := one.Call(t.Context(), by, json.RawMessage(call.args))
		if result.Err != nil {
			t.Errorf("%s: %v", call.tool, result.Err)
		}
		fmt.Fprintf(&w, "\n### %s\n\n%s\n\n%s\n\n", one.Name, one.Description, arguments(t, one.Schema))
		fmt.Fprintf(&w, "```\n%s %s\n```\n\n```\n%s\n```\n", one.Name, call.args, strings.TrimSpace(result.LLMContent))
	}
	for name := range offered {
		t.Errorf("docs/mcp.md would not show %s", name)
	}
	w.WriteString("\n### With `--tools claude`\n\n")
	for _, one := range tool.Claude(o) {
		fmt.Fprintf(&w, "- `%s`: %s\n", one.Name, arguments(t, one.Schema))
	}
	w.WriteString("\n")
	return w.String()
}

// arguments lists those of a schema, the required ones marked.
func arguments(t *testing.T, schema json.RawMessage) string {
	t.Helper()
	var s struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	must.Do(t, json.Unmarshal(schema, &s))
	var names []string
	for name := range s.Properties {
		if slices.Contains(s.Required, name) {
			names = append(names, "**`"+name+"`**")
		} else {
			names = append(names, "`"+name+"`")
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "No arguments."
	}
	return "Arguments: " + strings.Join(names, ", ") + "."
}
