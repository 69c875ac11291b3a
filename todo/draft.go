package todo

import (
	"encoding/json"
	"strconv"
)

// A Draft is a list as an agent wrote it, repaired as far as its meaning is
// clear.
type Draft struct {
	Items []DraftItem
	Notes []string // what was ignored and may have been meant, a sentence each
}

// A DraftItem is a todo of a draft, with defaults for fields that were not given.
type DraftItem struct {
	Item
	Said  Said      // which fields the agent gave; the others follow the todo that this one was before
	Leave Departure // Cancelled: it goes to the past; Deleted: it goes for good; empty: it stays
}

// Deleted is the departure of a todo that is not remembered.
const Deleted Departure = "deleted"

// Said tells which fields of a todo were given.
type Said struct {
	ID, Content, Status, Priority, ActiveForm, Subtasks bool
}

// Decode reads a list as agents write it. With merge, a todo needs only its id
// and the fields that change.
//
// The list is an array of objects or texts, an object that holds one (todos,
// items, plan, tasks, entries), a string with either in JSON or as a Python
// literal, or a Markdown checklist; text that is not JSON is read as such a string.
// Decode accepts keys and words of other agents in any letter case and with any
// separators. It ignores unknown keys, and the tool calls, times and task of a
// todo, which only Pawl sets.
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

// defaults fills in the fields that were not given, except ids.
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

// subtaskID is the id of a subtask that was given none, by its position.
func subtaskID(todo string, s int) string { return todo + "." + strconv.Itoa(s+1) }

func numberSubtasks(id string, subtasks []Subtask) {
	ids := make([]*string, len(subtasks))
	for s := range subtasks {
		ids[s] = &subtasks[s].ID
	}
	number(ids, id+".")
}

// number sets each empty id to its position or, if that is taken, to the first
// free number.
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
