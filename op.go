package pawl

import (
	"encoding/json"
	"time"
)

// An Op is a request to change a board, as data. Each op is all or nothing.
//
// The ops are [Create], [Import], [Update], [ClaimTask], [Start], [Complete],
// [Reopen], [Release], [Assign], [PutHold], [LiftHold], [AddNote], [Delete]
// and [Renew]; [Board.UndoOp] makes another, and [All] makes one of several.
type Op interface {
	// verb names the op in history.
	verb() string
	// check finds what is wrong with the op itself, whatever the board.
	check() []Fault
	// apply carries the op out on tx and says what came of it.
	apply(tx *tx) error
}

// A Request is an op, who asks for it, and perhaps a name that makes it run
// only once.
type Request struct {
	By Actor
	Op Op
	ID OpID // empty: each sending is a new request
	// Same reports whether another session is the caller's as well: one of the
	// same agent process, or one that has ended for certain. It is asked, outside
	// of the store, where a claim of the caller's name in that session is in the
	// way, and should be told by what a machine knows of itself, never by
	// arguments. nil: no other session is.
	Same func(session string) bool

	same []string // what Same has said yes to
}

// A Result is what came of a [Request] that succeeded.
type Result struct {
	Revision Revision      // of the change set; zero when nothing was written
	Changed  bool          // the op itself changed something; that it renewed leases does not count
	Repeated bool          // the op id had run before: this is what came of it then
	IDs      []ID          // the tasks that the request was about, in its order
	Refs     map[string]ID // Create and Import: the ids behind the refs
	Updated  []ID          // Import: which of IDs were there before and changed
	Kept     []ID          // Import: which of IDs were there before and stay as they were
	Ready    []ID          // tasks that the request made ready, in the order of urgency
	Holding  []ID          // a claim without an id: what its owner held already
	Tasks    []Task        // the tasks in IDs as they are afterwards, those deleted left out
	// Changes is what the request did to each task, those that followed and
	// renewed claims among them; both sides are whole. Empty when Repeated.
	Changes []Change
}

// A Ref names a task, either by its id or by the ref of a [NewTask] in the same op.
type Ref struct {
	ID   ID
	Name string
}

// RefID refers to a task on the board.
func RefID(id ID) Ref { return Ref{ID: id} }

// RefName refers to a task that the same op makes.
func RefName(name string) Ref { return Ref{Name: name} }

// A NewTask describes a task to be made.
type NewTask struct {
	Ref         string // what the other tasks of the op call it; empty: they do not
	Subject     string
	Description string
	ActiveForm  string
	Priority    Priority
	Parent      Ref // zero: none
	Labels      []string
	BlockedBy   []Ref
	Blocks      []Ref
	Owner       string // assigns the task
	Metadata    map[string]json.RawMessage
}

// Create makes tasks and the edges among them.
type Create struct {
	Tasks []NewTask
}

// An ImportTask is a task from elsewhere, with a past.
type ImportTask struct {
	NewTask
	// ID asks for this id. It is given when it was never given before; when
	// the board has a task with it that was created at the same moment, that
	// one is meant.
	ID          ID
	Status      Status // empty: pending
	Notes       []Note
	Hold        *Hold
	CreatedAt   time.Time
	UpdatedAt   time.Time
	StartedAt   time.Time
	CompletedAt time.Time
	Extra       map[string]json.RawMessage
}

// Import brings tasks from elsewhere: those that the board knows, by id and
// creation time or by the metadata key [RefKey], are updated, the others made.
// Unlike Create it takes a task's state as it comes. Edges are only added.
type Import struct {
	Tasks []ImportTask
}

// Update edits one task. A nil pointer leaves its field alone.
type Update struct {
	ID              ID
	Subject         *string
	Description     *string
	ActiveForm      *string
	Priority        *Priority
	Parent          *ID // zero: no parent
	AddLabels       []string
	RemoveLabels    []string
	Metadata        map[string]json.RawMessage // merged; null removes a key
	AddBlockedBy    []ID
	RemoveBlockedBy []ID
	AddBlocks       []ID
	RemoveBlocks    []ID
	Token           Revision // when not zero: fail unless the claim still has this token
}

// ClaimTask makes the caller the owner of a task and starts it, in one step.
// Exactly one of several callers gets it. Without an ID it fails as
// [NothingReady] says when no task is ready: Idle, Busy or Blocked.
type ClaimTask struct {
	ID ID // zero: the first ready task that the filter chooses
	// Filter narrows the choice when ID is zero: Labels, Parent, Priority, Owner
	// and Text.
	Filter Query
	Lease  time.Duration // zero: the claim does not end by itself
	Token  Revision      // shows that the caller is the owner, from whatever session
	Force  bool          // although it is blocked, held, or claimed by or assigned to somebody else
}

// Start makes the caller the owner of pending tasks and starts them. Unlike a
// claim it leaves alone what the same name already works on.
type Start struct {
	IDs   []ID
	Lease time.Duration
	Force bool
}

// Complete completes tasks, in the order given.
type Complete struct {
	IDs   []ID
	Token Revision
	Force bool // although blocked, or held by another
}

// Reopen makes completed tasks pending again.
type Reopen struct {
	IDs []ID
}

// Release gives tasks back: pending, without an owner.
type Release struct {
	IDs   []ID
	Hold  string // a reason: also hold them
	Token Revision
	Force bool
}

// Assign names the owner of pending tasks, who has not started them.
type Assign struct {
	IDs   []ID
	Owner string // empty: nobody
	Force bool   // to the caller, although assigned to somebody else
}

// PutHold keeps tasks from being ready.
type PutHold struct {
	IDs    []ID
	Reason string
}

// LiftHold ends a hold, and forgets the leases that ran out.
type LiftHold struct {
	IDs []ID
}

// AddNote appends a note to a task.
type AddNote struct {
	ID   ID
	Text string
}

// Delete removes tasks and every reference to them. Their ids are never given again.
type Delete struct {
	IDs   []ID
	Force bool // although another is working on one
}

// Renew is a sign of life: it extends the leases of the caller's claims.
type Renew struct {
	IDs   []ID          // empty: all claims of the caller's session
	Lease time.Duration // zero: as long as each had
	Token Revision      // renews whoever shows it
}

// All carries out several ops as one, in order, each on what the ones before
// left: all of them, or nothing. In history it is one change under the verb of
// the last op.
type All struct {
	Ops []Op
}
