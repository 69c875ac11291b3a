package todo

import (
	"encoding/json"
	"strconv"
)

// A Draft is a list as an agent wrote it, repaired as far as its meaning is
// clear.
type Draft struct {
	Items []DraftItem
	Notes []string // what was passed over although it may have been meant, a sentence each
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
// The list is an array of objects or texts, an object that holds one (todos,
// items, plan, tasks, entries), a string with either in JSON or as a Python
// literal, or a Markdown checklist; what is no JSON is taken for such a string.
// Keys and words of other agents are understood, whatever their letter case and
// separators, and keys that mean nothing here are passed over: so are the tool
// calls, the times and the task of a todo, which only Pawl sets.
//
// All faults are reported at once, in one error of kind Invalid:
//
//	Invalid todo data: todos.0.content: must not be blank; todos.2.status: …
func Decode(todos json.RawMessage, merge bool) (Draft, error) {
	r := reader{checker: checker{merge: merge}}
	draft := r.draft(todos)
	if err := r.faults.err(); err != nil {
		return Draft{}, err
	}
	draft.number()
	return draft, nil
}

// defaults fills in what was not said, but for ids.
func (it *DraftItem) defaults() {
	if it.Status == "" {
		it.Status = Pending
	}
	if it.Priority == "" {
		it.Priority = Medium
	}
	if it.ActiveForm == "" {
		it.ActiveForm = it.Content
	}
	for s := range it.Subtasks {
		if it.Subtasks[s].Status == "" {
			it.Subtasks[s].Status = Pending
		}
	}
}

// number gives ids to the todos and subtasks that have none.
func (d *Draft) number() {
	ids := make([]*string, len(d.Items))
	for i := range d.Items {
		ids[i] = &d.Items[i].ID
	}
	number(ids, "")
	for i := range d.Items {
		numberSubtasks(d.Items[i].ID, d.Items[i].Subtasks)
	}
}

// subtaskID is the id of the subtask at a position that was given none.
func subtaskID(todo string, s int) string { return todo + "." + strconv.Itoa(s+1) }

func numberSubtasks(id string, subtasks []Subtask) {
	ids := make([]*string, len(subtasks))
	for s := range subtasks {
		ids[s] = &subtasks[s].ID
	}
	number(ids, id+".")
}

// number sets each id that is empty: to its position, or to the first number
// that no other has.
func number(ids []*string, prefix string) {
	taken := make(map[string]bool, len(ids))
	for _, id := range ids {
		taken[*id] = true
	}
	set := func(id *string, n int) {
		if own := prefix + strconv.Itoa(n); !taken[own] {
			*id, taken[own] = own, true
		}
	}
	for i, id := range ids {
		if *id == "" {
			set(id, i+1)
		}
	}
	next := 1
	for _, id := range ids {
		for ; *id == ""; next++ {
			set(id, next)
		}
	}
}
