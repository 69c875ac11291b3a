package taskjson

import (
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Set is a change set as history keeps it, by package json.
type Set struct {
	Rev     pawl.Revision `json:"rev"`
	At      time.Time     `json:"at"`
	Name    string        `json:"name,omitempty"`
	Session string        `json:"session,omitempty"`
	Agent   string        `json:"agent,omitempty"`
	Verb    string        `json:"verb"`
	Op      pawl.OpID     `json:"op,omitempty"`
	Result  []byte        `json:"result,omitempty"`
	Bulk    bool          `json:"bulk,omitempty"`
	Undoes  pawl.Revision `json:"undoes,omitempty"`
	Changes []Change      `json:"changes,omitempty"`
	Ready   []pawl.ID     `json:"ready,omitempty"`
}

// A Change is a [pawl.Change] with the tasks as [EncodeFields] writes them.
type Change struct {
	ID        pawl.ID         `json:"id"`
	CreatedAt int64           `json:"createdAt,omitempty"` // Unix milliseconds
	Fields    []pawl.Field    `json:"fields,omitempty"`
	Before    json.RawMessage `json:"before,omitempty"`
	After     json.RawMessage `json:"after,omitempty"`
}

// PackSet reduces the changes of a set to what history keeps.
func PackSet(set *pawl.ChangeSet) Set {
	packed := Set{
		Rev: set.Revision, At: set.At, Name: set.By.Name, Session: set.By.Session, Agent: set.By.Agent,
		Verb: set.Verb, Op: set.OpID, Result: set.Result, Bulk: set.Bulk, Undoes: set.Undoes, Ready: set.Ready,
	}
	for _, c := range set.Changes {
		change := Change{ID: c.ID, CreatedAt: Millis(c.CreatedAt), Fields: c.Fields}
		if c.Before != nil {
			change.Before = EncodeFields(c.Before, c.Fields)
		}
		if c.After != nil {
			change.After = EncodeFields(c.After, c.Fields)
		}
		packed.Changes = append(packed.Changes, change)
	}
	return packed
}

// Unpack is the way back.
func (s *Set) Unpack() (pawl.ChangeSet, error) {
	set := pawl.ChangeSet{
		Revision: s.Rev, At: s.At, By: pawl.Actor{Name: s.Name, Session: s.Session, Agent: s.Agent},
		Verb: s.Verb, OpID: s.Op, Result: s.Result, Bulk: s.Bulk, Undoes: s.Undoes, Ready: s.Ready,
	}
	for _, c := range s.Changes {
		change := pawl.Change{ID: c.ID, CreatedAt: FromMillis(c.CreatedAt), Fields: c.Fields}
		var err error
		if c.Before != nil {
			if change.Before, err = DecodeFields(c.Before); err != nil {
				return set, err
			}
		}
		if c.After != nil {
			if change.After, err = DecodeFields(c.After); err != nil {
				return set, err
			}
		}
		set.Changes = append(set.Changes, change)
	}
	return set, nil
}

// Millis is a time in Unix milliseconds; 0: none.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis is the way back.
func FromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
