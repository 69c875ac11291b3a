package merge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Like is a board with the numbers of another one: a task that the other one has moved
// at least as often gets its number and was from there, and references to it follow.
// Two clones that settle one merge may give different numbers; which are better does
// not matter if everybody has the other board by now.
//
// Where a number would be given twice, the board is returned as it is.
func Like(b, other Board) Board {
	there := known(other, b)
	to := map[pawl.ID]pawl.ID{}
	was := map[pawl.ID][]pawl.ID{}
	for id, is := range known(b, other) {
		as := there[id]
		if is == nil || as == nil || is.ID == as.ID || len(as.Was) == 0 || len(as.Was) < len(is.Was) {
			continue
		}
		to[is.ID], was[is.ID] = as.ID, as.Was
	}
	if len(to) == 0 {
		return b
	}
	now := func(id pawl.ID) pawl.ID {
		if new, ok := to[id]; ok {
			return new
		}
		return id
	}
	like := Board{Tasks: make(map[pawl.ID][]byte, len(b.Tasks)), Mark: b.Mark}
	for id, text := range b.Tasks {
		text, ok := renamed(text, now, was[id])
		if !ok || like.Tasks[now(id)] != nil {
			return b
		}
		like.Tasks[now(id)] = text
	}
	return like
}

// renamed is the file of a task with other numbers in it.
func renamed(text []byte, now func(pawl.ID) pawl.ID, was []pawl.ID) ([]byte, bool) {
	f, err := taskjson.Decode(text)
	if err != nil {
		return text, was == nil
	}
	all := func(ids []pawl.ID) []pawl.ID {
		var is []pawl.ID
		for _, id := range ids {
			if new := now(id); new == id || !slices.Contains(is, new) && !slices.Contains(ids, new) {
				is = append(is, new)
			}
		}
		return is
	}
	word := func(s string) string {
		return renumber(s, func(id pawl.ID) string {
			if now(id) == id {
				return ""
			}
			return now(id).String()[1:]
		})
	}
	t := f.Task.Clone()
	t.ID, t.Parent, t.BlockedBy, t.Blocks = now(t.ID), now(t.Parent), all(t.BlockedBy), all(t.Blocks)
	if was != nil {
		t.Was = was
	}
	t.Subject, t.Description, t.ActiveForm = word(t.Subject), word(t.Description), word(t.ActiveForm)
	if t.Hold != nil {
		t.Hold.Reason = word(t.Hold.Reason)
	}
	for i := range t.Notes {
		t.Notes[i].Text = word(t.Notes[i].Text)
	}
	new, err := taskjson.Patch(text, &t)
	return new, err == nil
}

// known are the tasks of a board by identity, of the files that are other than on
// another board; nil where several have one.
func known(b, other Board) map[identity]*pawl.Task {
	all := map[identity]*pawl.Task{}
	for id, text := range b.Tasks {
		if bytes.Equal(text, other.Tasks[id]) {
			continue
		}
		f, err := taskjson.Decode(text)
		if err != nil || f.Task.ID != id {
			continue
		}
		is := identityOf(&f.Task)
		if _, twice := all[is]; twice {
			all[is] = nil
			continue
		}
		all[is] = &f.Task
	}
	return all
}

// Settled is a base with those tasks of is that it does not have and now has, under the
// same number: somebody has taken them into now already. Later changes of them in now
// belong to now's side.
func Settled(base, is, now Board) Board {
	of, has := known(base, is), known(now, base)
	settled := base
	for id, task := range known(is, base) {
		if task == nil || has[id] == nil || has[id].ID != task.ID || settled.Tasks[task.ID] != nil {
			continue
		}
		if _, ok := of[id]; ok {
			continue
		}
		if len(settled.Tasks) == len(base.Tasks) {
			settled.Tasks = maps.Clone(base.Tasks)
		}
		settled.Tasks[task.ID] = is.Tasks[task.ID]
	}
	return settled
}
