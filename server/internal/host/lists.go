package host

import (
	"context"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
	"github.com/pawl-dev/pawl/todo/todomem"
)

const (
	mostLists = 200 // of a token on a board
	keepLists = 30 * 24 * time.Hour
)

// tokenLists are the todo lists of agents that call a server's tools over HTTP with one
// token, on one board. Nobody else reads them. Without a bound a client could fill the
// disk: with each new list the old ones go, and of more than mostLists the oldest.
type tokenLists struct{ *todofile.Store }

// todos are the lists of a token on a board.
func (f *Faces) todos(board string, by access.Token) *todo.Service {
	if f.lists == "" {
		return todo.New(todomem.New(), time.Now)
	}
	store, err := todofile.Open(filepath.Join(f.lists, userdir.Escape(board), userdir.Escape(by.ID)))
	if err != nil {
		f.log.Warn("todo lists end with this server: " + err.Error())
		return todo.New(todomem.New(), time.Now)
	}
	return todo.New(tokenLists{store}, time.Now)
}

// Update implements [todo.Store].
func (l tokenLists) Update(ctx context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	begins := false
	list, err := l.Store.Update(ctx, key, func(was *todo.List) error {
		begins = was.Blank()
		return fn(was)
	})
	if err != nil || !begins {
		return list, err
	}
	now := time.Now()
	_, _ = l.Sweep(ctx, now.Add(-keepLists), now.Add(-todo.KeepOpen)) // the list is written; the next new one removes what stays
	heads, _ := l.Lists(ctx, time.Time{})
	for _, old := range heads[min(len(heads), mostLists):] {
		_ = l.Remove(ctx, old.Key)
	}
	return list, nil
}
