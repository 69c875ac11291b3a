package share

import (
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// Options say how to sync.
type Options struct {
	By     pawl.Actor
	Resume bool // a person says so: go on with what the remote has, though it was rewound or deleted
	// Claims says that agents wait for claims: after several turns in a row the clone
	// lets others go first.
	Claims bool
	// Renew sends renewals of claims, also if nothing else is to be sent and half a
	// lease has not passed.
	Renew bool
}

// Patience is how long somebody who claims a task waits for the remote.
const Patience = 10 * time.Second

// A Target is where a board is, or would be, shared.
type Target struct {
	Remote   string // its name, or its address without credentials
	Address  string // where that leads, without credentials
	Ref      string
	Programs []string // what the clone's own configuration of git says about programs on the way, as key=value
}

// A Report is what one sync did. Numbers are those of the board afterwards.
type Report struct {
	Arrived   []merge.Named   `json:"arrived,omitempty"`   // new here
	Changed   []merge.Named   `json:"changed,omitempty"`   // other than before
	Deleted   []merge.Named   `json:"deleted,omitempty"`   // deleted elsewhere; with the number it had
	Sent      []merge.Named   `json:"sent,omitempty"`      // tasks that the remote has in another form now
	Confirmed []pawl.ID       `json:"confirmed,omitempty"` // this clone's claims that the remote has, where it did not have them before
	Lost      []merge.Yielded `json:"lost,omitempty"`      // claims and completions of this clone that yielded
	Restored  []merge.Named   `json:"restored,omitempty"`  // files that nobody had deleted by Pawl, and that were missing
	Merge     merge.Report    `json:"merge"`               // moved numbers, cut edges, values that yielded
	Tries     int             `json:"tries,omitempty"`     // pushes that lost the race
	Revision  pawl.Revision   `json:"revision,omitempty"`  // the change set; zero: the board did not have to change
	Reached   bool            `json:"-"`                   // the remote has answered
}

// Empty reports whether there is nothing to tell.
func (r *Report) Empty() bool {
	return len(r.Arrived)+len(r.Changed)+len(r.Deleted)+len(r.Sent)+len(r.Confirmed)+len(r.Lost)+len(r.Restored) == 0 && r.Merge.Empty()
}

// A Status is how a shared board stands, from what this clone remembers.
type Status struct {
	Remote  string    `json:"remote"`            // a name of git's, or an address without credentials
	Ref     string    `json:"ref"`               // "refs/pawl/board", or a branch
	Clone   string    `json:"clone"`             // what the others call this one
	Mode    string    `json:"mode"`              // the setting sync: manual, claims or always
	Synced  time.Time `json:"synced,omitzero"`   // when the remote was last reached; zero: never
	Unsent  int       `json:"unsent,omitempty"`  // change sets of this clone since
	Running bool      `json:"running,omitempty"` // a sync is under way
	Failed  string    `json:"failed,omitempty"`  // what kept the last one from its end, one sentence
	Since   time.Time `json:"since,omitzero"`    // the first failure in a row
	Stopped Stop      `json:"stopped,omitempty"` // why no sync runs by itself
	Clones  []string  `json:"clones,omitempty"`  // other clones that have claims
	Here    []pawl.ID `json:"here,omitempty"`    // tasks that are claimed here only: the remote does not have the claim, or no longer
}

// A Stop is why a clone no longer syncs by itself.
type Stop string

// The stops.
const (
	StopRewound Stop = "rewound" // the remote lacks commits that it had
	StopDeleted Stop = "deleted" // the remote's reference is gone
	StopTracked Stop = "tracked" // the branch that is checked out has the board's files, too
)

// rechecked reports whether a sync that a person asks for checks again whether the stop still
// holds: a reference can come back.
func (s Stop) rechecked() bool {
	return s == "" || s == StopRewound || s == StopDeleted || s == StopTracked // the caller finds the last one out
}

// andThen is what two merges did, one after the other.
func andThen(first, then merge.Report) merge.Report {
	then.Moved = movedOn(first.Moved, then.Moved)
	then.Kept = slices.Concat(first.Kept, then.Kept)
	then.Both = slices.Concat(first.Both, then.Both)
	then.Cut = slices.Concat(first.Cut, then.Cut)
	then.Reopened = slices.Concat(first.Reopened, then.Reopened)
	then.Waiting = slices.Concat(first.Waiting, then.Waiting)
	then.Noted = slices.Concat(first.Noted, then.Noted)
	then.Unclear = slices.Concat(first.Unclear, then.Unclear)
	then.Beside = slices.Concat(first.Beside, then.Beside)
	return then
}
