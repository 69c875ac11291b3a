package todo

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
)

// A Draft is a list as an agent wrote it, repaired as far as its meaning is
// clear.
type Draft struct {
	Items []DraftItem
}

// A DraftItem is a todo of a draft, with defaults for what was not said.
type DraftItem struct {
	Item
	Said  Said      // which fields the agent gave; the others follow the todo that this one was before
	Leave Departure // Cancelled: it goes to the past; Deleted: it goes for good; empty: it stays
}

// Deleted is the departure of a todo that nobody is to remember.
const Deleted Departure = "deleted"

// Said tells which fields of a todo were given.
type Said struct {
	ID, Content, Status, Priority, ActiveForm, Subtasks bool
}

// Decode reads a list as agents write it. With merge a todo may say no more than
// its id and what is to change.
//
// All faults are reported at once, in one error of kind Invalid:
//
//	Invalid todo data: todos.0.content: must not be empty; todos.2.status: …
func Decode(todos json.RawMessage, merge bool) (Draft, error) {
	return Draft{}, pawl.Errorf(pawl.Invalid, "not yet")
}
