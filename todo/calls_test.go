package todo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A fixture is a service on a store that counts its writes, with a clock that goes
// a second at each look.
type fixture struct {
	*todo.Service
	t     testing.TB
	store *counting
	now   time.Time
	key   todo.Key
}

type counting struct {
	todo.Store
	updates int
}

func (c *counting) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	c.updates++
	return c.Store.Update(ctx, key, fn)
}

func newFixture(t testing.TB, items ...todo.Item) *fixture {
	d := &fixture{t: t, store: &counting{Store: todomem.New()}, now: noon, key: todo.Key{Session: "s"}}
	d.Service = todo.New(d.store, func() time.Time { d.now = d.now.Add(time.Second); return d.now })
	d.set(func(l *todo.List) { l.Items = items })
	return d
}

// set changes the list behind the service's back.
func (d *fixture) set(fn func(*todo.List)) {
	d.t.Helper()
	_, err := d.store.Store.Update(context.Background(), d.key, func(l *todo.List) error { fn(l); return nil })
	d.must(err)
}

func (d *fixture) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *fixture) start(id, name string) {
	d.t.Helper()
	d.must(d.CallStarted(context.Background(), d.key, todo.Call{ToolCall: todo.ToolCall{ID: id, Name: name}}))
}

func (d *fixture) end(id string, outcome todo.Outcome) {
	d.t.Helper()
	d.must(d.CallEnded(context.Background(), d.key, id, outcome))
}

// check compares the calls of the whole list, as "where: id outcome, …".
func (d *fixture) check(want ...string) {
	d.t.Helper()
	list, err := d.Read(context.Background(), d.key)
	d.must(err)
	var got []string
	add := func(where string, calls []todo.ToolCall) {
		for i, c := range calls {
			text := c.ID + " " + string(c.Outcome)
			if i == 0 {
				got = append(got, where+": "+text)
			} else {
				got[len(got)-1] += ", " + text
			}
			if c.StartedAt.IsZero() || c.EndedAt.IsZero() != (c.Outcome == todo.Running) || !c.EndedAt.IsZero() && !c.EndedAt.After(c.StartedAt) {
				d.t.Errorf("%s %s from %v to %v", c.ID, c.Outcome, c.StartedAt, c.EndedAt)
			}
		}
	}
	each := func(before string, items ...todo.Item) {
		for _, i := range items {
			add(before+i.Content, i.ToolCalls)
			for _, s := range i.Subtasks {
				add(before+i.Content+"/"+s.Content, s.ToolCalls)
			}
		}
	}
	each("", list.Items...)
	for _, p := range list.Past {
		each("past ", p.Item)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		d.t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCallStaysWhereItBegan(t *testing.T) {
	d := newFixture(t, item(todo.InProgress, "A"), item(todo.Pending, "B"))
	d.start("1", "read_file")
	d.start("2", "bash")
	d.set(func(l *todo.List) { l.Items[0].Status, l.Items[1].Status = todo.Completed, todo.InProgress })
	d.start("3", "bash")
	d.end("1", todo.Succeeded)
	d.end("3", todo.Failed)
	d.check("A: 1 succeeded, 2 running", "B: 3 failed")

	d.set(func(l *todo.List) {
		l.Past = append(l.Past, todo.Past{Item: l.Items[0], How: todo.Finished, At: noon})
		l.Items = l.Items[1:]
	})
	d.end("2", todo.Succeeded)
	d.check("B: 3 failed", "past A: 1 succeeded, 2 succeeded")
}

func TestCallOfSubtask(t *testing.T) {
	i := item(todo.InProgress, "A")
	i.Subtasks = []todo.Subtask{{Content: "a", Status: todo.Completed}, {Content: "b", Status: todo.InProgress}, {Content: "c", Status: todo.Pending}}
	d := newFixture(t, i)
	d.start("1", "bash")
	d.set(func(l *todo.List) { l.Items[0].Subtasks[1].Status = todo.Completed })
	d.start("2", "bash")
	d.end("1", todo.Succeeded)
	d.check("A: 2 running", "A/b: 1 succeeded")
}

// What is not news is not written.
func TestCallsThatChangeNothing(t *testing.T) {
	ctx := context.Background()
	idle := newFixture(t, item(todo.Pending, "A"), item(todo.Completed, "B"))
	idle.start("1", "bash")
	idle.end("1", todo.Succeeded)
	idle.must(idle.CallsInterrupted(ctx, idle.key))
	idle.check()
	if idle.store.updates != 0 {
		t.Errorf("%d writes with nothing in progress", idle.store.updates)
	}

	d := newFixture(t, item(todo.InProgress, "A"))
	d.start("1", "bash")
	d.store.updates = 0
	d.start("1", "bash") // as a client does that says it twice
	d.start("2", "todo_write")
	d.end("2", todo.Succeeded)
	d.end("", todo.Succeeded)
	d.must(d.CallStarted(ctx, todo.Key{Session: "s", Agent: "explore"}, todo.Call{ToolCall: todo.ToolCall{ID: "3", Name: "bash"}}))
	if d.store.updates != 0 {
		t.Errorf("%d writes for nothing", d.store.updates)
	}
	d.end("1", todo.Succeeded)
	d.end("1", todo.Failed)
	d.must(d.CallsInterrupted(ctx, d.key))
	d.check("A: 1 succeeded")
}

func TestCallsInterrupted(t *testing.T) {
	d := newFixture(t, item(todo.InProgress, "A"))
	d.start("1", "bash")
	d.start("2", "bash")
	d.end("2", todo.Succeeded)
	d.must(d.CallsInterrupted(context.Background(), d.key))
	d.check("A: 1 interrupted, 2 succeeded")
	d.end("1", todo.Interrupted)
	d.end("1", todo.Failed) // it came after all
	d.check("A: 1 failed, 2 succeeded")
	if err := d.CallEnded(context.Background(), d.key, "1", todo.Running); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a call ends by running: %v", err)
	}
}

func TestCallIsBounded(t *testing.T) {
	d := newFixture(t, item(todo.InProgress, "A"))
	for i := range todo.MaxToolCalls + 4 {
		d.start(fmt.Sprint(i), "bash")
	}
	long := strings.Repeat("ü", todo.MaxID+1)
	d.start(long, long)
	d.end(long, todo.Failed)
	list, err := d.Read(context.Background(), d.key)
	d.must(err)
	calls := list.Items[0].ToolCalls
	last := calls[len(calls)-1]
	if len(calls) != todo.MaxToolCalls || calls[0].ID != "5" || last.ID != strings.Repeat("ü", todo.MaxID) || last.Name != last.ID || last.Outcome != todo.Failed {
		t.Errorf("%d calls from %s to %+v", len(calls), calls[0].ID, last)
	}
}

func TestCallKeepsWhatItIsTold(t *testing.T) {
	ctx := context.Background()
	d := newFixture(t, item(todo.InProgress, "A"))
	local := time.FixedZone("here", 3600)
	said := todo.ToolCall{
		ID: "1", Name: "bash", Parameters: json.RawMessage(`{ "command": "x", "token": "abc" }`),
		StartedAt: noon.Add(-time.Minute).In(local), EndedAt: noon.Add(-30*time.Second + 7*time.Microsecond).In(local), Outcome: todo.Failed,
	}
	d.must(d.CallStarted(ctx, d.key, todo.Call{ToolCall: said, Project: "/src/app", Arguments: true}))
	said.ID = "2"
	d.must(d.CallStarted(ctx, d.key, todo.Call{ToolCall: said}))
	list, err := d.Read(ctx, d.key)
	d.must(err)
	first, second := list.Items[0].ToolCalls[0], list.Items[0].ToolCalls[1]
	if string(first.Parameters) != `{"command":"x","token":"…"}` || second.Parameters != nil {
		t.Errorf("arguments %s and %s", first.Parameters, second.Parameters)
	}
	if first.StartedAt != noon.Add(-time.Minute) || first.EndedAt != noon.Add(-30*time.Second) || first.Outcome != todo.Failed || list.Project != "/src/app" {
		t.Errorf("%+v of %q", first, list.Project)
	}
}

// A tool call is not a change of the list: heads tell when its todos changed.
func TestCallsAreNoChange(t *testing.T) {
	d := newFixture(t, item(todo.InProgress, "A"))
	d.set(func(l *todo.List) { l.Project, l.UpdatedAt = "/src", noon })
	d.must(d.CallStarted(t.Context(), d.key, todo.Call{ToolCall: todo.ToolCall{ID: "1", Name: "bash"}, Project: "/src/elsewhere"}))
	d.start("2", "bash")
	d.end("1", todo.Succeeded)
	d.must(d.CallsInterrupted(t.Context(), d.key))
	d.check("A: 1 succeeded, 2 interrupted")
	heads, err := d.Sessions(t.Context(), "/src")
	d.must(err)
	if len(heads) != 1 || heads[0].UpdatedAt != noon {
		t.Errorf("the heads are %+v", heads)
	}
}

// Notes that come later find the todo that they are about by what it says.
func TestNoteFindsItsTodo(t *testing.T) {
	numbered := func(id, content string) todo.Item {
		i := item(todo.Pending, content)
		i.ID = id
		return i
	}
	sub := numbered("1", "with subtask")
	sub.Subtasks = []todo.Subtask{{Content: "x"}, {Content: "y"}}
	past := []todo.Past{{Item: numbered("1", "gone")}, {Item: numbered("1", "same")}}
	for name, c := range map[string]struct {
		items []todo.Item
		sub   string
		want  string
	}{
		"where it was":                 {[]todo.Item{numbered("2", "same"), numbered("1", "same")}, "", "1 same"},
		"with a new number":            {[]todo.Item{numbered("1", "other"), numbered("2", "same")}, "", "2 same"},
		"in what left the list":        {[]todo.Item{numbered("1", "other")}, "", "past 1 same"},
		"with its subtask":             {[]todo.Item{sub}, "y", "1 with subtask/y"},
		"with its todo, without a sub": {[]todo.Item{sub}, "z", "1 with subtask"},
	} {
		content := "same"
		if c.sub != "" {
			content = sub.Content
		}
		l := todo.List{Items: todo.CloneItems(c.items), Past: todo.List{Past: past}.Clone().Past}
		n := todo.CallNote{Todo: "1", Content: todo.ContentSum(content), Call: todo.ToolCall{ID: "c", Name: "bash", Outcome: todo.Running}}
		if c.sub != "" {
			n.Subtask = todo.ContentSum(c.sub)
		}
		l.Note(n, n)
		var got []string
		look := func(where string, calls []todo.ToolCall) {
			for range calls {
				got = append(got, where)
			}
		}
		for _, i := range l.Items {
			look(i.ID+" "+i.Content, i.ToolCalls)
			for _, s := range i.Subtasks {
				look(i.ID+" "+i.Content+"/"+s.Content, s.ToolCalls)
			}
		}
		for _, p := range l.Past {
			look("past "+p.Item.ID+" "+p.Item.Content, p.Item.ToolCalls)
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: it is with %q, want %q", name, got, c.want)
		}
	}
	edited, lost := todo.List{Items: []todo.Item{numbered("1", "edited")}}, todo.List{Items: []todo.Item{numbered("2", "other")}}
	n := todo.CallNote{Todo: "1", Content: todo.ContentSum("same"), Project: "/p", Call: todo.ToolCall{ID: "c", Outcome: todo.Running}}
	edited.Note(n)
	lost.Note(n)
	if len(edited.Items[0].ToolCalls) != 1 || edited.Project != "/p" || lost.Items[0].ToolCalls != nil || lost.Project != "" {
		t.Errorf("an edited todo has %+v, another %+v", edited, lost)
	}
}

func TestOwnTool(t *testing.T) {
	for name, want := range map[string]bool{
		"todo_write": true, "todo_read": true, "todo_pause": true, "task_create": true, "task_update": true, "task_list": true, "task_get": true, "task_claim": true,
		"mcp__pawl__todo_write": true, "mcp__plugin_x_pawl__task_claim": true, "pawl-todo_read": true, "mcp_pawl_task_get": true, "pawl_task_list": true,
		"pawl.todo_pause": true, "pawl/todo_write": true, "pawl:todo_write": true,
		"TodoWrite": true, "todowrite": true, "TodoRead": true, "TodoPause": true, "TaskCreate": true, "mcp__pawl__TodoWrite": true,
		"": false, "Task": false, "bash": false, "TodoWriter": false, "create_task_list": false, "my_todo_write": false, "task_list_all": false,
		"mcp__linear__create_task": false, "MultiTaskGet": false,
	} {
		if got := todo.OwnTool(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// A session of thousands of calls keeps a list that its store takes: the oldest
// arguments go first.
func TestArgumentsNeverFillAList(t *testing.T) {
	long := json.RawMessage(`{"text":"` + strings.Repeat("ab ", todo.MaxArguments/3-10) + `"}`)
	calls := make([]todo.ToolCall, todo.MaxToolCalls)
	for i := range calls {
		calls[i] = todo.ToolCall{ID: fmt.Sprint("old", i), Name: "edit", Parameters: long, Outcome: todo.Succeeded}
	}
	d := newFixture(t, todo.Item{ID: "1", Content: "a", Status: todo.InProgress})
	d.set(func(l *todo.List) {
		for range todo.MaxPast {
			l.Past = append(l.Past, todo.Past{Item: todo.Item{ID: "1", Content: "b", Status: todo.Completed, ToolCalls: calls}, How: todo.Finished})
		}
	})
	call := todo.ToolCall{ID: "new", Name: "edit", Parameters: long}
	d.must(d.CallStarted(t.Context(), d.key, todo.Call{ToolCall: call, Arguments: true}))
	list, err := d.Read(t.Context(), d.key)
	d.must(err)
	if got := list.Items[0].ToolCalls; len(got) != 1 || got[0].Parameters == nil {
		t.Errorf("the new call is %+v", got)
	}
	if list.Past[0].Item.ToolCalls[0].Parameters != nil || list.Past[todo.MaxPast-1].Item.ToolCalls[0].Parameters == nil {
		t.Error("other arguments than the oldest were dropped")
	}
	text, err := json.Marshal(list.Past)
	d.must(err)
	if len(text) > todo.MaxList {
		t.Errorf("the past has %d bytes, and a list at most %d", len(text), todo.MaxList)
	}
}
