package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/tool"
	"github.com/pawl-dev/pawl/tool/tooltest"
)

func newClaudeStory(t *testing.T) *story {
	s := newStory(t)
	s.Tools = s.claude()
	return s
}

func (s *story) claude() []tool.Tool {
	return tool.Claude(tool.Options{
		Board: s.Open, Todos: s.Todos, Now: s.Clock,
		Settings: func(context.Context, string) tool.Settings { return s.Settings },
	})
}

// The same stories as those of Pawl's own tools, in testdata/claude.
func TestClaudeStories(t *testing.T) {
	tooltest.Play(t, "testdata/claude/*.txtar", 5, *update, func(t *testing.T) *tooltest.Story { return newClaudeStory(t).Story })
}

func TestClaudeStoriesFromAfar(t *testing.T) {
	tooltest.Play(t, "testdata/claude/*.txtar", 5, *update, func(t *testing.T) *tooltest.Story {
		s := newClaudeStory(t)
		s.Far = true
		return s.Story
	})
}

func TestClaudeListIsSmall(t *testing.T) {
	const most = 6_000
	tools := newClaudeStory(t).Tools
	if list := toolsList(t, tools); len(list) > most {
		t.Errorf("tools/list has %d bytes; the most is %d", len(list), most)
	}
	if got := names(tools); !slices.Equal(got, []string{"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"}) {
		t.Errorf("the tools are %v", got)
	}
}

// claudeSchemas are the arguments of Claude Code's own tools, those that must be
// given with a star.
var claudeSchemas = map[string][]string{
	"TodoWrite":  {"todos*"},
	"TaskCreate": {"subject*", "description*", "activeForm", "metadata"},
	"TaskUpdate": {"taskId*", "subject", "description", "activeForm", "status", "addBlocks", "addBlockedBy", "owner", "metadata"},
	"TaskList":   {},
	"TaskGet":    {"taskId*"},
}

// A model that knows Claude Code's tools can call these: what they take is taken, and
// nothing more is asked for.
func TestClaudeSchemas(t *testing.T) {
	for _, one := range newClaudeStory(t).Tools {
		var schema struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		must.Do(t, json.Unmarshal(one.Schema, &schema))
		typed(t, one.Name, one.Schema)
		want, known := claudeSchemas[one.Name]
		if !known {
			t.Errorf("%s is none of Claude Code's", one.Name)
		}
		var required []string
		for _, name := range want {
			name, must := strings.CutSuffix(name, "*")
			if schema.Properties[name] == nil {
				t.Errorf("%s does not take %s", one.Name, name)
			}
			if must {
				required = append(required, name)
			}
		}
		if !slices.Equal(schema.Required, required) {
			t.Errorf("%s asks for %v, want %v", one.Name, schema.Required, required)
		}
	}
}

func TestClaudeHalf(t *testing.T) {
	s := newStory(t)
	if got := names(tool.Claude(tool.Options{Todos: s.Todos})); !slices.Equal(got, []string{"TodoWrite"}) {
		t.Errorf("for todo lists: %v", got)
	}
	if got := names(tool.Claude(tool.Options{Board: tool.OneBoard(s.Board)})); !slices.Equal(got, []string{"TaskCreate", "TaskUpdate", "TaskList", "TaskGet"}) {
		t.Errorf("for a board: %v", got)
	}
}

// A page stays small on any board, and the pages together are the board.
func TestClaudePages(t *testing.T) {
	s := newClaudeStory(t)
	var op pawl.Create
	for range 300 {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: strings.Repeat("long ", 90)})
	}
	must.Do(t, errOf(s.Board.Do(t.Context(), pawl.Request{Op: op})))
	list := func(args string) (text string, cursor string, n int) {
		r := s.Tools[3].Call(t.Context(), tool.Caller{}, json.RawMessage(args))
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		raw, err := json.Marshal(r.Data)
		must.Do(t, err)
		var page struct {
			Cursor string
			Tasks  []json.RawMessage
		}
		must.Do(t, json.Unmarshal(raw, &page))
		return r.LLMContent, page.Cursor, len(page.Tasks)
	}
	text, cursor, all := list("{}")
	for pages := 0; cursor != ""; pages++ {
		if len(text) > 4_000 || pages > 100 {
			t.Fatalf("page %d has %d bytes", pages, len(text))
		}
		var n int
		text, cursor, n = list(`{"cursor":"` + cursor + `"}`)
		all += n
	}
	if all != 300 {
		t.Errorf("the pages have %d tasks", all)
	}
}

// No answer is long, whatever is on the board.
func TestClaudeBudgets(t *testing.T) {
	s := newClaudeStory(t)
	s.nasty(1_000)
	by := tool.Caller{Actor: pawl.Actor{Name: strings.Repeat("é", pawl.MaxName), Session: "s1"}}
	for _, args := range []string{`{}`, `{"status":"blocked"}`, `{"status":"held"}`, `{"text":"` + strings.Repeat("x", 5_000) + `"}`} {
		if r := s.ask(by, "TaskList", args); r.Err != nil || len(r.LLMContent) > mostPage {
			t.Errorf("TaskList %.40s: %d bytes, %v", args, len(r.LLMContent), r.Err)
		}
	}
	var ids []string
	for id := range 100 {
		ids = append(ids, strconv.Itoa(id+1))
		s.ask(by, "TaskGet", `{"taskId":"`+strconv.Itoa(id+1)+`"}`)
	}
	all := strings.Join(ids, ",")
	s.ask(by, "TaskUpdate", `{"taskId":"`+all+`","status":"in_progress"}`)
	s.ask(by, "TaskUpdate", `{"taskId":"`+all+`","metadata":{"k":"v"}}`)
	s.ask(by, "TaskUpdate", `{"taskId":"1","`+strings.Repeat("x", 5_000)+`":1}`)
	var tasks []string
	for range pawl.MaxBatch {
		tasks = append(tasks, `{"subject":"`+strings.Repeat("漢", pawl.MaxSubject)+`"}`)
	}
	if r := s.ask(by, "TaskCreate", `{"tasks":[`+strings.Join(tasks, ",")+`]}`); r.Err != nil {
		t.Error(r.LLMContent)
	}
}

// A name that is too long is a fault of the call, not of the caller.
func TestClaudeLongOwner(t *testing.T) {
	s := newClaudeStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(by, "TaskCreate", `{"subject":"x","description":"y"}`)
	r := s.ask(by, "TaskUpdate", `{"taskId":"1","status":"in_progress","owner":"`+strings.Repeat("x", pawl.MaxName+1)+`"}`)
	if !errors.Is(r.Err, pawl.Invalid) || !strings.Contains(r.LLMContent, "owner") {
		t.Errorf("%v: %s", r.Err, r.LLMContent)
	}
}

// Of very many edges some are named, and the rest counted.
func TestClaudeManyEdges(t *testing.T) {
	s := newClaudeStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	batch := []pawl.NewTask{{Ref: "a", Subject: "all wait for this"}}
	for range 400 {
		batch = append(batch, pawl.NewTask{Subject: "x", BlockedBy: []pawl.Ref{pawl.RefName("a")}})
	}
	s.must(by.Actor, pawl.Create{Tasks: batch})
	r := s.ask(by, "TaskGet", `{"taskId":"1"}`)
	got := read[struct {
		Task struct {
			Blocks []string
			Cut    bool
		}
	}](t, r).Task
	if !got.Cut || len(got.Blocks) != 200 || !strings.Contains(r.LLMContent, "#201, and 200 more") {
		t.Errorf("%d edges, cut %v:\n%.200s", len(got.Blocks), got.Cut, r.LLMContent)
	}
}

// The longest task there can be is read in parts.
func TestClaudeLongTask(t *testing.T) {
	s := newClaudeStory(t)
	long := pawl.NewTask{Subject: "Long", Description: strings.Repeat("é\n", pawl.MaxDescription/3), Metadata: map[string]json.RawMessage{"k": json.RawMessage(`"` + strings.Repeat("x", 60_000) + `"`)}}
	must.Do(t, errOf(s.Board.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{long}}})))
	r := s.Tools[4].Call(t.Context(), tool.Caller{}, json.RawMessage(`{"taskId":"1"}`))
	raw, err := json.Marshal(r.Data)
	if err != nil || len(raw) > 20_000 || len(r.LLMContent) > 20_000 {
		t.Errorf("%d bytes for the model, %d for programs: %v", len(r.LLMContent), len(raw), err)
	}
	parts := 1
	for at := strings.LastIndex(r.LLMContent, "TaskGet {"); at >= 0; parts++ {
		r = s.Tools[4].Call(t.Context(), tool.Caller{}, json.RawMessage(r.LLMContent[at+len("TaskGet "):]))
		if r.Err != nil || parts > 100 {
			t.Fatal(r.Err)
		}
		at = strings.LastIndex(r.LLMContent, "TaskGet {")
	}
	if !strings.Contains(r.LLMContent, "xxx") || parts < 5 {
		t.Errorf("after %d parts: %.60s", parts, r.LLMContent)
	}
}
