package todo_test

import (
	"context"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// A busyStore is one in which somebody else acts after a list was written.
type busyStore struct {
	todo.Store
	then func(todo.Key)
}

func (s *busyStore) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	list, err := s.Store.Update(ctx, key, fn)
	if then := s.then; then != nil {
		s.then = nil
		then(key)
	}
	return list, err
}

// What somebody adds to a list while it moves stays where it was added.
func TestMoveMeetsEdit(t *testing.T) {
	from, to := todo.Key{Session: "own"}, todo.Key{Session: "real"}
	for _, met := range []bool{false, true} {
		store := &busyStore{Store: todomem.New()}
		todos := todo.New(store, func() time.Time { return noon })
		add := func(content string) {
			must.Do(t, errOf(store.Store.Update(t.Context(), from, func(l *todo.List) error {
				l.Items = append(l.Items, todo.Item{ID: content, Content: content, Status: todo.Pending, Priority: todo.Low, ActiveForm: content})
				return nil
			})))
		}
		add("a")
		if met {
			store.then = func(todo.Key) { add("b") }
		}
		must.Do(t, todos.Move(t.Context(), from, to))
		old, err := todos.Read(t.Context(), from)
		must.Do(t, err)
		got, err := todos.Read(t.Context(), to)
		if err != nil || len(got.Items) != 1 || old.Blank() == met || met && len(old.Items) != 2 {
			t.Errorf("met by an edit %v: there are %+v and %+v, %v", met, old.Items, got.Items, err)
		}
	}
}
