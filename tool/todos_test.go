package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

// What a list looks like in the conversation follows from who watches: the
// caller says it, else the settings, else an open panel.
func TestWhatASessionGets(t *testing.T) {
	const (
		simple = "## Todo List (1 task)\n- [→] ← current Plan\n"
		panel  = "TODO list updated"
		full   = "## Todo Progress\n"
	)
	yes, no := true, false
	for _, c := range []struct {
		caller   *bool
		setting  tool.Interactive
		open     bool
		off      bool
		model    string
		person   string
		describe string
	}{
		{nil, tool.Auto, false, false, simple, simple, "nobody"},
		{nil, tool.Auto, true, false, panel, "", "a panel"},
		{nil, tool.Auto, true, true, full, full, "a panel that is switched off"},
		{nil, tool.Always, false, false, panel, "", "by setting"},
		{nil, tool.Always, false, true, full, full, "by setting, without a panel"},
		{nil, tool.Never, true, false, simple, simple, "nobody by setting, though there is a panel"},
		{&yes, tool.Never, false, false, panel, "", "by argument"},
		{&yes, tool.Never, false, true, full, full, "by argument, without a panel"},
		{&no, tool.Always, true, true, simple, simple, "nobody by argument"},
	} {
		t.Run(c.describe, func(t *testing.T) {
			s := newStory(t)
			s.Settings = tool.Settings{Interactive: c.setting, PanelOff: c.off}
			if c.open {
				s.Panel("open", "s1")
			}
			by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}, Interactive: c.caller}
			r := s.ask(by, "todo_write", `{"todos":[{"content":"Plan","status":"in_progress"}]}`)
			begins := func(s, with string) bool { return s == with || with == full && strings.HasPrefix(s, full) }
			if !begins(r.LLMContent, c.model) || !begins(r.ReturnDisplay, c.person) {
				t.Errorf("the model reads %q, and a person is shown %q", r.LLMContent, r.ReturnDisplay)
			}
			if read := s.ask(by, "todo_read", `{}`); !strings.HasPrefix(read.LLMContent, full) || read.ReturnDisplay != read.LLMContent {
				t.Errorf("todo_read says %q", read.LLMContent)
			}
		})
	}
}

// broken is a store that cannot be reached.
type broken struct {
	todo.Store
	err *todo.StorageError
}

func (b broken) Load(context.Context, todo.Key) (todo.List, error) { return todo.List{}, b.err }
func (b broken) Update(context.Context, todo.Key, func(*todo.List) error) (todo.List, error) {
	return todo.List{}, b.err
}

func TestStorageErrors(t *testing.T) {
	for _, c := range []struct {
		err  *todo.StorageError
		want string
	}{
		{&todo.StorageError{Why: todo.Denied}, "Permission denied accessing todo storage"},
		{&todo.StorageError{Why: todo.Full}, "Storage full, cannot save todos"},
		{&todo.StorageError{Cause: errors.New("the disk is on fire")}, "Failed to access todo storage: the disk is on fire"},
	} {
		todos := todo.New(broken{todomem.New(), c.err}, time.Now)
		board := pawl.NewBoard(memory.New())
		for _, one := range tool.New(tool.Options{Todos: todos, Board: tool.OneBoard(board)}) {
			args := map[string]string{
				"todo_write": `{"todos":[{"content":"a","status":"pending"}]}`, "todo_read": `{}`, "todo_pause": `{"reason":"x"}`, "task_list": `{}`,
			}[one.Name]
			if args == "" {
				continue
			}
			r := one.Call(t.Context(), tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}, json.RawMessage(args))
			if one.Name == "task_list" {
				if r.Err != nil {
					t.Errorf("the board cannot be listed because of the todos: %v", r.Err)
				}
				continue
			}
			if r.LLMContent != c.want || !errors.Is(r.Err, c.err) {
				t.Errorf("%s says %q: %v", one.Name, r.LLMContent, r.Err)
			}
		}
	}
}

// Tools are called by many agents at once: each task goes to one of them, and
// each keeps a list of its own.
func TestManyAgents(t *testing.T) {
	s := newStory(t)
	var plan pawl.Create
	for range 40 {
		plan.Tasks = append(plan.Tasks, pawl.NewTask{Subject: "one of many"})
	}
	s.must(pawl.Actor{Name: "planner"}, plan)
	tools := map[string]tool.Tool{}
	for _, one := range s.Tools {
		tools[one.Name] = one
	}
	var mu sync.Mutex
	taken := map[pawl.ID]string{}
	var group sync.WaitGroup
	for _, name := range []string{"ada", "bob", "eve", "joe"} {
		group.Go(func() {
			by := tool.Caller{Actor: pawl.Actor{Name: name, Session: "s-" + name}}
			for {
				r := tools["task_claim"].Call(t.Context(), by, nil)
				if r.Err != nil {
					t.Error(r.LLMContent)
					return
				}
				var claimed struct {
					IDs  []pawl.ID
					Kind string
				}
				data, _ := json.Marshal(r.Data)
				if json.Unmarshal(data, &claimed) == nil && claimed.Kind == "busy" {
					return
				}
				if len(claimed.IDs) != 1 {
					t.Errorf("a claim gives %s", data)
					return
				}
				id := claimed.IDs[0]
				mu.Lock()
				if other, twice := taken[id]; twice {
					t.Errorf("%v went to %s and to %s", id, other, name)
				}
				taken[id] = name
				mu.Unlock()
				tools["todo_write"].Call(t.Context(), by, json.RawMessage(`{"todos":[{"content":"`+name+`","status":"in_progress"}]}`))
				if r := tools["todo_read"].Call(t.Context(), by, nil); !strings.Contains(r.LLMContent, name) {
					t.Errorf("the list of %s is\n%s", name, r.LLMContent)
				}
			}
		})
	}
	group.Wait()
	if len(taken) != 40 {
		t.Errorf("%d of 40 tasks were taken", len(taken))
	}
}

// A list that cannot be read is set aside, and its agent is told, once: it saw an
// empty list and could not know that there had been another.
func TestSetAsideIsTold(t *testing.T) {
	s, dir := newStory(t), t.TempDir()
	lists, err := todofile.Open(dir)
	must.Do(t, err)
	s.Todos = todo.New(lists, s.Clock)
	s.Tools = tool.New(tool.Options{Todos: s.Todos, Now: s.Clock})
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(by, "todo_write", `{"todos":[{"content":"Plan","status":"pending"}]}`)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	must.Do(t, os.WriteFile(files[0], []byte("{"), 0o600))
	if r := s.ask(by, "todo_read", `{}`); !strings.Contains(r.LLMContent, "could not be read") || strings.Contains(r.ReturnDisplay, "could not be read") {
		t.Errorf("the model reads %q, and a person is shown %q", r.LLMContent, r.ReturnDisplay)
	}
	if r := s.ask(by, "todo_read", `{}`); strings.Contains(r.LLMContent, "could not be read") {
		t.Errorf("it is told again: %q", r.LLMContent)
	}
}

// A list that is missing is told with the same beginning as one that is wrong.
func TestMissingList(t *testing.T) {
	s := newStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	for _, args := range []string{``, `{}`, `{"todos":null}`, `{"foo":1}`, `{"todos":7}`, `{"todos":[{"content":""}]}`, `[1]`} {
		if r := s.ask(by, "todo_write", args); r.Err == nil || !strings.HasPrefix(r.LLMContent, "Invalid todo data: ") {
			t.Errorf("todo_write %s: %s", args, r.LLMContent)
		}
	}
}

// Nothing can go wrong by what todo_read does not know.
func TestReadIsLenient(t *testing.T) {
	s := newStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(by, "todo_write", `{"todos":[{"content":"Write tests","status":"pending"}]}`)
	want := s.ask(by, "todo_read", `{}`).LLMContent
	for _, args := range []string{`{"foo":1}`, `{"todos":[],"merge":true}`, `{"explanation":"to see"}`, `{"session_id":null}`} {
		if r := s.ask(by, "todo_read", args); r.Err != nil || r.LLMContent != want {
			t.Errorf("todo_read %s: %s", args, r.LLMContent)
		}
	}
}

// What the seeds of the tools name is in the schema, so that a model need not be
// told by an error.
func TestSchemaSays(t *testing.T) {
	s := newStory(t)
	list := string(toolsList(t, s.Tools))
	for _, want := range []string{`"enum":["high","medium","low"]`, `"maxLength":500`, `open|ready|blocked|held|pending|in_progress|completed|all`} {
		if !strings.Contains(list, want) {
			t.Errorf("tools/list does not say %s", want)
		}
	}
}

// All times that programs get are spelled alike, also at a whole second.
func TestOneFormOfTimes(t *testing.T) {
	s := newStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(by, "task_create", `{"subject":"Write"}`)
	for _, call := range [][2]string{
		{"task_claim", `{}`}, {"task_get", `{"taskId":1}`},
		{"todo_write", `{"todos":[{"content":"Plan","status":"in_progress"},{"content":"Build","status":"pending"}]}`},
		{"todo_write", `{"todos":[{"content":"Plan","status":"completed"}]}`}, {"todo_pause", `{"reason":"wait"}`}, {"todo_read", `{}`},
	} {
		text := string(must.Get(json.Marshal(s.ask(by, call[0], call[1]).Data))(t))
		times := regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`).FindAllString(text, -1)
		for _, at := range times {
			if !regexp.MustCompile(`^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$`).MatchString(at) {
				t.Errorf("%s gives the time %s", call[0], at)
			}
		}
		if len(times) == 0 {
			t.Errorf("%s gives no time: %s", call[0], text)
		}
	}
}
