package merge

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// A Side is one of the two boards.
type Side string

// The sides.
const (
	Ours   Side = "ours"
	Theirs Side = "theirs"
)

// A Report says what a merge did that is more than taking over changes. Numbers
// are those of the merged board, but for From. Lists are in order of number.
type Report struct {
	Arrived  []Named    `json:"arrived,omitempty"`  // new tasks of theirs
	Changed  []pawl.ID  `json:"changed,omitempty"`  // tasks of ours that are other than before
	Deleted  []Named    `json:"deleted,omitempty"`  // tasks of ours that theirs had deleted; ID is the number they had
	Moved    []Moved    `json:"moved,omitempty"`    // tasks with another number than on one of the sides
	Kept     []Kept     `json:"kept,omitempty"`     // tasks that one side deleted and the other changed
	Both     []Both     `json:"both,omitempty"`     // tasks that two people worked on
	Cut      []Edge     `json:"cut,omitempty"`      // edges that closed a cycle, and are gone
	Reopened []Named    `json:"reopened,omitempty"` // completed parents that an open child reopened
	Waiting  []Edge     `json:"waiting,omitempty"`  // tasks in progress that wait for an open one now
	Noted    []Noted    `json:"noted,omitempty"`    // values that both sides changed, and that yielded
	Unclear  []Unclear  `json:"unclear,omitempty"`  // what could be meant in two ways
	Beside   []Leftover `json:"beside,omitempty"`   // texts that have no place in a file
	Yielded  []Yielded  `json:"yielded,omitempty"`  // claims and completions of ours that the remote's stand against; only of [Onto]
}

// Empty reports whether there is nothing to tell.
func (r *Report) Empty() bool {
	return len(r.Arrived)+len(r.Changed)+len(r.Deleted)+len(r.Moved)+len(r.Kept)+len(r.Both)+len(r.Cut)+
		len(r.Reopened)+len(r.Waiting)+len(r.Noted)+len(r.Unclear)+len(r.Beside)+len(r.Yielded) == 0
}

// Named is a task and what it is called.
type Named struct {
	ID      pawl.ID `json:"id"`      // its number
	Subject string  `json:"subject"` // one line
}

// Moved is a task that one side knew under another number.
type Moved struct {
	Named
	From      pawl.ID   `json:"from"` // its number on that side
	Side      Side      `json:"side"` // the side
	CreatedAt time.Time `json:"createdAt,omitzero"`
	Elder     string    `json:"elder,omitempty"`   // the subject of the task that From is now
	ElderBy   string    `json:"elderBy,omitempty"` // its owner, if it has one
}

// Kept is a task that one side deleted. It stays, because the other changed it.
type Kept struct {
	Named
	Deleted Side `json:"deleted"` // the side that deleted it: ours or theirs
}

// Both is a task that both sides started or completed, under two names.
type Both struct {
	Named
	Ours   string `json:"ours"`   // who had it here
	Theirs string `json:"theirs"` // who had it there
}

// An Edge says that a task waits, or waited, for another one, or is its child.
type Edge = pawl.Edge

// Noted is a value that both sides changed, and where the other side's stands now.
// A subject, a description and the reason of a hold became a note of the task.
type Noted struct {
	ID    pawl.ID    `json:"id"`
	Field pawl.Field `json:"field"`
	Side  Side       `json:"side"`          // whose value yielded
	Note  bool       `json:"note"`          // it is a note of the task
	Value string     `json:"value"`         // the value: a text, or JSON
	Key   string     `json:"key,omitempty"` // of metadata, or of a field that Pawl does not know
}

// Unclear is a number that names two tasks, where nothing says which one is meant.
type Unclear struct {
	ID    pawl.ID    `json:"id"`    // the task that names it
	Field pawl.Field `json:"field"` // the field that names it
	Took  pawl.ID    `json:"took"`  // the task that it was taken for
}

// A Leftover is a text that is kept beside the files.
type Leftover struct {
	ID   pawl.ID `json:"id"`
	Why  string  `json:"why"`
	Text []byte  `json:"text,omitempty"`
}

// Yielded is a status of ours that does not stand, because the remote has another
// one. A completion that yielded became a note of the task.
type Yielded struct {
	Named
	Was    pawl.Status `json:"was"`              // what ours said: in progress, completed, or pending where it was released or reopened
	Owner  string      `json:"owner,omitempty"`  // who said so
	Held   *Held       `json:"held,omitempty"`   // the claim that ours had; nil: none was known
	Now    pawl.Status `json:"now"`              // what stands
	By     string      `json:"by,omitempty"`     // whose it is
	Winner *Held       `json:"winner,omitempty"` // the claim that stands
}
