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
	{"create", "Creates tasks, and the edges among them", createOp{}},
	{"update", "Edits a task and its edges; absent keys stay as they are", updateOp{}},
	{"claim", "Makes the caller the owner of a task and starts it", claimOp{}},
	{"start", "Makes the caller the owner of tasks and starts them", startOp{}},
	{"complete", "Completes tasks, each after those that it waits for", completeOp{}},
	{"reopen", "Makes completed tasks pending again", reopenOp{}},
	{"release", "Releases tasks: they become pending, without an owner", releaseOp{}},
	{"assign", "Assigns pending tasks to an owner, who has not started them", assignOp{}},
	{"hold", "Puts tasks on hold, so that they are not ready", holdOp{}},
	{"lift", "Ends a hold", liftOp{}},
	{"note", "Appends a note to a task", noteOp{}},
	{"delete", "Deletes tasks and every edge to them; an undo restores them", deleteOp{}},
	{"undo", "Reverts a change; cannot be combined with other ops", undoOp{}},
}

// createOp makes tasks.
type createOp struct {
	Op    string        `json:"op"`    // create
	Tasks []newTaskJSON `json:"tasks"` // at most 500
}

// newTaskJSON is a task to be created.
type newTaskJSON struct {
	Ref         string     `json:"ref,omitempty"`         // its name among the other tasks of the op
	Subject     string     `json:"subject"`               // one line, at most 500 characters
	Description string     `json:"description,omitempty"` // text, at most 64 KiB; shown as Markdown
	ActiveForm  string     `json:"activeForm,omitempty"`  // what is being done, in the present tense: "Writing tests"
	Priority    wire.Level `json:"priority,omitempty"`    // by default medium
	Parent      refJSON    `json:"parent,omitzero"`       // the task that it is a part of
	Labels      []string   `json:"labels,omitempty"`      // at most 50, of at most 100 characters each
	BlockedBy   []refJSON  `json:"blockedBy,omitempty"`   // its blockers
	Blocks      []refJSON  `json:"blocks,omitempty"`      // the tasks that it blocks
	Owner       string     `json:"owner,omitempty"`       // its assignee
	Note        string     `json:"note,omitempty"`        // a first note, at most 16 KiB
	Checks      []asCheck  `json:"checks,omitempty"`      // commands that show that it is done, at most 20
	Accept      []string   `json:"accept,omitempty"`      // criteria: what must be so when it is done, at most 50 lines
	Met         []string   `json:"met,omitempty"`         // those of accept that are ticked already
	Done        bool       `json:"done,omitempty"`        // it is completed already
}

// refJSON is a task: its number, or the ref of one that the same op makes.
type refJSON pawl.Ref

// updateOp edits a task.
type updateOp struct {
	Op              string      `json:"op"`                        // update
	ID              pawl.ID     `json:"id"`                        // the task
	Subject         *string     `json:"subject,omitempty"`         // one line, at most 500 characters
	Description     *string     `json:"description,omitempty"`     // text, at most 64 KiB; empty: none
	ActiveForm      *string     `json:"activeForm,omitempty"`      // what is being done; empty: none
	Priority        *wire.Level `json:"priority,omitempty"`        // its own priority
	Parent          *parentID   `json:"parent,omitempty"`          // the task that it is a part of; 0: none
	AddLabels       []string    `json:"addLabels,omitempty"`       // labels to add
	RemoveLabels    []string    `json:"removeLabels,omitempty"`    // labels to remove
	AddBlockedBy    []pawl.ID   `json:"addBlockedBy,omitempty"`    // blockers to add
	RemoveBlockedBy []pawl.ID   `json:"removeBlockedBy,omitempty"` // blockers to remove
	AddBlocks       []pawl.ID   `json:"addBlocks,omitempty"`       // tasks to block
	RemoveBlocks    []pawl.ID   `json:"removeBlocks,omitempty"`    // tasks to stop blocking
	AddChecks       []asCheck   `json:"addChecks,omitempty"`       // checks to add; one of the same name is replaced
	RemoveChecks    []string    `json:"removeChecks,omitempty"`    // names of checks to remove
	AddAccept       []string    `json:"addAccept,omitempty"`       // criteria to add
	RemoveAccept    []string    `json:"removeAccept,omitempty"`    // criteria to remove
	Tick            []string    `json:"tick,omitempty"`            // criteria that are met
	Untick          []string    `json:"untick,omitempty"`          // criteria that are not met
}

// asCheck is a check: a line, such as "unit: go test ./...", or an object.
type asCheck struct{}

// newCheckJSON is a check with all that can be said of it.
type newCheckJSON struct {
	Name     string   `json:"name"`               // what it is called, at most 60 characters
	Run      []string `json:"run"`                // program and arguments; no shell reads them
	Dir      string   `json:"dir,omitempty"`      // the folder in which it runs, from the project's top; absent: there
	Timeout  string   `json:"timeout,omitempty"`  // how long it may take: "30m"; absent: 10 minutes
	Env      []string `json:"env,omitempty"`      // names of variables that it gets besides the basic ones
	Expect   int      `json:"expect,omitempty"`   // the exit code that passes; absent: 0
	Optional bool     `json:"optional,omitempty"` // completing does not need it
}

// parentID is the number of a task, or 0.
type parentID int64

// claimOp takes a task. A person's claim does not end by itself.
type claimOp struct {
	Op    string  `json:"op"`              // claim
	ID    pawl.ID `json:"id,omitempty"`    // the task; absent: the most urgent ready one
	Force bool    `json:"force,omitempty"` // even if it is blocked, on hold, or somebody else's
}

// startOp starts tasks.
type startOp struct {
	Op    string    `json:"op"`              // start
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Force bool      `json:"force,omitempty"` // even if one is blocked, on hold, or somebody else's
}

// completeOp completes tasks.
type completeOp struct {
	Op    string    `json:"op"`              // complete
	IDs   []pawl.ID `json:"ids"`             // the tasks
	Force bool      `json:"force,omitempty"` // even if one is blocked, or somebody else's
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
	Hold  string    `json:"hold,omitempty"`  // also put them on hold, with this reason
	Force bool      `json:"force,omitempty"` // even if one is somebody else's
}

// assignOp assigns tasks.
type assignOp struct {
	Op    string    `json:"op"`    // assign
	IDs   []pawl.ID `json:"ids"`   // the tasks
	Owner string    `json:"owner"` // a name; empty: nobody
}

// holdOp puts tasks on hold.
type holdOp struct {
	Op     string    `json:"op"`     // hold
	IDs    []pawl.ID `json:"ids"`    // the tasks
	Reason string    `json:"reason"` // one line, at most 500 characters
}

// liftOp lifts the hold of tasks.
type liftOp struct {
	Op     string    `json:"op"`               // lift
	IDs    []pawl.ID `json:"ids"`              // the tasks
	Reason string    `json:"reason,omitempty"` // lift only a hold for exactly this reason, which one that waits for approval of a run needs
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
	Force bool      `json:"force,omitempty"` // even if somebody else works on one
}

// undoOp reverts a change.
type undoOp struct {
	Op       string        `json:"op"`                 // undo
	Revision pawl.Revision `json:"revision,omitempty"` // of the change; absent: the caller's last one that can be undone
}
