package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

// A project without a board gets one by the first task that can be made, and by
// nothing else.
func TestBoardIsMadeByTheFirstTask(t *testing.T) {
	empty := pawl.NewBoard(memory.New())
	var made *pawl.Board
	tools := map[string]tool.Tool{}
	for _, one := range tool.New(tool.Options{Board: func(_ context.Context, _ tool.Caller, create bool) (query.Board, string, error) {
		switch {
		case made != nil:
			return query.Local(made), "", nil
		case create:
			made = pawl.NewBoard(memory.New())
			return query.Local(made), "made a board in /src/app", nil
		}
		return query.Local(empty), "", nil
	}}) {
		tools[one.Name] = one
	}
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	call := func(name, args string) tool.Result {
		return tools[name].Call(t.Context(), ada, json.RawMessage(args))
	}
	for _, one := range [][2]string{
		{"task_list", `{}`}, {"task_get", `{"taskId":1}`}, {"task_claim", `{}`}, {"task_claim", `{"taskId":1}`},
		{"task_update", `{"taskId":1,"status":"completed"}`}, {"task_create", `{}`}, {"task_create", `{"subject":"a","parent":7}`},
		{"task_create", `{"tasks":[{"ref":"a","subject":"a","blockedBy":["b"]},{"ref":"b","subject":"b","blockedBy":["a"]}]}`},
	} {
		if r := call(one[0], one[1]); made != nil {
			t.Fatalf("%s %s made a board:\n%s", one[0], one[1], r.LLMContent)
		}
	}
	r := call("task_create", `{"subject":"Setup project"}`)
	if r.Err != nil || made == nil || !strings.HasSuffix(r.LLMContent, "\n\nmade a board in /src/app") {
		t.Errorf("the first task makes %v:\n%s", made, r.LLMContent)
	}
	if r = call("task_create", `{"subject":"Write code"}`); strings.Contains(r.LLMContent, "made") {
		t.Errorf("the second task makes one, too:\n%s", r.LLMContent)
	}
	if r = call("task_list", `{}`); !strings.Contains(r.LLMContent, "#2 Write code") {
		t.Errorf("the board has\n%s", r.LLMContent)
	}
}

// A board that cannot be reached is an answer, too.
func TestNoBoard(t *testing.T) {
	away := pawl.Errorf(pawl.Unavailable, "the board's folder is locked by another program")
	away.Hint = pawl.Hint{Step: pawl.HintRetry}
	args := map[string]string{
		"task_create": `{"subject":"x"}`, "task_update": `{"taskId":1,"note":"x"}`, "task_list": `{}`, "task_get": `{"taskId":1}`, "task_claim": `{}`,
	}
	for _, one := range tool.New(tool.Options{Board: func(context.Context, tool.Caller, bool) (query.Board, string, error) { return nil, "", away }}) {
		r := one.Call(t.Context(), tool.Caller{}, json.RawMessage(args[one.Name]))
		if pawl.KindOf(r.Err) != pawl.Unavailable || r.LLMContent != "the board's folder is locked by another program\nNext: the same call again" {
			t.Errorf("%s: %v\n%s", one.Name, r.Err, r.LLMContent)
		}
	}
}

// A damaged task is counted as what it is. It was counted as held or assigned,
// and an agent looked for somebody who had it.
func TestDamagedIsCounted(t *testing.T) {
	dir := t.TempDir()
	kept, err := file.Open(dir)
	must.Do(t, err)
	s := newStory(t)
	s.Board = pawl.NewBoard(kept)
	t.Cleanup(func() { s.Board.Close() })
	s.Tools = tool.New(tool.Options{Board: tool.OneBoard(s.Board), Now: s.Clock})
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(ada, "task_create", `{"tasks":[{"subject":"a"},{"subject":"b"},{"subject":"c","owner":"bob"}]}`)
	must.Do(t, os.WriteFile(filepath.Join(dir, "task_2.json"), []byte("{"), 0o644))
	text := s.ask(ada, "task_list", `{}`).LLMContent
	if first, _, _ := strings.Cut(text, "\n"); first != "3 tasks: 1 ready, 1 on hold or assigned, 1 damaged" {
		t.Errorf("the list begins with %q", first)
	}
}
