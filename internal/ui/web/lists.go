package web

import (
	"context"
	"reflect"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

const (
	// listsEvery is how often it is looked whether a todo list changed: a few looks
	// at files from outside.
	listsEvery = 500 * time.Millisecond
	// listsAnyway is after how many times heads are read even though nothing seems to
	// have changed: some file systems count time in seconds.
	listsAnyway = 10
	// maxFollowed is how many lists that run are looked at for tool calls, which
	// do not show in their heads.
	maxFollowed = 16
)

// seenLists is what the lists of the project looked like.
type seenLists struct {
	all    string // the stamp of all lists
	heads  []todo.Head
	stamps [maxFollowed]string // of those that run
}

// watchTodos tells the streams when a todo list of the project changed, until
// ctx ends. Lists that cannot be read now are read later: their readers are told.
func (f *feed) watchTodos(ctx context.Context) {
	look := time.NewTicker(listsEvery)
	defer look.Stop()
	before, _ := f.server.lookAtLists(ctx, nil, true)
	f.looked()
	for round := 1; ; round++ {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		now, err := f.server.lookAtLists(ctx, before, round%listsAnyway == 0)
		if err != nil {
			continue
		}
		if before == nil || !reflect.DeepEqual(now.heads, before.heads) || now.stamps != before.stamps {
			f.add(todosFrame)
		}
		before = now
	}
}

func (s *Server) lookAtLists(ctx context.Context, before *seenLists, anyway bool) (*seenLists, error) {
	now := &seenLists{}
	var err error
	if now.all, err = s.Todos.StampAll(ctx); err != nil {
		return nil, err
	}
	if before == nil || anyway || now.all == "" || now.all != before.all {
		if now.heads, err = s.heads(ctx); err != nil {
			return nil, err
		}
	} else {
		now.heads = before.heads
	}
	n := 0
	for i := range now.heads {
		if h := &now.heads[i]; n < maxFollowed && h.Running(s.Now()) {
			if now.stamps[n], err = s.Todos.Stamp(ctx, h.Key); err != nil {
				return nil, err
			}
			n++
		}
	}
	return now, nil
}
