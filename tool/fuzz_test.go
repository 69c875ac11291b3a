package tool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// FuzzCall lets each tool read arbitrary arguments: it answers, in text that can
// act on no terminal, and says why where it failed.
func FuzzCall(f *testing.F) {
	seeds := []string{
		`{}`, `null`, `[]`, `"x"`, `{"taskId":1}`, `{"taskId":"#1","status":"completed"}`, `{"task_id":[1,"2"],"addBlockedBy":"3, 4"}`,
		`{"tasks":[{"ref":"a","subject":"x"},{"subject":"y","blockedBy":["a"]}]}`, `{"tasks":"[\"a\"]"}`, `{"subject":"a\u001b[31m\u202e"}`,
		`{"todos":[{"content":"a","status":"done"}],"merge":"true"}`, `{"todos":"- [x] a"}`, `{"reason":"why"}`,
		`{"status":"ready","limit":2.0,"cursor":"1.0.0.1"}`, `{"\u001b]0;x\u0007":1}`, `{"taskId":1e400}`, `{"taskId":-1}`, `{"taskId":{"id":1}}`,
		`{"taskId":1,"metadata":{"a":null},"labels":[1,true],"parent":"none","owner":"","hold":"","renew":1,"release":"no"}`,
		`{"taskId":1,"metadata":"{\"a\":1}","token":9007199254740993}`, "{\"taskId\":\"\xff\"}", `{"offset":99999999999,"taskId":1}`,
	}
	for which := range 13 {
		for _, seed := range seeds {
			f.Add(uint8(which), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		s := newStory(t)
		by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
		s.must(by.Actor, pawl.Create{Tasks: []pawl.NewTask{
			{Ref: "a", Subject: "one"}, {Ref: "b", Subject: "two", BlockedBy: []pawl.Ref{pawl.RefName("a")}}, {Subject: "three", Parent: pawl.RefName("b")},
		}})
		tools := append(s.Tools, s.claude()...)
		one := tools[int(which)%len(tools)]
		r := one.Call(t.Context(), by, json.RawMessage(args))
		if strings.TrimSpace(r.LLMContent) == "" {
			t.Fatalf("%s %q is not answered", one.Name, args)
		}
		for _, c := range r.LLMContent {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == 0x202e {
				t.Fatalf("%s %q answers with %U:\n%q", one.Name, args, c, r.LLMContent)
			}
		}
		if !utf8.ValidString(r.LLMContent) {
			t.Fatalf("%s %q answers with broken text: %q", one.Name, args, r.LLMContent)
		}
		if _, err := json.Marshal(r.Data); err != nil {
			t.Fatalf("%s %q: %v", one.Name, args, err)
		}
		if r.Err == nil {
			return
		}
		_, known := errors.AsType[*pawl.Error](r.Err)
		_, storage := errors.AsType[*todo.StorageError](r.Err)
		if !known && !storage || errors.Is(r.Err, pawl.Internal) {
			t.Fatalf("%s %q fails with %v", one.Name, args, r.Err)
		}
	})
}

// A call that failed changed nothing, whatever it was.
func TestFailuresChangeNothing(t *testing.T) {
	s := newStory(t)
	ada := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.must(ada.Actor, pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "one"}, {Subject: "two", BlockedBy: []pawl.Ref{pawl.RefName("a")}}}})
	s.ask(ada, "todo_write", `{"todos":[{"content":"a","status":"in_progress"}]}`)
	state := func() string {
		return fmt.Sprint(s.ask(ada, "task_get", `{"taskId":[1,2]}`), s.ask(ada, "todo_read", `{}`))
	}
	before := state()
	for _, one := range [][2]string{
		{"task_update", `{"taskId":2,"subject":"x","note":"y","priority":"high","addBlocks":[1]}`},
		{"task_update", `{"taskId":[1,2],"subject":"x","labels":["l"],"status":"completed","removeBlockedBy":[99],"addBlockedBy":[99]}`},
		{"task_update", `{"taskId":2,"owner":"bob","hold":"h","status":"in_progress"}`},
		{"task_update", `{"taskId":1,"subject":"x","status":"complete","unheard":1}`},
		{"task_create", `{"tasks":[{"subject":"x","blocks":[1]},{"subject":"y","blocks":[99]}]}`},
		{"task_create", `{"tasks":[{"subject":"x","blocks":[1]},{"subject":""}]}`},
		{"task_claim", `{"taskId":2}`},
		{"todo_write", `{"todos":[{"content":"a","status":"completed"},{"content":""}]}`},
		{"todo_write", `{"todos":[{"content":"b","status":"pending"}],"merg":true}`},
		{"todo_pause", `{"reason":" "}`},
		{"todo_pause", `{"reason":"` + strings.Repeat("x", todo.MaxReason+1) + `"}`},
	} {
		if r := s.ask(ada, one[0], one[1]); r.Err == nil {
			t.Errorf("%s %s works:\n%s", one[0], one[1], r.LLMContent)
		}
		if after := state(); after != before {
			t.Fatalf("%s %s failed and changed something:\n%s\nbefore:\n%s", one[0], one[1], after, before)
		}
	}
}
