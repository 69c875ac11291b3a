package view

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Subjects are what tasks are called, by id.
type Subjects map[pawl.ID]string

// LoadSubjects finds what the tasks of some change sets are called: as the
// latest of the sets says that does, else as the board has it now. What it does
// not find has only its number.
func LoadSubjects(r pawl.Reader, sets ...pawl.ChangeSet) (Subjects, error) {
	names := Subjects{}
	return names, names.Load(r, sets...)
}

// Load adds what [LoadSubjects] finds to what is known already, which is not
// asked for again.
func (s Subjects) Load(r pawl.Reader, sets ...pawl.ChangeSet) error {
	created := map[pawl.ID]pawl.Change{}
	inOrder := slices.SortedFunc(slices.Values(sets), func(a, b pawl.ChangeSet) int { return cmp.Compare(a.Revision, b.Revision) })
	for i := range inOrder {
		if inOrder[i].Bulk {
			continue // too many to open each
		}
		s.learn(&inOrder[i])
		for _, c := range inOrder[i].Changes {
			created[c.ID] = c
		}
		for _, id := range inOrder[i].Ready {
			if _, ok := created[id]; !ok {
				created[id] = pawl.Change{ID: id}
			}
		}
	}
	var ask []pawl.ID
	for id := range created {
		if _, known := s[id]; !known {
			ask = append(ask, id)
		}
	}
	tasks, _, err := Present(r, ask)
	for i := range tasks {
		t := &tasks[i]
		if then := created[t.ID].CreatedAt; then.IsZero() || then.Equal(t.CreatedAt) { // else it is another task by now
			s[t.ID] = t.Subject
		}
	}
	return err
}

// learn takes the subjects that a set tells.
func (s Subjects) learn(set *pawl.ChangeSet) {
	for _, c := range set.Changes {
		for _, t := range []*pawl.Task{c.Before, c.After} {
			if t != nil && t.Subject != "" {
				s[c.ID] = t.Subject
			}
		}
	}
}

// at returns what tasks are called where a set is told: as it says itself, for
// they may have been called otherwise since.
func (s Subjects) at(set *pawl.ChangeSet) Subjects {
	then := maps.Clone(s)
	if then == nil {
		then = Subjects{}
	}
	then.learn(set)
	return then
}

// name is how a sentence calls a task of which little more is known than its id.
func (s Subjects) name(id pawl.ID) string { return Name(&pawl.Task{ID: id, Subject: s[id]}) }

// ChangeSet is a change set in an envelope.
type ChangeSet struct {
	Revision pawl.Revision `json:"revision"`         // its number, larger than that of any before
	At       Moment        `json:"at"`               // when
	By       Actor         `json:"by"`               // who
	Verb     string        `json:"verb"`             // what was asked for
	OpID     pawl.OpID     `json:"opId,omitempty"`   // under which it takes effect once only
	Bulk     bool          `json:"bulk,omitempty"`   // so many files at once that only their ids were kept
	Undoes   pawl.Revision `json:"undoes,omitempty"` // the revision that it took back
	Tasks    []Change      `json:"tasks"`            // what happened to which task
	Ready    []Brief       `json:"ready"`            // what it made ready, the most urgent first
}

// Actor is who made a change.
type Actor struct {
	Name    string `json:"name"`              // external: something other than Pawl; pawl: a lease that ran out
	Session string `json:"session,omitempty"` // of the name
	Agent   string `json:"agent,omitempty"`   // which agent of the session; not there: the main one, or a person
}

// Brief is a task by name.
type Brief struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line; empty where it is not known any more
}

// Change is what happened to one task.
type Change struct {
	ID      pawl.ID         `json:"id"`               // its number
	Subject string          `json:"subject"`          // one line; empty where it is not known any more
	What    string          `json:"change"`           // created, edited or deleted
	Fields  []pawl.Field    `json:"fields,omitempty"` // which keys of the task changed
	Before  json.RawMessage `json:"before,omitempty"` // these keys as they were, spelled as in the task's file; a key that was not set is left out
	After   json.RawMessage `json:"after,omitempty"`  // these keys as they are
}

// The things that can happen to a task.
const (
	created = "created"
	edited  = "edited"
	deleted = "deleted"
)

// NewChangeSet returns a set as an envelope shows it.
func NewChangeSet(set *pawl.ChangeSet, names Subjects) ChangeSet {
	names = names.at(set)
	j := ChangeSet{
		Revision: set.Revision, At: Time(set.At), By: Actor(set.By), Verb: set.Verb, OpID: set.OpID, Bulk: set.Bulk, Undoes: set.Undoes,
		Tasks: make([]Change, len(set.Changes)), Ready: make([]Brief, len(set.Ready)),
	}
	for i, c := range set.Changes {
		change := Change{ID: c.ID, Subject: names[c.ID], What: what(&c), Fields: c.Fields}
		if c.Before != nil {
			change.Before = taskjson.EncodeFields(c.Before, c.Fields)
		}
		if c.After != nil {
			change.After = taskjson.EncodeFields(c.After, c.Fields)
		}
		j.Tasks[i] = change
	}
	for i, id := range set.Ready {
		j.Ready[i] = Brief{id, names[id]}
	}
	return j
}

// what says what happened to the task. Of a set in bulk only that something did
// is known.
func what(c *pawl.Change) string {
	switch {
	case c.Before == nil && c.After != nil:
		return created
	case c.Before != nil && c.After == nil:
		return deleted
	}
	return edited
}
