package todo

import (
	"context"
	"time"
)

// An Edit is what a person does to a list, as data. Places are positions as
// people say them, counted from 1: "2", "2.1" (a subtask), "last", "1-3", "all".
type Edit interface {
	// apply changes the list and returns what it did, for a sentence: "removed 2 todos".
	apply(l *List, now time.Time) (what string, err error)
}

// The edits.
type (
	// Add puts a new todo, or with a place like "2.last" a subtask, there;
	// an empty place is the end.
	Add struct {
		At       string
		Content  string
		Priority Priority
	}
	// Set gives todos or subtasks another status.
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
	// Reorder moves a todo or subtask to another place.
	Reorder struct{ From, To string }
	// Remove takes todos or subtasks out of the list.
	Remove struct{ At []string }
	// Clear empties the list.
	Clear struct{}
	// Revert takes back the last change of the list, by whomever; twice it is
	// as it was.
	Revert struct{}
	// Link names the task that a todo was promoted to.
	Link struct {
		At   string
		Task int64
	}
)

// Edited is what came of an edit.
type Edited struct {
	List List
	What []string // what each edit did, for a sentence
}

// Edit changes a list in place, and has the agent told of it.
func (s *Service) Edit(ctx context.Context, key Key, project string, edits ...Edit) (Edited, error) {
	return Edited{}, nil
}
