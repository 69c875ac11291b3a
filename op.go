package pawl

import (
	"context"
	"encoding/json"
	"time"
)

// An Op is a request to change a board, as data. Each op is all or nothing.
//
// The ops are [Create], [Import], [Update], [ClaimTask], [Start], [Complete],
// [Reopen], [Release], [Assign], [PutHold], [LiftHold], [AddNote], [AddEvidence], [Delete],
// [Renew] and [Undo]; [All] makes one of several. As JSON an op is an object
// whose key op names it: [Encode] writes it, and [ParseOp] reads it.
type Op interface {
	// Verb names the op in history.
	Verb() string
	// check finds what is wrong with the op itself, whatever the board.
	check() []Fault
	// apply carries the op out on tx and says what came of it.
	apply(tx *tx) error
}

// A Request is an op with its author, and perhaps an id so that it runs only once.
type Request struct {
	By Actor `json:"by,omitzero"`
	Op Op    `json:"op"`
	ID OpID  `json:"opId,omitempty"` // empty: each sending is a new request
	// Sessions are other sessions that are the caller's as well: of the same
	// agent process, or ended for certain. A claim of the caller's name in one of
	// them is the caller's own. Over a network they are the caller's word only.
	Sessions []string `json:"sessions,omitempty"`
	// Same reports whether a session belongs in Sessions. It is asked, outside of
	// the store, when a claim of the caller's name in that session is in the way
	// ([Error.Namesakes]), and should answer from what a machine knows of its
	// processes, never from arguments. It is not sent: the sender asks it when the
	// answer names a session, and sends the request again. nil: none does.
	Same func(session string) bool `json:"-"`
	// Still refuses, in the transaction, if numbers of tasks that the op names mean other tasks
	// than the caller knows: a sync or merge gives numbers to others. It may be called several
	// times. It is not sent, since no number changes on a server. nil: nothing is asked.
	Still func(Reader) error `json:"-"`
	// Seen is the state that the screening of the request saw. It is not sent: a server
	// screens the requests of agents itself. nil: nothing was screened.
	Seen *Seen `json:"-"`
	// Offline lets claims on a board that clones share count in this clone only, if the
	// remote cannot be reached. Only a person may ask for it: with Bound it has no effect.
	Offline bool `json:"offline,omitempty"`
	// Agent says that no person asks: a claim without a lease, which is a person's in
	// every session of the name, is the agent's own only in the session that made it,
	// and a change in a person's session ([Personal]) is not undone.
	Agent bool `json:"agent,omitempty"`
	// Bound is Agent, and protects what belongs to other names: the token of another name's
	// claim counts for nothing, nothing is assigned away from another name, and no other name's
	// hold is lifted and no other name's change undone. A server sets it for agents.
	Bound bool `json:"bound,omitempty"`
}

// Seen is the state for which a request was allowed. If the commit finds another state, the
// request is screened again, outside of the store, a few times.
type Seen struct {
	Tasks map[ID]*Task                                    // the tasks that it would change, as they were; nil: any
	Again func(context.Context, Request) (Request, error) // returns what it saw, too
	tries int
}

// judged are the fields by which a screening allows or refuses a change. A renewed lease
// or an unblocked task does not matter.
var judged = []Field{FieldStatus, FieldOwner, FieldLabels, FieldHold, FieldChecks, FieldAccept}

// A Result is the result of a [Request] that succeeded.
type Result struct {
	Revision Revision      `json:"revision,omitempty"` // of the change set; zero when nothing was written
	Changed  bool          `json:"changed,omitempty"`  // the op itself changed something; that it renewed leases does not count
	Repeated bool          `json:"repeated,omitempty"` // the op id had run before: this is what came of it then
	IDs      []ID          `json:"ids,omitempty"`      // the tasks that the request was about, in its order
	Refs     map[string]ID `json:"refs,omitempty"`     // Create and Import: the ids behind the refs
	Updated  []ID          `json:"updated,omitempty"`  // Import: which of IDs were there before and changed
	Kept     []ID          `json:"kept,omitempty"`     // Import: which of IDs were there before and stay as they were
	Ready    []ID          `json:"ready,omitempty"`    // tasks that the request made ready, in the order of urgency
	Holding  []ID          `json:"holding,omitempty"`  // a claim without an id: other tasks that its owner has claimed
	Tasks    []Task        `json:"tasks,omitempty"`    // the tasks in IDs as they are afterwards, those deleted left out
	// Undoes is the change set that an [Undo] reverted; Passed are those that it
	// passed over, the newest first.
	Undoes Revision   `json:"undoes,omitempty"`
	Passed []Revision `json:"passed,omitempty"`
	// Cut are the edges that were cut before the request, because files of other
	// programs had made a cycle of them.
	Cut []Edge `json:"cut,omitempty"`
	// Changes is what the request did to each task, those that followed and
	// renewed claims among them; both sides are whole. Empty when Repeated.
	Changes []Change `json:"changes,omitempty"`
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
	Ref         string                     `json:"ref,omitempty"` // what the other tasks of the op call it; empty: they do not
	Subject     string                     `json:"subject"`
	Description string                     `json:"description,omitempty"`
	ActiveForm  string                     `json:"activeForm,omitempty"`
	Priority    Priority                   `json:"priority,omitzero"`
	Parent      Ref                        `json:"parent,omitzero"` // zero: none
	Labels      []string                   `json:"labels,omitempty"`
	BlockedBy   []Ref                      `json:"blockedBy,omitempty"`
	Blocks      []Ref                      `json:"blocks,omitempty"`
	Owner       string                     `json:"owner,omitempty"` // assigns the task
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
	Note        string                     `json:"note,omitempty"` // the caller's first note on it
	Checks      []Check                    `json:"checks,omitempty"`
	Accept      []string                   `json:"accept,omitempty"` // criteria
	Met         []string                   `json:"met,omitempty"`    // those of Accept that the caller ticks
	Done        bool                       `json:"done,omitempty"`   // it is completed already, whatever it waited for; a parent is not while a child is open
}

// Create makes tasks and the edges among them.
type Create struct {
	Tasks []NewTask `json:"tasks"`
}

// An ImportTask is a task from elsewhere, with a past.
type ImportTask struct {
	NewTask
	// ID asks for this id. The task gets it if it was never given before; if the
	// board has a task with it that was created at the same moment, that one is
	// updated.
	ID          ID                         `json:"id,omitempty"`
	Was         []ID                       `json:"was,omitempty"`    // [Task.Was]; it counts only if the task gets ID, whose board they were numbers of
	Status      Status                     `json:"status,omitempty"` // empty: pending
	Notes       []Note                     `json:"notes,omitempty"`
	Hold        *Hold                      `json:"hold,omitempty"`
	CreatedAt   time.Time                  `json:"createdAt,omitzero"`
	UpdatedAt   time.Time                  `json:"updatedAt,omitzero"`
	StartedAt   time.Time                  `json:"startedAt,omitzero"`
	CompletedAt time.Time                  `json:"completedAt,omitzero"`
	Ticked      []Criterion                `json:"ticked,omitempty"` // those of NewTask.Accept that are ticked
	Evidence    []Evidence                 `json:"evidence,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
}

// Import brings tasks from elsewhere: those that the board knows, by id and
// creation time or by the metadata key [RefKey], are updated, the others made.
// Unlike Create it takes a task's state as it comes. Edges are only added. It
// completes no open task of the board that has checks or criteria, or that needs a
// check by Rules.
type Import struct {
	Tasks []ImportTask `json:"tasks"`
	Rules []CheckRule  `json:"rules,omitempty"` // checks that the caller's project asks of its tasks
	// LastID, if not zero, is the highest id that was given on the board that the tasks are
	// from: if each of them has its own here, no later task gets one up to it.
	LastID ID `json:"lastId,omitempty"`
	// Exact fails with Conflict if a task cannot keep its id, or a new one its times. Edges
	// that it adds do not count as an update of a task. With LastID it need not be set on a
	// board that has given no id.
	Exact bool `json:"exact,omitempty"`
}

// Update edits one task. A nil pointer leaves its field alone. An [Update.Empty] one is
// refused: a caller that may find nothing to change gives Was, which may be empty.
type Update struct {
	ID              ID                         `json:"id"`
	Subject         *string                    `json:"subject,omitempty"`
	Description     *string                    `json:"description,omitempty"`
	ActiveForm      *string                    `json:"activeForm,omitempty"`
	Priority        *Priority                  `json:"priority,omitempty"`
	Parent          *ID                        `json:"parent,omitempty"` // zero: no parent
	AddLabels       []string                   `json:"addLabels,omitempty"`
	RemoveLabels    []string                   `json:"removeLabels,omitempty"`
	Metadata        map[string]json.RawMessage `json:"metadata,omitempty"` // merged; null removes a key
	AddBlockedBy    []ID                       `json:"addBlockedBy,omitempty"`
	RemoveBlockedBy []ID                       `json:"removeBlockedBy,omitempty"`
	AddBlocks       []ID                       `json:"addBlocks,omitempty"`
	RemoveBlocks    []ID                       `json:"removeBlocks,omitempty"`
	AddChecks       []Check                    `json:"addChecks,omitempty"`    // one of the same name is replaced
	RemoveChecks    []string                   `json:"removeChecks,omitempty"` // by name
	AddAccept       []string                   `json:"addAccept,omitempty"`    // criteria
	RemoveAccept    []string                   `json:"removeAccept,omitempty"`
	Tick            []string                   `json:"tick,omitempty"` // criteria that are met, as they are written
	Untick          []string                   `json:"untick,omitempty"`
	Token           Revision                   `json:"token,omitempty"` // when not zero: fail unless the claim still has this token
	Was             *Was                       `json:"was,omitempty"`   // when not nil: fail if these fields have changed
}

// Was holds the fields of a task as a caller read them before it decided on an
// [Update]. The update fails with Conflict, with a fault for each field, when one
// has changed since, unless it already is what the update sets. A nil pointer
// leaves its field unchecked.
type Was struct {
	Subject     *string   `json:"subject,omitempty"`
	Description *string   `json:"description,omitempty"`
	ActiveForm  *string   `json:"activeForm,omitempty"`
	Priority    *Priority `json:"priority,omitempty"`
	Parent      *ID       `json:"parent,omitempty"`
}

// ClaimTask makes the caller the owner of a task and starts it, in one step.
// Exactly one of several callers gets it. Without an ID it fails as
// [NothingReady] says when no task is ready: Idle, Busy or Blocked.
type ClaimTask struct {
	ID     ID          `json:"id,omitempty"`    // zero: the first ready task that the filter chooses
	Filter ClaimFilter `json:"filter,omitzero"` // narrows the choice when ID is zero
	Skip   int         `json:"skip,omitempty"`  // with ID zero: passes over so many ready tasks, and begins with the first again after the last
	Token  Revision    `json:"token,omitempty"` // shows that the caller is the owner, from whatever session
	Force  bool        `json:"force,omitempty"` // even if it is blocked, on hold, or claimed by or assigned to somebody else
	Lease  Duration    `json:"lease,omitempty"` // zero: the claim does not expire
}

// A ClaimFilter chooses among ready tasks. Its zero value chooses all of them.
type ClaimFilter struct {
	Labels   []string  `json:"labels,omitempty"`   // all of these
	Parent   ID        `json:"parent,omitempty"`   // direct children of this task
	Priority *Priority `json:"priority,omitempty"` // own priority
	Owner    string    `json:"owner,omitempty"`    // assigned to this name
	Text     string    `json:"text,omitempty"`     // part of the subject or the description, case folded
}

// query chooses what the filter does, ready or not.
func (f *ClaimFilter) query() Query {
	return Query{Labels: f.Labels, Parent: f.Parent, Priority: f.Priority, Owner: f.Owner, Text: f.Text}
}

// Start makes the caller the owner of pending tasks and starts them. Unlike
// ClaimTask it does not change a task that the caller already works on.
type Start struct {
	IDs   []ID     `json:"ids"`
	Force bool     `json:"force,omitempty"`
	Lease Duration `json:"lease,omitempty"`
}

// Complete completes tasks. Blockers and children among them are completed first,
// whatever the order of IDs; the result has the order of IDs. A task is refused with
// [Unmet], Force or not, if one of its required checks has not passed or one of its
// criteria is not ticked.
type Complete struct {
	IDs   []ID     `json:"ids"`
	Token Revision `json:"token,omitempty"`
	Force bool     `json:"force,omitempty"` // even if blocked, on hold, or claimed by somebody else

	Rules []CheckRule `json:"rules,omitempty"` // checks that the caller's project asks of its tasks
	Tree  string      `json:"tree,omitempty"`  // id of the files as the caller has them, for which evidence must be; or NoTree
	// Unchecked is the reason to complete tasks that their checks or criteria do not
	// prove. It becomes a note. Only a person may give it: a Bound request is refused.
	Unchecked string `json:"unchecked,omitempty"`
}

// Reopen makes completed tasks pending again.
type Reopen struct {
	IDs []ID `json:"ids"`
}

// Release gives tasks back: pending, without an owner.
type Release struct {
	IDs   []ID     `json:"ids"`
	Hold  string   `json:"hold,omitempty"` // a reason: also put them on hold
	Token Revision `json:"token,omitempty"`
	Force bool     `json:"force,omitempty"`
}

// Assign names the owner of pending tasks, who has not started them.
type Assign struct {
	IDs   []ID   `json:"ids"`
	Owner string `json:"owner"`           // empty: nobody
	Force bool   `json:"force,omitempty"` // assign to the caller what is assigned to somebody else
}

// PutHold keeps tasks from being ready.
type PutHold struct {
	IDs    []ID   `json:"ids"`
	Reason string `json:"reason"`
}

// LiftHold ends a hold, and resets the count of expired leases. A hold that waits for a
// person's approval needs its reason.
type LiftHold struct {
	IDs    []ID   `json:"ids"`
	Reason string `json:"reason,omitempty"` // lift only a hold for exactly this reason; empty: any
}

// AddNote appends a note to a task.
type AddNote struct {
	ID   ID     `json:"id"`
	Text string `json:"text"`
}

// Delete removes tasks and every reference to them. Their ids are never given again.
type Delete struct {
	IDs   []ID `json:"ids"`
	Force bool `json:"force,omitempty"` // even if somebody else works on one
}

// Renew extends the leases of the caller's claims. So does every other request of
// the session that succeeds; reading does not.
type Renew struct {
	IDs   []ID     `json:"ids,omitempty"`   // empty: all claims of the caller's session
	Token Revision `json:"token,omitempty"` // a caller that shows it may renew
	Lease Duration `json:"lease,omitempty"` // zero: as long as each had
}

// Undo reverts a change set, as a new change. It fails with Conflict if that
// would overwrite a later change, which the error names, and never gives a claim
// back: its token has been overtaken.
type Undo struct {
	// Revision is that of the change set. Zero: the caller's newest one that is in
	// effect and no undo itself. The caller's are those of its name in its session
	// and in [Request.Sessions]. Request.Same is not sent to another machine: for a
	// board there, list the sessions or name the revision.
	Revision Revision `json:"revision,omitempty"`
	// Everywhere lets a zero Revision mean the changes of the caller's name in any
	// session, as for a person.
	Everywhere bool `json:"everywhere,omitempty"`
	// Pass is how many of the caller's changes a zero Revision may pass over
	// because the tasks as they are now do not let them be undone: others have
	// changed or deleted these since. Runs of checks that later runs have replaced do
	// not count.
	Pass int `json:"pass,omitempty"`
	// Rules are checks that the caller's project asks of its tasks: an undo that
	// completes one again needs them as well as the task's own.
	Rules []CheckRule `json:"rules,omitempty"`
}

// All carries out several ops as one, in order, each on what the ones before
// left: all of them, or nothing. In history it is one change under the verb of
// the last op.
type All struct {
	Ops []Op `json:"ops"`
}
