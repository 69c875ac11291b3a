package todo

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

func (Revert) apply(l *List, now time.Time) (string, error) {
	back := l.Before
	if back == nil {
		return "", pawl.Errorf(pawl.NotFound, "the list has no earlier change that could be taken back")
	}
	items := CloneItems(back.Items)
	l.Past = slices.DeleteFunc(l.Past, func(p Past) bool { // it has not left, then
		left := p.At.Equal(back.At)
		if left {
			happened(items, p.Item)
		}
		return left
	})
	if len(l.Past) == 0 {
		l.Past = nil
	}
	for _, item := range l.Items {
		if !happened(items, item) {
			how := Cleared
			if !item.Open() {
				how = Finished
			}
			l.leave(item, how, now)
		}
	}
	if len(items) == 0 {
		items = nil
	}
	l.Items = items
	if what, ok := strings.CutPrefix(back.What, tookBack); ok {
		return didAgain + what, nil
	}
	return tookBack + clip(strings.TrimPrefix(back.What, didAgain), 200), nil
}

// What a revert did, before what that change was.
const (
	tookBack = "took back what was done last: "
	didAgain = "did again what was taken back: "
)

// happened gives the todo of the same id what a snapshot leaves out. It reports
// whether there is one.
func happened(items []Item, item Item) bool {
	i := slices.IndexFunc(items, func(i Item) bool { return i.ID == item.ID })
	if i < 0 {
		return false
	}
	to := &items[i]
	to.Task, to.ToolCalls = item.Task, cloneCalls(item.ToolCalls)
	for _, sub := range item.Subtasks {
		if s := slices.IndexFunc(to.Subtasks, func(s Subtask) bool { return s.ID == sub.ID }); s >= 0 {
			to.Subtasks[s].ToolCalls = cloneCalls(sub.ToolCalls)
		}
	}
	return true
}
