package wire

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// Shared is how a board is shared through a git remote, from what this clone
// remembers: what other clones do is known as of the last sync.
type Shared struct {
	Remote  string       `json:"remote"`            // a remote's name, or an address without credentials
	Ref     string       `json:"ref"`               // the reference on the remote
	Clone   string       `json:"clone"`             // what the other clones call this one
	Mode    string       `json:"mode"`              // the setting sync: manual, claims or always
	Synced  Moment       `json:"synced,omitempty"`  // when the remote was last reached; absent: never
	Unsent  int          `json:"unsent,omitempty"`  // number of changes that the remote does not have
	Running bool         `json:"running,omitempty"` // a sync is under way
	Failed  string       `json:"failed,omitempty"`  // why the last sync failed, one sentence
	Since   Moment       `json:"since,omitempty"`   // when the first of the failed syncs in a row was
	Stopped share.Stop   `json:"stopped,omitempty"` // why no sync runs by itself: rewound, deleted or tracked
	Clones  []string     `json:"clones,omitempty"`  // other clones that have claims
	Here    []pawl.ID    `json:"here,omitempty"`    // tasks whose claims only this clone knows
	Text    string       `json:"text"`              // how it stands, in a line for people
	Why     string       `json:"why,omitempty"`     // why the claims in here are known here only
	Next    []SharedStep `json:"next,omitempty"`    // after a stop: the commands to go on with, the usual one first
}

// SharedStep is a command, and what it does.
type SharedStep struct {
	Command string `json:"command"` // as people type it
	Does    string `json:"does"`    // a few words
}

// NewShared returns how a board is shared, at now; nil: it is not.
func NewShared(s *share.Status, now time.Time) *Shared {
	if s == nil {
		return nil
	}
	j := &Shared{
		Remote: s.Remote, Ref: s.Ref, Clone: s.Clone, Mode: s.Mode, Synced: Time(s.Synced), Unsent: s.Unsent, Running: s.Running,
		Failed: s.Failed, Since: Time(s.Since), Stopped: s.Stopped, Clones: s.Clones, Here: s.Here, Text: show.Shared(s, now),
	}
	if len(s.Here) > 0 {
		j.Why = show.HereOnly(s.Here[0], s)
	}
	for _, step := range show.SharedNext(s) {
		j.Next = append(j.Next, SharedStep(step))
	}
	return j
}

// Claims is what a remote says of the claims that a request made on a shared board.
type Claims struct {
	Confirmed []pawl.ID `json:"confirmed,omitempty"` // the remote has them
	Here      []pawl.ID `json:"here,omitempty"`      // claimed here only: another clone can get them, too
	Why       string    `json:"why,omitempty"`       // why that is so, one sentence
	Passed    []Passed  `json:"passed,omitempty"`    // of a claim without an id: tasks that another clone was first to claim
}

// Passed is a task that another clone was first to claim.
type Passed struct {
	ID      pawl.ID `json:"id"`              // its number
	Subject string  `json:"subject"`         // one line
	By      string  `json:"by,omitempty"`    // who has it
	Clone   string  `json:"clone,omitempty"` // where
}

// NewClaims returns what a remote says of claims; nil: it was not asked.
func NewClaims(s *query.Shared) *Claims {
	if s == nil || len(s.Confirmed)+len(s.Here)+len(s.Passed) == 0 {
		return nil
	}
	j := &Claims{Confirmed: s.Confirmed, Here: s.Here, Why: s.Why}
	for _, p := range s.Passed {
		j.Passed = append(j.Passed, Passed{p.ID, p.Subject, p.By, p.Clone})
	}
	return j
}
