package web

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
)

// An opKind is one sort of op as docs/openapi.json describes it: the keys of the
// op that package pawl reads which a person needs.
type opKind struct {
	name string
	says string
	body any // a value of its type
}

// opKinds are all of them.
var opKinds = []opKind{
	{"create", "Makes tasks, and the edges among them", createOp{}},
	{"update", "Edits a task and its edges; what is not there stays as it is", updateOp{}},
	{"claim", "Makes the caller the owner of a task and starts it", claimOp{}},
	{"start", "Makes the caller the owner of tasks and starts them", startOp{}},
	{"complete", "Completes tasks, of several each behind those that it waits for", completeOp{}},
	{"reopen", "Makes completed tasks pending again", reopenOp{}},
	{"release", "Gives tasks back: pending, without an owner", releaseOp{}},
	{"assign", "Names the owner of pending tasks, who has not started them", assignOp{}},
	{"hold", "Keeps tasks from being ready", holdOp{}},
	{"lift", "Ends a hold", liftOp{}},
	{"note", "Appends a note to a task", noteOp{}},
	{"delete", "Removes tasks and every edge to them; an undo brings them back", deleteOp{}},
	{"undo", "Takes a change back; stands alone", undoOp{}},
}

// createOp makes tasks.
type createOp struct {
	Op    string        `json:"op"`    // create
	Tasks []newTaskJSON `json:"tasks"` // at most 500
}

// newTaskJSON is a task to be made.
type newTaskJSON struct {
	Ref         string     `json:"ref,omitempty"`         // what the other tasks of the op call it
	Subject     string     `json:"subject"`               // one line, at most 500 characters
	Description string     `json:"description,omitempty"` // text, at most 64 KiB; shown as Markdown
	ActiveForm  string     `json:"activeForm,omitempty"`  // what is being done, in the present tense: "Writing tests"
	Priority    wire.Level `json:"priority,omitempty"`    // medium unless said
	Parent      refJSON    `json:"parent,omitzero"`       // the task that it is a part of
	Labels      []string   `json:"labels,omitempty"`      // at most 50, of at most 100 characters each
	BlockedBy   []refJSON  `json:"blockedBy,omitempty"`   // what it waits for
	Blocks      []refJSON  `json:"blocks,omitempty"`      // what waits for it
	Owner       string     `json:"owner,omitempty"`       // who shall do it
}

// refJSON is a task: its number, or the ref of one that the same op makes.
type refJSON pawl.Ref

// updateOp edits a task.
type updateOp struct {
	Op              string      `json:"op"`                        // update
	ID              pawl.ID     `json:"id"`                        // the task
	Subject         *string     `json:"subject,omitempty"`         // one line, at most 500 characters
	Description     *string     `json:"description,omitempty"`     // text, at most 64 KiB; empty: none
	ActiveForm      *string     `json:"activeForm,omitempty"`      // what is being done; empty: not said
	Priority        *wire.Level `json:"priority,omitempty"`        // its own priority
	Parent          *parentID   `json:"parent,omitempty"`          // the task that it is a part of; 0: none
	AddLabels       []string    `json:"addLabels,omitempty"`       // labels that it shall have
	RemoveLabels    []string    `json:"removeLabels,omitempty"`    // labels that it shall not have
	AddBlockedBy    []pawl.ID   `json:"addBlockedBy,omitempty"`    // what it shall wait for
	RemoveBlockedBy []pawl.ID   `json:"removeBlockedBy,omitempty"` // what it shall not wait for
	AddBlocks       []pawl.ID   `json:"addBlocks,omitempty"`       // what shall wait for it
	RemoveBlocks    []pawl.ID   `json:"removeBlocks,omitempty"`    // what shall not wait for it
}

// parentID is the number of a task, or 0.
type parentID int64

// claimOp takes a task. A person's claim does not end by itself.
type claimOp struct {
	Op    string  `json:"op"`              // claim
	ID    pawl.ID `json:"id,omitempty"`    // the task; not there: the most urgent ready one
	Force bool    `json:"force,omitempty"` // although it is blocked, held, or somebody else's
}

// startOp starts tasks.
type startOp struct {
	Op    string    `json:"op"`              // start
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Force bool      `json:"force,omitempty"` // although one is blocked, held, or somebody else's
}

// completeOp completes tasks.
type completeOp struct {
	Op    string    `json:"op"`              // complete
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Force bool      `json:"force,omitempty"` // although one is blocked, or somebody else's
}

// reopenOp reopens tasks.
type reopenOp struct {
	Op  string    `json:"op"`  // reopen
	IDs []pawl.ID `json:"ids"` // the tasks
}

// releaseOp gives tasks back.
type releaseOp struct {
	Op    string    `json:"op"`              // release
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Hold  string    `json:"hold,omitempty"`  // a reason for which they are held, too
	Force bool      `json:"force,omitempty"` // although one is somebody else's
}

// assignOp names who shall do tasks.
type assignOp struct {
	Op    string    `json:"op"`    // assign
	IDs   []pawl.ID `json:"ids"`   // the tasks
	Owner string    `json:"owner"` // a name; empty: nobody
}

// holdOp holds tasks back.
type holdOp struct {
	Op     string    `json:"op"`     // hold
	IDs    []pawl.ID `json:"ids"`    // the tasks
	Reason string    `json:"reason"` // one line, at most 500 characters
}

// liftOp lifts the hold of tasks.
type liftOp struct {
	Op  string    `json:"op"`  // lift
	IDs []pawl.ID `json:"ids"` // the tasks
}

// noteOp writes a note.
type noteOp struct {
	Op   string  `json:"op"`   // note
	ID   pawl.ID `json:"id"`   // the task
	Text string  `json:"text"` // at most 16 KiB; shown as Markdown
}

// deleteOp deletes tasks.
type deleteOp struct {
	Op    string    `json:"op"`              // delete
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Force bool      `json:"force,omitempty"` // although somebody else is working on one
}

// undoOp takes a change back.
type undoOp struct {
	Op       string        `json:"op"`                 // undo
	Revision pawl.Revision `json:"revision,omitempty"` // of the change; not there: the caller's last one that can be taken back
}
