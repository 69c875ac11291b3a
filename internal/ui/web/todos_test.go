package web

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
)

const project = "/home/ada/compiler"

// withLists adds todo lists in a folder to the options of a server.
func withLists(t *testing.T, o Options) (Options, *todo.Service, string) {
	t.Helper()
	dir := t.TempDir()
	store := must.Get(todofile.Open(dir))(t)
	o.Todos, o.Project, o.Keep = todo.New(store, time.Now), project, 30*24*time.Hour
	o.Ours = func(h todo.Head) bool { return h.Project == project }
	return o, o.Todos, dir
}

func write(t *testing.T, todos *todo.Service, key todo.Key, project, list string) {
	t.Helper()
	draft := must.Get(todo.Decode([]byte(list), false))(t)
	must.Get(todos.Write(t.Context(), key, draft, todo.Writing{Project: project}))(t)
}

// ask asks for an envelope.
func askFor[E any](t *testing.T, s *listened, path string, status int) (envelope E) {
	t.Helper()
	answer := s.get(t, path, "")
	if err := json.NewDecoder(answer.Body).Decode(&envelope); err != nil || answer.StatusCode != status {
		t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
	}
	return envelope
}

func TestTodosOfTheProject(t *testing.T) {
	o, todos, dir := withLists(t, showing(pawl.NewBoard(memory.New())))
	main, helper := todo.Key{Session: "s1"}, todo.Key{Session: "s1", Agent: "reviewer"}
	write(t, todos, helper, project, `[{"content":"Look","status":"completed"},{"content":"Think","status":"pending"}]`)
	write(t, todos, main, project, `[{"content":"Write the parser","status":"in_progress","activeForm":"Writing","priority":"high","subtasks":[{"content":"Read","status":"completed"}]},
		{"content":"<img src=x onerror=alert(1)>","status":"pending"}]`)
	write(t, todos, todo.Key{Session: "s2"}, "/elsewhere", `[{"content":"Secret","status":"pending"}]`)
	must.Do(t, os.WriteFile(filepath.Join(dir, "s3.json"), []byte("<<<<<<< HEAD"), 0o600))
	call := todo.Call{ToolCall: todo.ToolCall{ID: "1", Name: "bash", Parameters: []byte(`{"command":"go test"}`)}, Arguments: true}
	must.Do(t, todos.CallStarted(t.Context(), main, call))
	s := listen(t, o)

	all := askFor[wire.Sessions](t, s, "/api/v1/sessions", http.StatusOK)
	if len(all.Sessions) != 2 || all.Sessions[0].Title != "Write the parser" || !all.Sessions[0].Running || all.Sessions[1].Agent != "reviewer" || all.Project != project {
		t.Errorf("%+v", all)
	}
	list := askFor[outlineJSON](t, s, "/api/v1/todos?session=s1", http.StatusOK)
	var rows []string
	for _, r := range list.Rows {
		rows = append(rows, strings.Repeat(" ", r.Indent)+r.Kind+" "+r.Text)
	}
	want := "todo Write the parser\n subtask Read\n call bash(command: 'go test')\ntodo <img src=x onerror=alert(1)>"
	if strings.Join(rows, "\n") != want || !list.Running {
		t.Errorf("%s\n%+v", strings.Join(rows, "\n"), list)
	}
	if r := list.Rows[0]; r.Doing != "Writing" || r.Priority != "high" || r.Done != 1 || r.Of != 1 || r.StartedAt == "" {
		t.Errorf("%+v", r)
	}
	if r := list.Rows[2]; r.Outcome != "running" || r.Times != 1 || r.StartedAt == "" {
		t.Errorf("%+v", r)
	}
	if got := askFor[outlineJSON](t, s, "/api/v1/todos?session=s1&agent=reviewer", http.StatusOK); got.Agent != "reviewer" || len(got.Rows) != 2 {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/api/v1/todos?session=s2", "/api/v1/todos?session=none", "/api/v1/todos"} {
		if e := askFor[wire.ErrorJSON](t, s, path, http.StatusNotFound); e.Error.Hint == "" {
			t.Errorf("%s: %+v", path, e)
		}
	}

	write(t, todos, helper, project, `[{"content":"Look","status":"completed"},{"content":"Think","status":"completed"}]`)
	got := askFor[outlineJSON](t, s, "/api/v1/todos?session=s1&agent=reviewer", http.StatusOK)
	if !strings.HasPrefix(got.Ended, "All done") || len(got.Rows) != 2 || got.Running || got.Past != 2 {
		t.Errorf("%+v", got)
	}
}

func TestEventsTellThatTodosChanged(t *testing.T) {
	o, todos, _ := withLists(t, showing(pawl.NewBoard(memory.New())))
	key := todo.Key{Session: "s1"}
	write(t, todos, key, project, `[{"content":"Write","status":"in_progress"}]`)
	s := listen(t, o)
	l := s.stream(t, "", "")
	l.want("hello")
	for _, change := range []func() error{
		func() error {
			write(t, todos, key, project, `[{"content":"Write it","status":"in_progress"}]`)
			return nil
		},
		func() error {
			return todos.CallStarted(t.Context(), key, todo.Call{ToolCall: todo.ToolCall{ID: "1", Name: "bash"}})
		},
	} {
		must.Do(t, change())
		l.want("todos")
	}
}

// What sessions plan is content, whether there is a board or not; what was
// finished last is, for a day.
func TestListsBesideTheTasks(t *testing.T) {
	o, _, dir := withLists(t, showing(nil))
	store := must.Get(todofile.Open(dir))(t)
	now := time.Now()
	todos := todo.New(store, func() time.Time { return now })
	o.Todos = todos
	s := listen(t, o)
	lists := func() listsJSON {
		t.Helper()
		return askFor[listsJSON](t, s, "/api/v1/lists", http.StatusOK)
	}
	if got := lists(); len(got.Running) != 0 || got.Finished != nil {
		t.Errorf("before anything: %+v", got)
	}
	key := todo.Key{Session: "s1"}
	write(t, todos, key, project, `[{"content":"Write the parser","status":"in_progress","activeForm":"Writing"},{"content":"Test it","status":"pending"}]`)
	write(t, todos, todo.Key{Session: "s2"}, "/elsewhere", `[{"content":"Secret","status":"pending"}]`)
	got := lists()
	if len(got.Running) != 1 || got.Finished != nil {
		t.Fatalf("%+v", got)
	}
	if l := got.Running[0]; l.Session != "s1" || l.Of != 2 || l.Done != 0 || len(l.Todos) != 2 || l.Todos[0].Doing != "Writing" || l.Todos[1].Status != pawl.Pending {
		t.Errorf("%+v", l)
	}
	write(t, todos, key, project, `[{"content":"Write the parser","status":"completed"},{"content":"Test it","status":"completed"}]`)
	got = lists()
	if f := got.Finished; len(got.Running) != 0 || f == nil || f.Session != "s1" || f.Done != 2 || len(f.Todos) != 2 || f.Todos[1].Text != "Test it" {
		t.Errorf("%+v", got)
	}
	now = now.Add(todo.KeepFinished)
	if got := lists(); len(got.Running) != 0 || got.Finished != nil {
		t.Errorf("a day later: %+v", got)
	}
}
