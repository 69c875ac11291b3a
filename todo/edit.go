package todo

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// An Edit is what a person does to a list, as data. Places are positions as
// people say them, counted from 1: "2", "2.1" (a subtask), "last", "1-3", "all".
type Edit interface {
	// apply changes the list and says what it did, as it follows "A person …":
	// `removed todo 2 "Run tests"`.
	apply(l *List, now time.Time) (what string, err error)
}

// The edits.
type (
	// Add puts a new todo, or with a place like "2.last" a subtask, there;
	// an empty place is the end.
	Add struct {
		At       string
		Content  string
		Priority Priority // empty: medium; a subtask has none
	}
	// Set gives todos or subtasks another status. Only one todo is in progress:
	// the one before becomes pending. Completing a todo completes its subtasks;
	// starting a subtask starts its todo.
	Set struct {
		At     []string
		Status Status
	}
	// Reword changes what a todo or subtask says; empty fields stay.
	Reword struct {
		At         string
		Content    string
		ActiveForm string
		Priority   Priority
	}
	// Reorder moves a todo or subtask to where another one is.
	Reorder struct{ From, To string }
	// Remove takes todos or subtasks out of the list.
	Remove struct{ At []string }
	// Clear empties the list.
	Clear struct{}
	// Revert takes back the last change of the todos, by anybody; twice it is
	// as it was. Tool calls stay with the todo for which they were: they happened.
	Revert struct{}
	// Link names the task that a todo was promoted to. To revert it ends the
	// link; the task stays.
	Link struct {
		ID      string // of the todo
		Content string // of the todo when it was promoted; empty: by its id alone
		Task    pawl.ID
	}
)

// An Editing says who edits a list.
type Editing struct {
	Project string // the project's folder
	By      string // as the agent is told: "A person"; empty: the agent itself, who knows
}

// Edited is the result of an edit.
type Edited struct {
	List     List
	What     []string // what each edit did, as it follows "A person …"
	Changed  bool     // false: all of it was so already
	Finished bool     // nothing was left to do, and the list was emptied
}

// Edit changes a list in place, all of the edits or none, and has the agent told
// of it at its next tool call.
func (s *Service) Edit(ctx context.Context, key Key, how Editing, edits ...Edit) (Edited, error) {
	var out Edited
	list, err := s.change(ctx, key, how.Project, func(l *List, now time.Time) error {
		out = Edited{}
		before := l.Clone()
		for _, edit := range edits {
			items := CloneItems(l.Items)
			what, err := edit.apply(l, now)
			if err != nil {
				return err
			}
			out.What = append(out.What, what)
			if reflect.DeepEqual(items, l.Items) {
				continue
			}
			if how.By != "" {
				l.tell(now, "%s %s.", how.By, what)
			}
		}
		if out.Changed = !reflect.DeepEqual(before.Items, l.Items); !out.Changed {
			*l = before // whatever happened in between
			return nil
		}
		before.remember(strings.Join(out.What, ", "), now)
		l.Before = before.Before
		if out.Finished = l.settle(now); out.Finished && how.By != "" {
			l.tell(now, "With that nothing is left to do, and the todo list is empty.")
		}
		return nil
	})
	out.List = list
	return out, err
}
