package todo

import "context"

// A Writing says how a draft replaces a list.
type Writing struct {
	Merge   bool   // todos are changed by id, new ones added, others stay
	Project string // the project's folder
}

// Written is what came of a draft.
type Written struct {
	Old   []Item   // before
	New   []Item   // the list as given and repaired, also when all of it is completed
	List  List     // as it is stored: without todos when all of them are completed
	Diff  Diff     // from Old to New
	Notes []string // what was repaired in a way that the agent should know
}

// A Diff is the difference between two lists, by the identity of their todos.
type Diff struct {
	Added   []Item   `json:"added,omitempty"`
	Removed []Item   `json:"removed,omitempty"`
	Changed []Change `json:"changed,omitempty"`
}

// A Change is what a diff says of a todo that both lists have.
type Change struct {
	ID      string   `json:"id"`
	Content string   `json:"content"`        // as it is now
	Fields  []string `json:"fields"`         // which of them changed
	From    Status   `json:"from,omitempty"` // when the status changed
	To      Status   `json:"to,omitempty"`
}

// Write replaces a list, or merges into it, whole or not at all.
func (s *Service) Write(ctx context.Context, key Key, draft Draft, how Writing) (Written, error) {
	return Written{}, nil
}
