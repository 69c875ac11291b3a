package todo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// statusWord is what became of a todo that was set to a status; empty: there is no
// such status.
func statusWord(s Status) string {
	switch s {
	case Pending:
		return "pending"
	case InProgress:
		return "in progress"
	case Completed:
		return "completed"
	}
	return ""
}

func (e Set) apply(l *List, now time.Time) (string, error) {
	word := statusWord(e.Status)
	if word == "" {
		return "", pawl.Errorf(pawl.Invalid, "%q is not a status: use pending, in_progress or completed", clip(string(e.Status), 40))
	}
	places, err := l.find(e.At)
	if err != nil {
		return "", err
	}
	if e.Status == InProgress && len(places) > 1 {
		return "", pawl.Errorf(pawl.Invalid, "only one todo can be in progress, and %d positions are given", len(places))
	}
	name, also, changed := l.name(places...), []string(nil), false
	for _, p := range places {
		if l.status(p) == e.Status && !(p.sub == itself && l.Items[p.item].Blocked) {
			continue
		}
		changed = true
		also = append(also, l.set(p, e.Status, now)...)
	}
	if !changed {
		return fmt.Sprintf("left %s %s, as it was", name, word), nil
	}
	return strings.Join(append([]string{"marked " + name + " " + word}, also...), ", "), nil
}

func (l *List) status(p position) Status {
	if p.sub == itself {
		return l.Items[p.item].Status
	}
	return l.Items[p.item].Subtasks[p.sub].Status
}

// set gives one todo or subtask a status, and returns what else became of that.
func (l *List) set(p position, status Status, now time.Time) (also []string) {
	item := &l.Items[p.item]
	if p.sub != itself {
		sub := &item.Subtasks[p.sub]
		if status == InProgress {
			for i := range item.Subtasks {
				if s := &item.Subtasks[i]; s.Status == InProgress {
					s.Status = Pending
				}
			}
			if item.Status != InProgress {
				also = append(also, fmt.Sprintf("and so its todo %d", p.item+1))
				also = append(also, l.set(position{p.item, itself}, InProgress, now)...)
			}
		}
		sub.Status = status
		if reopened := l.reopen(p.item); reopened != "" {
			also = append(also, strings.TrimPrefix(reopened, ", "))
		}
		return also
	}
	switch status {
	case InProgress:
		also = l.demote(p.item)
		if item.StartedAt.IsZero() {
			item.StartedAt = now
		}
		item.CompletedAt = time.Time{}
	case Completed:
		n := 0
		for i := range item.Subtasks {
			if s := &item.Subtasks[i]; s.Status != Completed {
				s.Status = Completed
				n++
			}
		}
		if n > 0 {
			also = append(also, fmt.Sprintf("%s of todo %d with it", count(n, "subtask"), p.item+1))
		}
		item.CompletedAt = now
	case Pending:
		item.CompletedAt = time.Time{}
		item.rest()
	}
	item.Status, item.Blocked = status, false
	return also
}

// demote makes pending what is in progress beside one todo, and says so.
func (l *List) demote(except int) (also []string) {
	for i := range l.Items {
		if item := &l.Items[i]; i != except && item.Status == InProgress {
			item.Status = Pending
			item.rest()
			also = append(also, fmt.Sprintf("with which todo %d %s is pending again", i+1, quoted(item.Content)))
		}
	}
	return slices.Clip(also)
}

// rest makes the subtask pending that is in progress in a todo which is not.
func (i *Item) rest() {
	for s := range i.Subtasks {
		if sub := &i.Subtasks[s]; sub.Status == InProgress {
			sub.Status = Pending
		}
	}
}
