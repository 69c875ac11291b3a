package todo_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// What a rewrite leaves out and is to be kept stays as it is, at the end, under
// its id; and there is still only one todo in progress.
func TestWriteKeeps(t *testing.T) {
	s, key := todo.New(todomem.New(), time.Now), todo.Key{Session: "s1"}
	write := func(text string, keep func(todo.List, todo.Item) bool) todo.List {
		t.Helper()
		draft, err := todo.Decode([]byte(text), false)
		must.Do(t, err)
		w, err := s.Write(t.Context(), key, draft, todo.Writing{Keep: keep})
		must.Do(t, err)
		return w.List
	}
	write(`[{"content": "Parse", "status": "in_progress"}, {"content": "Test"}]`, nil)
	must.Do(t, errOf(s.Edit(t.Context(), key, todo.Editing{By: "A person"}, todo.Add{Content: "Document"}, todo.Set{At: []string{"3"}, Status: todo.InProgress})))
	added := func(l todo.List, it todo.Item) bool { return len(l.News) > 0 && it.Personal() }
	list := write(`[{"id": "1", "content": "Parse", "status": "in_progress"}, {"id": "2", "content": "Ship"}]`, added)
	if len(list.Items) != 3 {
		t.Fatalf("the list is %+v", list.Items)
	}
	if it := list.Items[2]; it.Content != "Document" || !it.Personal() || it.Status != todo.Pending {
		t.Errorf("what was added is %+v", it)
	}
	if it := list.Items[0]; it.Status != todo.InProgress {
		t.Errorf("what is in progress became %+v", it)
	}
	if list = write(`[{"content": "Parse", "status": "completed"}]`, added); len(list.Items) != 2 {
		t.Errorf("with something open that stays, the list is %+v", list.Items)
	}
}
