// Package replay tells from history how a board came to be as it is: a film of the
// states that its tasks had, revision by revision, for a reader who wants all of it
// at once.
//
// It keeps to history. Facts in no change set, such as a file that can no longer be
// read or a lease that ended a moment ago, stand under Now.
package replay

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

const (
	// MaxSteps bounds a film: the log goes further back.
	MaxSteps = 5_000
	// MaxChanges bounds the changes of its steps in all, and so its size. One step
	// may be larger than that.
	MaxChanges = 100_000
	// mostNamed is how many characters a subject or a name has in a line.
	mostNamed = 80
)

// Film is the states of all tasks at one revision, and what each later change
// made of them.
type Film struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`      // of the board when the replay was made: the last one in it
	From     pawl.Revision `json:"from"`          // the revision at which it begins
	Cut      string        `json:"cut,omitempty"` // why it does not begin earlier, in words; absent: it begins where history does
	Tasks    []Named       `json:"tasks"`         // every task that appears in it, by id
	Start    []Standing    `json:"start"`         // the tasks that exist when it begins, by id
	Steps    []Step        `json:"steps"`         // what happened then, in order, without renewals of leases
	Now      []Standing    `json:"now"`           // tasks whose state now differs from that after the last step, for a reason that history does not have: an unreadable file, a lease that has expired
}

// A Filmer is a board that makes the film of itself, as the one called name sees it:
// of its newest [MaxSteps] change sets.
type Filmer interface {
	Film(ctx context.Context, name string) (*Film, error)
}

// Of returns the film of a board.
func Of(ctx context.Context, b query.Board, name string) (*Film, error) {
	if f, ok := b.(Filmer); ok {
		return f.Film(ctx, name)
	}
	return nil, pawl.Errorf(pawl.Invalid, "this board has no film of its history")
}

// Named is the subject of a task.
type Named struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line: its last subject
}

// Standing is the state of a task, in everything that a replay shows.
type Standing struct {
	ID      pawl.ID         `json:"id"`                // its number
	State   query.StateName `json:"state,omitempty"`   // for the caller; absent if the task is gone
	Owner   string          `json:"owner,omitempty"`   // its owner or assignee; absent: nobody
	Subject string          `json:"subject,omitempty"` // its subject at this moment, if it is not the last one
	Gone    bool            `json:"gone,omitempty"`    // the task is not on the board from this step on
}

// Step is one change set.
type Step struct {
	Revision pawl.Revision `json:"revision"` // of the board, from this step on
	At       wire.Moment   `json:"at"`       // when
	By       string        `json:"by"`       // the name of its author
	Verb     string        `json:"verb"`     // the verb of the request
	Line     string        `json:"line"`     // the change in a sentence, for people
	Changes  []Standing    `json:"changes"`  // the tasks whose state changed, by id; several, or none
}
