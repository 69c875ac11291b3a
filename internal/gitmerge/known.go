package gitmerge

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Known are the files that a pull or a rebase has changed since the last look, as they
// were: the board by whose numbers everybody here knows tasks. The board that git has
// now is there as well, where nothing is merged.
type known struct {
	was, is merge.Board
	told    []merge.Moved // by the last merge
}

// known reads them; both are empty where HEAD has not moved.
func (l *look) known(ctx context.Context) (k known, err error) {
	if l.tree == nil || l.memory.Head == "" || l.memory.Head == l.state.Head || l.state.Head == "" {
		return k, nil
	}
	shapes, err := l.commits(ctx, l.memory.Head, l.state.Head)
	if err != nil || shapes[0].id == shapes[1].id {
		return known{}, nil // such as a commit that git has dropped since
	}
	without := func(all, same map[pawl.ID]string) shape {
		all = maps.Clone(all)
		maps.DeleteFunc(all, func(id pawl.ID, blob string) bool { return same[id] == blob })
		return shape{tasks: all}
	}
	was, is := without(shapes[0].tasks, shapes[1].tasks), without(shapes[1].tasks, shapes[0].tasks)
	if len(was.tasks) == 0 {
		return k, nil // there are only new ones
	}
	boards, err := l.read(ctx, was, is)
	if err != nil {
		return k, err
	}
	return known{boards[0], boards[1], l.memory.Moved}, nil
}

// moves are the tasks of a board that had other numbers then, moved by anybody,
// beside those that are told already.
func (k known) moves(now merge.Board, told []merge.Moved) []merge.Moved {
	if len(k.was.Tasks) == 0 {
		return nil
	}
	told = slices.Concat(told, k.told)
	var moved []merge.Moved
	for id, text := range now.Tasks {
		if !bytes.Contains(text, []byte(`"was"`)) {
			continue
		}
		f, err := taskjson.Decode(text)
		if err != nil {
			continue
		}
		t := &f.Task
		for _, from := range t.Was {
			if slices.ContainsFunc(told, func(m merge.Moved) bool { return m.From == from && m.ID == id && m.Side == merge.Ours }) {
				continue
			}
			then, err := taskjson.Decode(k.was.Tasks[from])
			if err != nil || !then.Task.CreatedAt.Equal(t.CreatedAt) || taskjson.First(&then.Task) != taskjson.First(t) {
				continue
			}
			m := merge.Moved{Named: merge.Named{ID: id, Subject: t.Subject}, From: from, Side: merge.Ours, CreatedAt: t.CreatedAt}
			if elder, err := taskjson.Decode(now.Tasks[from]); err == nil {
				m.Elder, m.ElderBy = elder.Task.Subject, elder.Task.Owner
			}
			moved = append(moved, m)
		}
	}
	slices.SortFunc(moved, func(a, b merge.Moved) int { return int(a.ID - b.ID) })
	return moved
}
