package pawl

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// A Receiver is a store that can become a copy of another board, with what no
// Update brings: its history under its own revisions, claims with their tokens,
// and the results of op ids.
//
//  12. A copy is sent in parts, and each is taken whole or not at all:
//     first [Begin], then the change sets in order, then all tasks by stretches
//     of ids, then [End]. From Begin to End the board is unfinished: View,
//     Update and Changes fail with [UnfinishedError], also in other processes.
//     After End the board is as the other one was: Revision, Origin, LastID,
//     tasks, claims, places in the order and the history are the same, and the
//     results of the sets of the last 24 hours. Sets before Begin.Since are Gone.
//     A part that does not fit fails and changes nothing: Conflict where the
//     board is not as it names it, Invalid where the part can never work.
type Receiver interface {
	// Receiving returns the copy that has begun and not ended; nil: none has.
	Receiving(ctx context.Context) (*Receiving, error)
	// Receive takes the next part.
	Receive(ctx context.Context, part Part) error
}

// Receiving is how far an unfinished copy is.
type Receiving struct {
	Run      string    `json:"run"`
	Origin   Revision  `json:"origin,omitempty"`
	Revision Revision  `json:"revision"`      // of the last set that has come
	Last     ChangeSet `json:"last,omitzero"` // that set; zero: there is none
}

// A Part is one step of a copy: one of Begin, Sets, Tasks and End.
type Part struct {
	// Run names the copying. A later Begin takes over, and then the parts of the
	// earlier one are refused, so that two that copy at once do not mix.
	Run   string      `json:"run"`
	Begin *Begin      `json:"begin,omitempty"`
	Sets  []ChangeSet `json:"sets,omitempty"` // with their revisions, which follow that of the board by one each
	Tasks *Stretch    `json:"tasks,omitempty"`
	End   *End        `json:"end,omitempty"`
}

// Begin begins a copy on a board that is empty, or goes on with one on a board
// that has been one since: unfinished, or to bring what is new.
type Begin struct {
	Origin Revision `json:"origin,omitempty"` // of the other board
	Since  Revision `json:"since"`            // the sets after this one will come; the revision that the board must have unless it is empty
	Empty  bool     `json:"empty,omitempty"`  // the board must be empty: without a task, and without a set
}

// A Stretch is every task of the other board with After < ID <= UpTo, by id.
// What the board has there besides goes.
type Stretch struct {
	After ID     `json:"after,omitempty"`
	UpTo  ID     `json:"upTo"`
	Tasks []Task `json:"tasks,omitempty"`
}

// End makes a copy a board that can be used.
type End struct {
	Revision Revision `json:"revision"` // which the sets have led to
	LastID   ID       `json:"lastId,omitempty"`
}

// Bounds of a part: it is in memory at once, several times.
const (
	MaxPartSets  = 1_000
	MaxPartTasks = 1_000
	// PartSize is how many bytes a part may have about, as JSON, unless it has
	// only one set or task.
	PartSize = 4 << 20
	maxRun   = 100 // bytes of the name of a run
)

// UnfinishedError says that a board is being copied from another one.
func UnfinishedError() *Error {
	return Errorf(Unavailable, "this board is the copy of another one, and not all of it is here yet").
		Say("if the copying was interrupted, repeat it: it goes on where it was")
}

// OtherRunError says that a part is not of the copying that began last.
func OtherRunError() *Error {
	return Errorf(Conflict, "another copying to this board has begun, or this one has ended: repeat it")
}

// Fits says why a copy cannot begin on a board: empty says that it has neither task
// nor set, and is not unfinished.
func (b *Begin) Fits(empty bool, origin, revision Revision) error {
	switch {
	case b.Empty && !empty:
		return Errorf(Conflict, "the board to copy to is not empty")
	case b.Empty:
		return nil
	case empty || b.Origin != origin:
		return Errorf(Conflict, "the board to copy to is not a copy of this one")
	case b.Since != revision:
		return Errorf(Conflict, "the board to copy to is at revision %d, not %d: repeat it", int64(revision), int64(b.Since))
	}
	return nil
}

// Follows says why a part other than the first cannot come on a board at a revision.
func (p *Part) Follows(revision Revision) error {
	next := revision
	if len(p.Sets) > 0 {
		next = p.Sets[0].Revision - 1
	}
	if p.End != nil {
		next = p.End.Revision
	}
	if next != revision {
		return Errorf(Conflict, "the copy is at revision %d, and what came follows %d: repeat it", int64(revision), int64(next))
	}
	return nil
}

// Check fails with Invalid for a part that no board sends. A store checks each
// part with it: it may come from a network.
func (p *Part) Check() error {
	var f faults
	if p.Run == "" || len(p.Run) > maxRun || !utf8.ValidString(p.Run) {
		f.add("run", "has to have from 1 to %d bytes", maxRun)
	}
	kinds := 0
	for _, is := range []bool{p.Begin != nil, len(p.Sets) > 0, p.Tasks != nil, p.End != nil} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		f.add("", "a part is one of begin, sets, tasks and end")
	}
	if b := p.Begin; b != nil && (b.Origin < 0 || b.Since < b.Origin) {
		f.add("begin.since", "is %d, before the origin %d", int64(b.Since), int64(b.Origin))
	}
	if len(p.Sets) > MaxPartSets {
		f.add("sets", "are %d; the most is %d", len(p.Sets), MaxPartSets)
	}
	for i := range p.Sets {
		p.Sets[i].checkCopied(&f, i, p.Sets[0].Revision)
	}
	if p.Tasks != nil {
		p.Tasks.check(&f)
	}
	if e := p.End; e != nil && (e.Revision < 0 || e.LastID < 0 || e.LastID > MaxID) {
		f.add("end", "has no revision, or no last id")
	}
	if len(f) > 0 {
		return unworkable(f)
	}
	return nil
}

func (set *ChangeSet) checkCopied(f *faults, i int, first Revision) {
	at := fmt.Sprintf("sets[%d].", i)
	if set.Revision < 1 || set.Revision != first+Revision(i) {
		f.add(at+"revision", "is %d, and follows %d", int64(set.Revision), int64(first)+int64(i)-1)
	}
	if !storable(set.At) {
		f.add(at+"at", "is not a time in UTC and whole milliseconds")
	}
	if len(set.OpID) > MaxOpID {
		f.add(at+"opId", "is longer than %d bytes", MaxOpID)
	}
	for _, c := range set.Changes {
		if c.ID < 1 || c.ID > MaxID {
			f.add(at+"changes", "are of %d, which is not a task", int64(c.ID))
		}
	}
}

func (s *Stretch) check(f *faults) {
	if s.After < 0 || s.UpTo <= s.After || s.UpTo > MaxID {
		f.add("tasks.upTo", "is %d, and after is %d", int64(s.UpTo), int64(s.After))
	}
	if len(s.Tasks) > MaxPartTasks {
		f.add("tasks", "are %d; the most is %d", len(s.Tasks), MaxPartTasks)
	}
	last := s.After
	for i := range s.Tasks {
		t, at := &s.Tasks[i], fmt.Sprintf("tasks.tasks[%d].", i)
		if t.ID <= last || t.ID > s.UpTo {
			f.add(at+"id", "is %d, and follows %d, up to %d", int64(t.ID), int64(last), int64(s.UpTo))
		}
		last = t.ID
		switch {
		case t.Damage != "":
			f.add(at+"damage", "is set: the task cannot be read")
		case len(t.Merging) > 0 || t.Conflicted:
			f.add(at+"merging", "is set: the task has not been merged")
		}
		if t.Status != Pending && t.Status != InProgress && t.Status != Completed {
			f.add(at+"status", "is %q", clip(string(t.Status), 40))
		}
		if err := t.Claim.Check(); err != nil {
			f.add(at+"claim", "is not one that a board makes")
		}
		if t.Expired < 0 || t.Height < 0 {
			f.add(at+"expired", "is negative")
		}
	}
}

// storable reports whether a store can keep the time as it is.
func storable(t time.Time) bool { return t.Equal(t.Truncate(time.Millisecond)) }
