package wire

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/query"
)

// ChangeSet is a change set in an envelope.
type ChangeSet struct {
	Revision pawl.Revision `json:"revision"`         // its number, larger than any earlier one
	Short    string        `json:"short"`            // the same as people write it: @3
	At       Moment        `json:"at"`               // when
	By       Actor         `json:"by"`               // who
	Verb     string        `json:"verb"`             // the verb of the request
	OpID     pawl.OpID     `json:"opId,omitempty"`   // the id under which it takes effect once
	Bulk     bool          `json:"bulk,omitempty"`   // the edit changed so many files that history has only their ids
	Undoes   pawl.Revision `json:"undoes,omitempty"` // the revision that it reverted
	Tasks    []Change      `json:"tasks"`            // what happened, task by task
	Ready    []query.Brief `json:"ready"`            // what it made ready, the most urgent first
}

// Actor is who made a change.
type Actor struct {
	Name    string `json:"name"`              // external: something other than Pawl; pawl: a lease that ran out
	Session string `json:"session,omitempty"` // of the name
	Agent   string `json:"agent,omitempty"`   // the subagent of the session; absent: the main agent, or a person
}

// Change is what happened to one task.
type Change struct {
	ID      pawl.ID         `json:"id"`               // its number
	Subject string          `json:"subject"`          // one line; empty if it is no longer known
	What    string          `json:"change"`           // created, edited or deleted
	Fields  []pawl.Field    `json:"fields,omitempty"` // which keys of the task changed
	Before  json.RawMessage `json:"before,omitempty"` // these keys as they were, spelled as in the task's file; a key that was not set is left out
	After   json.RawMessage `json:"after,omitempty"`  // these keys as they are
}

// NewChangeSet returns a set as an envelope shows it, of a board that counts from
// origin.
func NewChangeSet(set *pawl.ChangeSet, names query.Subjects, origin pawl.Revision) ChangeSet {
	names = names.At(set)
	j := ChangeSet{
		Revision: set.Revision, Short: set.Revision.Short(origin), At: Time(set.At), By: Actor(set.By), Verb: set.Verb, OpID: set.OpID, Bulk: set.Bulk, Undoes: set.Undoes,
		Tasks: make([]Change, len(set.Changes)), Ready: make([]query.Brief, len(set.Ready)),
	}
	for i, c := range set.Changes {
		change := Change{ID: c.ID, Subject: names[c.ID], What: query.What(&c), Fields: c.Fields}
		if c.Before != nil {
			change.Before = taskjson.EncodeFields(c.Before, c.Fields)
		}
		if c.After != nil {
			change.After = taskjson.EncodeFields(c.After, c.Fields)
		}
		j.Tasks[i] = change
	}
	for i, id := range set.Ready {
		j.Ready[i] = query.Brief{ID: id, Subject: names[id]}
	}
	return j
}
