package pawl

import (
	"context"
	"iter"
	"time"
)

// A Store keeps one board. Rules live in [Board]; a store only reads, commits and
// remembers. A type is a store if it passes store/storetest, which has one check
// for each numbered promise:
//
//  1. Update runs fn on the board as it is and commits what fn returns, whole
//     or not at all. Updates of one board follow one another: each sees what
//     every earlier one committed, whichever process made it.
//  2. fn is pure and may run again. An empty Commit writes nothing, and an
//     error of fn is returned as it is and commits nothing.
//  3. The sets of a commit get the revisions Reader.Revision()+1, +2, … of the
//     Reader that fn saw, in order. Update returns the last one.
//  4. View runs fn on a board that does not change while it runs. fn may call the
//     store. Neither these calls nor others wait for fn, however much they write.
//  5. Values that a reader returns share no memory with the store, and a store does
//     not keep the values of a commit.
//  6. Changes yields every committed set of the span in order of revision,
//     without a gap, each with its changes trimmed (see [Change]); or fails
//     with Gone, naming the revision to start from; backward, after the sets that
//     are left. Sets outside the span need not be kept for it. After the last
//     revision there is nothing, which is not an error.
//  7. Result returns the result of a set that was committed with that op id
//     within the last 24 hours at least.
//  8. A failure is an [*Error]. Unavailable means that a retry may work, and
//     its message says so when the outcome of a commit is not known.
//
// Promises 9 and 10 are those of a [Notifier] and a [Glancer].
//
//  11. The first set of a new board is @1 ([Revision.Short]), and a set that is @N
//     stays it: trimmed history, a lost cache and another process do not move
//     Reader.Origin. Where a store cannot count on, its board's next sets have
//     numbers that no earlier set had.
//
// A change without a Before makes a task as its After has it, and one without
// an After deletes the task. Any other sets the fields that it names, as
// [CopyFields] does, and besides them Urgency and Height, which no Field names;
// the rest of its After means nothing. BlockedBy is a field like the others: the
// [Board] works it out and names it. The changes of a set come in any order: an
// edge may lead to a task that a later change makes. Commit.Ranks come last, and
// have tasks that only moved.
//
// A store derives Blockers, Children and OpenChildren from Blocks, Parent and
// Status, also of tasks that no change names. It returns a task with the claim
// that was recorded, expired or not: the Board settles leases. A task and a set
// that went through [Encode] and package json are as they were, so that a store
// can keep them so.
//
// A function given to Update must not call the store: the [Board] refuses it to
// its callers.
type Store interface {
	View(ctx context.Context, fn func(Reader) error) error
	Update(ctx context.Context, fn func(Reader) (Commit, error)) (Revision, error)
	Changes(ctx context.Context, span Span) iter.Seq2[ChangeSet, error]
	Close() error // ends it: nothing is asked of it afterwards
}

// A Reader reads one board at one moment. It is valid only inside the function
// that it was given to, and is not safe for concurrent use.
type Reader interface {
	// Revision is the number of the last committed set; zero or more for a new board.
	Revision() Revision
	// Origin is the revision that the board counts its change sets from, for
	// [Revision.Short]. It is not above Revision.
	Origin() Revision
	// Epoch is how often the numbers of the board changed other than by one: they jumped
	// ahead after a backup was restored.
	Epoch() int64
	// LastID is the highest id that was ever given, by Pawl or up to
	// [MaxForeignID] by anybody: new ids count on from it.
	LastID() ID
	// Now is the store's clock, in UTC and whole milliseconds: it decides leases.
	Now() time.Time
	// Get returns the tasks in the order asked for, or NotFound naming all that
	// are missing. A task whose file is damaged comes with Damage set.
	Get(ids ...ID) ([]Task, error)
	// Briefs is Get for tasks as [Task.Brief] has them.
	Briefs(ids ...ID) ([]Task, error)
	// Nodes returns the shape of the tasks in the order asked for; a task that
	// is not there comes as a Node with Missing set.
	Nodes(ids ...ID) ([]Node, error)
	// Select returns a page of the tasks that match, in the query's order.
	Select(Query) (Page, error)
	// Reach returns from and everything that waits for it, or that it waits
	// for, over all recorded edges and child → parent, in id order. A missing
	// task that an edge names comes with Missing set.
	Reach(dir Direction, from ...ID) ([]Node, error)
	// Result returns what a request with this op id led to, if one was committed.
	Result(OpID) ([]byte, bool, error)
}

// Direction says which way [Reader.Reach] walks.
type Direction uint8

// The directions.
const (
	Dependents   Direction = iota // what waits: along Blocks, and from a child to its parent
	Dependencies                  // what is waited for: along Blockers, and from a parent to its children
)

// A Node is a task without its texts.
type Node struct {
	ID           ID
	Status       Status
	Priority     Priority
	Urgency      Priority
	Height       int
	Owner        string
	Claim        Claim
	Expired      int
	Held         bool
	Damaged      bool
	Missing      bool
	Parent       ID
	Children     []ID
	OpenChildren int
	Blocks       []ID
	Blockers     []ID
	BlockedBy    []ID
}

// Open reports whether the task is not completed; one that is missing counts
// as open, because it blocks.
func (n *Node) Open() bool { return n.Status != Completed }

// Node returns the task without its texts. It shares the task's slices.
func (t *Task) Node() Node {
	return Node{
		ID: t.ID, Status: t.Status, Priority: t.Priority, Urgency: t.Urgency, Height: t.Height,
		Owner: t.Owner, Claim: t.Claim, Expired: t.Expired, Held: t.Hold != nil, Damaged: t.Damage != "",
		Parent: t.Parent, Children: t.Children, OpenChildren: t.OpenChildren,
		Blocks: t.Blocks, Blockers: t.Blockers, BlockedBy: t.BlockedBy,
	}
}

// A Commit is what one Update writes.
type Commit struct {
	Sets   []ChangeSet // one a request that changed something, in order; their revisions are filled in by the store
	Ranks  []Rank      // every task whose place in the order may have moved, and its place after the last set
	LastID ID
}

// Empty reports whether there is nothing to write.
func (c *Commit) Empty() bool { return len(c.Sets) == 0 }

// A Checker is a store that can tell what is wrong with its board.
type Checker interface {
	Check(ctx context.Context) ([]Problem, error)
}

// A Notifier is a store that can hint that its board may have changed, so that
// watchers need not poll constantly. They read changes with Changes: a lost hint,
// or one too many, delays a reader but loses no change.
//
//  9. Notify returns a channel with room for one hint, in which several become
//     one. A hint comes after every commit, also of another store on the same
//     board, and not before Changes shows it. The channel is closed when ctx
//     ends, or when the store can no longer tell.
type Notifier interface {
	Notify(ctx context.Context) (<-chan struct{}, error)
}

// A Mender is a store that can repair some problems of its board.
type Mender interface {
	Checker
	// Mend repairs what it can without losing a text or an edge, and says what it
	// did; with dry it says what it would do. History has its changes of tasks, by
	// the actor.
	Mend(ctx context.Context, by Actor, dry bool) ([]Mended, error)
}

// Mended is a repaired problem.
type Mended struct {
	Problem Problem `json:"problem"` // what was wrong
	Done    string  `json:"done"`    // one sentence: what was done, and where the previous text is
}

// A Problem is something about a board that a person should know.
type Problem struct {
	Kind   string `json:"kind"`             // the sort of problem, such as damaged, missing or cycle; later versions may have more
	IDs    []ID   `json:"ids,omitempty"`    // the tasks in question
	File   string `json:"file,omitempty"`   // the file in question, relative to the board's folder
	Line   int    `json:"line,omitempty"`   // where in the file, counted from 1
	Column int    `json:"column,omitempty"` // in bytes, counted from 1
	Text   string `json:"text"`             // one sentence, for people
	Mend   string `json:"mend,omitempty"`   // what would repair it
}
