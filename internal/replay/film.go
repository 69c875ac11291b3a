// Package replay tells from history how a board came to be as it is: a film of
// the states that its tasks had, revision by revision, for one who looks at it
// in one go instead of asking for each.
//
// It keeps to history. What no change set tells, such as a file that cannot be
// read any more or a lease that ended a moment ago, stands under Now.
package replay

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/wire"
)

const (
	// MaxSteps bounds a film: who wants to see further back than that asks the log.
	MaxSteps = 5_000
	// MaxChanges bounds what its steps change in all, and so its size. One step
	// may be larger than that.
	MaxChanges = 100_000
	// mostNamed is how many characters a subject or a name has in a line.
	mostNamed = 80
)

// Film is the states of all tasks at one revision, and what each later change
// made of them.
type Film struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`      // of the board when the film was made: so far it goes
	From     pawl.Revision `json:"from"`          // the revision at which it begins
	Cut      string        `json:"cut,omitempty"` // why it does not begin earlier, in words; not there: it begins where history does
	Tasks    []Named       `json:"tasks"`         // every task that appears in it, by id
	Start    []Standing    `json:"start"`         // the tasks that are there when it begins, by id
	Steps    []Step        `json:"steps"`         // what happened then, in order; mere renewals of claims are left out
	Now      []Standing    `json:"now"`           // tasks that readers see otherwise than the last step leaves them, for a reason that history does not tell: a file that cannot be read, a lease that has ended
}

// Named is what a task is called.
type Named struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line: what it was called last
}

// Standing is where a task stands, in all respects that a film tells.
type Standing struct {
	ID      pawl.ID       `json:"id"`                // its number
	State   ask.StateName `json:"state,omitempty"`   // for the caller; not there when it is gone
	Owner   string        `json:"owner,omitempty"`   // who has it, or shall; not there: nobody
	Subject string        `json:"subject,omitempty"` // what it is called at this moment, where that is not what it was called last
	Gone    bool          `json:"gone,omitempty"`    // it is not on the board from here on
}

// Step is one change set.
type Step struct {
	Revision pawl.Revision `json:"revision"` // the board's, from here on
	At       wire.Moment   `json:"at"`       // when
	By       string        `json:"by"`       // the name of who made it
	Verb     string        `json:"verb"`     // what was asked for
	Line     string        `json:"line"`     // the change in a sentence, for people
	Changes  []Standing    `json:"changes"`  // the tasks that stand otherwise than before, by id; several, or none
}
