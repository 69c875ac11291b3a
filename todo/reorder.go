package todo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

func (e Reorder) apply(l *List, _ time.Time) (string, error) {
	from, err := l.findOne(e.From)
	if err != nil {
		return "", err
	}
	if (from.sub == itself) != !strings.Contains(e.To, ".") {
		return "", pawl.Errorf(pawl.Invalid, "%s cannot go to %s: a todo goes to a place like 3, a subtask to one like 2.3", from, clip(e.To, 40))
	}
	name := l.name(from)
	if from.sub == itself {
		to, err := l.findOne(e.To)
		if err != nil {
			return "", err
		}
		if to == from {
			return "left " + name + " where it was", nil
		}
		item := l.Items[from.item]
		l.Items = slices.Insert(slices.Delete(l.Items, from.item, from.item+1), to.item, item)
		return fmt.Sprintf("moved %s to %s", name, to), nil
	}
	moved := l.Items[from.item].Subtasks[from.sub]
	take := func() {
		subs := &l.Items[from.item].Subtasks
		*subs = slices.Delete(*subs, from.sub, from.sub+1)
		if len(*subs) == 0 {
			*subs = nil
		}
	}
	to, err := l.findGap(e.To)
	if err != nil {
		return "", err
	}
	item := &l.Items[to.item]
	if to.item == from.item { // the gap behind all others closes when it is taken out
		if to.sub = min(to.sub, len(item.Subtasks)-1); to == from {
			return "left " + name + " where it was", nil
		}
		take()
		item.Subtasks = slices.Insert(item.Subtasks, to.sub, moved)
		return fmt.Sprintf("moved %s to %s", name, to), nil
	}
	if len(item.Subtasks) >= MaxSubtasks {
		return "", pawl.Errorf(pawl.Invalid, "todo %d has %d subtasks, and more are not kept", to.item+1, MaxSubtasks)
	}
	take()
	if slices.ContainsFunc(item.Subtasks, func(s Subtask) bool { return s.ID == moved.ID }) {
		moved.ID = item.freeID()
	}
	item.Subtasks = slices.Insert(item.Subtasks, to.sub, moved)
	return fmt.Sprintf("moved %s to %s", name, to) + l.reopen(to.item), nil
}
