package todo_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

func TestRenumber(t *testing.T) {
	store := todomem.New()
	then := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	for session, project := range map[string]string{"ours": "/shop", "other": "/bakery", "nowhere": ""} {
		must.Do(t, errOf(store.Update(t.Context(), todo.Key{Session: session}, func(l *todo.List) error {
			l.Project, l.UpdatedAt = project, then
			l.Items = []todo.Item{{ID: "1", Content: "A", Task: 12}, {ID: "2", Content: "B", Task: 13}, {ID: "3", Content: "C", Task: 15}, {ID: "4", Content: "D"}}
			l.Past = []todo.Past{{Item: todo.Item{ID: "5", Content: "E", Task: 12}}}
			l.Before = &todo.Snapshot{Items: []todo.Item{{ID: "1", Content: "A", Task: 12}}}
			return nil
		})))
	}
	s := todo.New(store, func() time.Time { return then.Add(time.Hour) })
	n, err := s.Renumber(t.Context(), func(project string) bool { return project == "/shop" }, map[pawl.ID]pawl.ID{12: 15, 15: 16, 0: 9})
	if err != nil || n != 1 {
		t.Fatalf("%d lists, %v", n, err)
	}
	l, err := s.Read(t.Context(), todo.Key{Session: "ours"})
	if err != nil || l.Items[0].Task != 15 || l.Items[1].Task != 13 || l.Items[2].Task != 16 || l.Items[3].Task != 0 ||
		l.Past[0].Item.Task != 15 || l.Before.Items[0].Task != 15 || !l.UpdatedAt.Equal(then) {
		t.Errorf("%+v, %v", l, err)
	}
	for _, session := range []string{"other", "nowhere"} {
		if l, err := s.Read(t.Context(), todo.Key{Session: session}); err != nil || l.Items[0].Task != 12 {
			t.Errorf("%s: %+v, %v", session, l.Items, err)
		}
	}
}
