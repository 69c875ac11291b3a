package pawl

import (
	"bytes"
	"encoding/json"
	"maps"
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

// Field names a field of a task as its JSON does. Claim and Expired, which are
// kept beside the file, count too.
type Field string

// The fields that a change can name.
const (
	FieldSubject     Field = "subject"
	FieldDescription Field = "description"
	FieldStatus      Field = "status"
	FieldBlockedBy   Field = "blockedBy"
	FieldBlocks      Field = "blocks"
	FieldOwner       Field = "owner"
	FieldActiveForm  Field = "activeForm"
	FieldPriority    Field = "priority"
	FieldParent      Field = "parent"
	FieldWas         Field = "was"
	FieldLabels      Field = "labels"
	FieldNotes       Field = "notes"
	FieldHold        Field = "hold"
	FieldChecks      Field = "checks"
	FieldAccept      Field = "accept"
	FieldEvidence    Field = "evidence"
	FieldMetadata    Field = "metadata"
	FieldCreatedAt   Field = "createdAt"
	FieldUpdatedAt   Field = "updatedAt"
	FieldStartedAt   Field = "startedAt"
	FieldCompletedAt Field = "completedAt"
	FieldExtra       Field = "extra"
	FieldClaim       Field = "claim"
	FieldExpired     Field = "expired"
)

// fields says of each field how two tasks are compared in it and how it is
// carried from one to the other; everything about fields derives from here.
var fields = []struct {
	name Field
	same func(a, b *Task) bool
	copy func(dst, src *Task)
}{
	{FieldSubject, func(a, b *Task) bool { return a.Subject == b.Subject }, func(d, s *Task) { d.Subject = s.Subject }},
	{FieldDescription, func(a, b *Task) bool { return a.Description == b.Description }, func(d, s *Task) { d.Description = s.Description }},
	{FieldStatus, func(a, b *Task) bool { return a.Status == b.Status }, func(d, s *Task) { d.Status = s.Status }},
	{FieldBlockedBy, func(a, b *Task) bool { return slices.Equal(a.BlockedBy, b.BlockedBy) }, func(d, s *Task) { d.BlockedBy = slices.Clone(s.BlockedBy) }},
	{FieldBlocks, func(a, b *Task) bool { return slices.Equal(a.Blocks, b.Blocks) }, func(d, s *Task) { d.Blocks = slices.Clone(s.Blocks) }},
	{FieldOwner, func(a, b *Task) bool { return a.Owner == b.Owner }, func(d, s *Task) { d.Owner = s.Owner }},
	{FieldActiveForm, func(a, b *Task) bool { return a.ActiveForm == b.ActiveForm }, func(d, s *Task) { d.ActiveForm = s.ActiveForm }},
	{FieldPriority, func(a, b *Task) bool { return a.Priority == b.Priority }, func(d, s *Task) { d.Priority = s.Priority }},
	{FieldParent, func(a, b *Task) bool { return a.Parent == b.Parent }, func(d, s *Task) { d.Parent = s.Parent }},
	{FieldWas, func(a, b *Task) bool { return slices.Equal(a.Was, b.Was) }, func(d, s *Task) { d.Was = slices.Clone(s.Was) }},
	{FieldLabels, func(a, b *Task) bool { return slices.Equal(a.Labels, b.Labels) }, func(d, s *Task) { d.Labels = slices.Clone(s.Labels) }},
	{FieldNotes, func(a, b *Task) bool { return slices.EqualFunc(a.Notes, b.Notes, sameNote) }, func(d, s *Task) { d.Notes = slices.Clone(s.Notes) }},
	{FieldHold, func(a, b *Task) bool { return sameHold(a.Hold, b.Hold) }, func(d, s *Task) { d.Hold = s.Clone().Hold }},
	{FieldChecks, func(a, b *Task) bool { return slices.EqualFunc(a.Checks, b.Checks, sameCheck) }, func(d, s *Task) { d.Checks = cloneChecks(s.Checks) }},
	{FieldAccept, func(a, b *Task) bool { return slices.EqualFunc(a.Accept, b.Accept, sameCriterion) }, func(d, s *Task) { d.Accept = slices.Clone(s.Accept) }},
	{FieldEvidence, func(a, b *Task) bool { return slices.EqualFunc(a.Evidence, b.Evidence, sameEvidence) }, func(d, s *Task) { d.Evidence = slices.Clone(s.Evidence) }},
	{FieldMetadata, func(a, b *Task) bool { return sameRaw(a.Metadata, b.Metadata) }, func(d, s *Task) { d.Metadata = cloneRaw(s.Metadata) }},
	{FieldCreatedAt, func(a, b *Task) bool { return a.CreatedAt.Equal(b.CreatedAt) }, func(d, s *Task) { d.CreatedAt = s.CreatedAt }},
	{FieldUpdatedAt, func(a, b *Task) bool { return a.UpdatedAt.Equal(b.UpdatedAt) }, func(d, s *Task) { d.UpdatedAt = s.UpdatedAt }},
	{FieldStartedAt, func(a, b *Task) bool { return a.StartedAt.Equal(b.StartedAt) }, func(d, s *Task) { d.StartedAt = s.StartedAt }},
	{FieldCompletedAt, func(a, b *Task) bool { return a.CompletedAt.Equal(b.CompletedAt) }, func(d, s *Task) { d.CompletedAt = s.CompletedAt }},
	{FieldExtra, func(a, b *Task) bool { return sameRaw(a.Extra, b.Extra) }, func(d, s *Task) { d.Extra = cloneRaw(s.Extra) }},
	{FieldClaim, func(a, b *Task) bool { return sameClaim(a.Claim, b.Claim) }, func(d, s *Task) { d.Claim = s.Claim }},
	{FieldExpired, func(a, b *Task) bool { return a.Expired == b.Expired }, func(d, s *Task) { d.Expired = s.Expired }},
}

func sameNote(a, b Note) bool { return a.By == b.By && a.Text == b.Text && a.At.Equal(b.At) }

func sameCheck(a, b Check) bool { return a.Equal(&b) }

func sameCriterion(a, b Criterion) bool { return a.Text == b.Text && a.By == b.By && a.At.Equal(b.At) }

func sameEvidence(a, b Evidence) bool { return a.Equal(&b) }

func sameHold(a, b *Hold) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Reason == b.Reason && a.By == b.By && a.At.Equal(b.At)
}

func sameRaw(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
}

func sameClaim(a, b Claim) bool {
	return a.Session == b.Session && a.Agent == b.Agent && a.Token == b.Token && a.Lease == b.Lease && a.Until.Equal(b.Until) &&
		a.Clone == b.Clone // Confirmed does not count: nothing happened to the task
}

// Diff names the fields in which a and b differ, in the order of a task's
// file. Derived fields do not count.
func Diff(a, b *Task) []Field {
	var diff []Field
	for _, f := range fields {
		if !f.same(a, b) {
			diff = append(diff, f.name)
		}
	}
	return diff
}

// CopyFields carries the named fields from src to dst.
func CopyFields(dst, src *Task, names ...Field) {
	for _, f := range fields {
		if slices.Contains(names, f.name) {
			f.copy(dst, src)
		}
	}
}

// Trim returns the change as history keeps it: without derived fields, an edit
// reduced to the fields that it names, and nothing shared with c.
func (c Change) Trim() Change {
	trim := func(t *Task) *Task {
		if t == nil {
			return nil
		}
		kept := Task{ID: t.ID}
		for _, f := range fields {
			if c.Fields == nil || slices.Contains(c.Fields, f.name) {
				f.copy(&kept, t)
			}
		}
		return &kept
	}
	c.Before, c.After = trim(c.Before), trim(c.After)
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
