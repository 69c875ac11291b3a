package sessions

import (
	"context"

	"github.com/pawl-dev/pawl/todo"
)

// Noting is a store that says whose list has changed.
func Noting(l Local, changed func(todo.Key)) Local { return noting{l, changed} }

type noting struct {
	Local
	changed func(todo.Key)
}

func (n noting) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	list, err := n.Local.Update(ctx, key, fn)
	return list, n.note(key, err)
}

func (n noting) Remove(ctx context.Context, key todo.Key) error {
	return n.note(key, n.Local.Remove(ctx, key))
}

func (n noting) LogCall(ctx context.Context, key todo.Key, id string, note func(*todo.List) (todo.CallNote, bool)) error {
	return n.note(key, n.Local.LogCall(ctx, key, id, note))
}

func (n noting) note(key todo.Key, err error) error {
	if err == nil {
		n.changed(key.Normal())
	}
	return err
}
