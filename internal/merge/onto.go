package merge

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// Beside is what a shared board says about a task beside its file.
type Beside struct {
	// Turn counts how often the task changed its status, its owner or its claim. So
	// a task that was completed, reopened and completed again is no longer what it
	// was, though its file may say the same.
	Turn    int   `json:"turn,omitempty"`
	Expired int   `json:"expired,omitempty"` // leases in a row that ran out; it goes with the status
	Held    *Held `json:"held,omitempty"`    // the claim; nil: none is known
}

// Held is the claim of a task in progress, as all clones know it. The owner's name
// is in the task's file.
type Held struct {
	Clone   string        `json:"clone"`             // where it was made; with Token, the identity of the claim
	Token   pawl.Revision `json:"token"`             // in that clone
	Session string        `json:"session,omitempty"` // of the owner
	Agent   string        `json:"agent,omitempty"`
	Lease   time.Duration `json:"lease,omitempty"`   // zero: it does not end by itself
	Renewal int           `json:"renewal,omitempty"` // counts up with each renewal that is sent
}

// Gone is a task that was deleted from a shared board, as the remote had it last.
type Gone struct {
	ID     pawl.ID
	Text   []byte
	Beside Beside
}

// Onto brings what a clone changed onto the board that the remote has: theirs. The
// two are not equal here, as they are for [Boards]. The remote has one history, and
// what it says has been settled: a number, a status or a text that theirs changed
// stands, and that of ours yields.
//
// Written back into a clone, ours is the board as it is now, the base what was
// synced, and theirs the result.
func Onto(bases []Board, ours, theirs Board) (Board, Report) {
	return Boards(bases, ours, theirs) // until the rules of sharing are here
}
