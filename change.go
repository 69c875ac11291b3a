package pawl

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Revision is the number of a committed [ChangeSet]. It counts up by one with
// every set of a board.
type Revision int64

// Short is how people write the revision on a board that counts from origin
// ([Reader.Origin]): "@3" for its third change set. It never means another one
// later. A revision that is not after origin is written in full.
func (r Revision) Short(origin Revision) string {
	if r <= origin {
		return strconv.FormatInt(int64(r), 10)
	}
	return "@" + strconv.FormatInt(int64(r-origin), 10)
}

// OpID names a request so that it runs once, however often it is sent.
type OpID string

// An Actor is the author of a request. Name and Session together own a claim; Agent
// tells a subagent from the session's main one, whose name is empty.
type Actor struct {
	Name    string `json:"name,omitempty"`
	Session string `json:"session,omitempty"`
	Agent   string `json:"agent,omitempty"`
}

// PageSession is the session of what a person does on a page.
const PageSession = "web"

// Personal reports whether a session is a person's: a terminal's, or that of a page. An
// agent has none of them, also if it gives a person's name.
func Personal(session string) bool {
	return session == PageSession || strings.HasPrefix(session, "terminal-")
}

// Owns reports whether t is this actor's: assigned to the name, or worked on
// under it. While a lease lives, the name alone is not enough: every agent of a
// kind has the same one, so the session must be the same too. A claim without a
// lease is a person's, who is the same in every terminal. A claim of another clone
// belongs to nobody here ([Claim.Clone]).
func (a Actor) Owns(t *Task) bool { return a.owns(t.Owner, &t.Claim) }

func (a Actor) owns(owner string, c *Claim) bool {
	return owner != "" && owner == a.Name && c.Clone == "" && (!c.leased() || c.Session == a.Session)
}

// A ChangeSet is what one request did.
type ChangeSet struct {
	Revision Revision  `json:"revision"`
	At       time.Time `json:"at,omitzero"`
	By       Actor     `json:"by,omitzero"`
	Verb     string    `json:"verb"` // create, update, claim, complete, … or expire, external
	OpID     OpID      `json:"opId,omitempty"`
	Result   []byte    `json:"result,omitempty"` // what the request led to, as [Reader.Result] returns it
	Changes  []Change  `json:"changes,omitempty"`
	Ready    []ID      `json:"ready,omitempty"` // what the set made ready, the most urgent first; of a bulk set not known
	// Bulk marks a set of so many edits made outside Pawl that only the ids
	// were kept: its changes have no Before and no After.
	Bulk bool `json:"bulk,omitempty"`
	// Undoes is the set that this one took back; zero: it is not an undo.
	Undoes Revision `json:"undoes,omitempty"`
}

// A Change is what happened to one task. A creation has no Before, a deletion
// no After; both hold the whole task. An edit names its Fields. In history
// only those of Before and After are kept; in a [Result] and a [Commit] both are
// whole, Urgency and Height included.
type Change struct {
	ID        ID        `json:"id"`
	CreatedAt time.Time `json:"createdAt,omitzero"` // with ID, the identity of the task
	Fields    []Field   `json:"fields,omitempty"`
	Before    *Task     `json:"before,omitempty"`
	After     *Task     `json:"after,omitempty"`
}

// Trim returns the change as history keeps it: without derived fields, an edit
// reduced to the fields that it names, and nothing shared with c.
func (c Change) Trim() Change {
	names := c.Fields
	if names == nil {
		names = fields().names
	}
	for _, side := range []**Task{&c.Before, &c.After} {
		if *side != nil {
			kept := &Task{ID: (*side).ID}
			share(kept, *side, names)
			*kept = kept.Clone()
			*side = kept
		}
	}
	c.Fields = slices.Clone(c.Fields)
	return c
}

// A Span is a stretch of history.
type Span struct {
	After    Revision // sets with a higher revision
	Before   Revision // and with a lower one; zero: up to the newest
	Task     ID       // only sets that changed this task; zero: all
	Undos    bool     // only sets that took another one back
	Backward bool     // newest first
}

// Has reports whether a set is in the span.
func (s Span) Has(set *ChangeSet) bool {
	return set.Revision > s.After && (s.Before == 0 || set.Revision < s.Before) && (!s.Undos || set.Undoes != 0) &&
		(s.Task == 0 || slices.ContainsFunc(set.Changes, func(c Change) bool { return c.ID == s.Task }))
}
