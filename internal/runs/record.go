package runs

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// A Record is a line of the journal. Fields that it omits are as before.
type Record struct {
	N    int       `json:"n"` // counts up from 1
	At   time.Time `json:"at"`
	Kind Kind      `json:"kind"`

	// Of an attempt: Key, and what changes with the phase.
	*Attempt `json:",omitempty"`

	Run    *Run    `json:"run,omitempty"`    // KindBegin
	Pause  *Pause  `json:"pause,omitempty"`  // KindPause, KindResume
	Remark *Remark `json:"remark,omitempty"` // KindRemark
	Asked  *Asked  `json:"asked,omitempty"`  // KindAsked
	Done   int64   `json:"done,omitempty"`   // KindControl: how many bytes of the control file were carried out
}

// A Kind is the subject of a record.
type Kind string

// The kinds.
const (
	KindAttempt Kind = "attempt" // it came into another phase
	KindBegin   Kind = "begin"   // a runner began, or a new one went on
	KindEnd     Kind = "end"     // the runner ended in order
	KindPause   Kind = "pause"   // integration, or an agent, pauses
	KindResume  Kind = "resume"
	KindRemark  Kind = "remark"  // a person said something about a task
	KindAsked   Kind = "asked"   // a person asked for the end of an attempt
	KindAccept  Kind = "accept"  // a person accepted what all work trees share as it is
	KindControl Kind = "control" // requests of people were carried out
)

// A Run is a runner's process, tasks and settings.
type Run struct {
	ID       string            `json:"id"`
	PID      int               `json:"pid"`
	Began    time.Time         `json:"began"`
	Select   Select            `json:"select,omitzero"`
	Agent    string            `json:"agent"`
	Slots    int               `json:"slots"`
	Target   string            `json:"target"` // refs/heads/…
	Once     bool              `json:"once,omitempty"`
	Standing map[string]string `json:"standing,omitempty"` // of what all work trees share, which must not change: see git.Tree.Shared
	Dirty    []string          `json:"dirty,omitempty"`    // paths of the main checkout that had changes
	Review   string            `json:"review"`
	Merge    string            `json:"integrate"` // a word of run.integrate
	Limits   Limits            `json:"limits,omitzero"`
}

// Select chooses the tasks of a run. The zero value: all.
type Select struct {
	IDs    []pawl.ID `json:"ids,omitempty"`
	Labels []string  `json:"labels,omitempty"`
}

// A Pause is the reason why something does not go on by itself.
type Pause struct {
	Agent string    `json:"agent,omitempty"` // empty: integration
	Why   string    `json:"why,omitempty"`
	Until time.Time `json:"until,omitzero"` // zero: until what it is about has changed
}

// Asked is how a person wants an attempt at work to end: StopOne or Take.
type Asked struct {
	Key
	Op ControlOp `json:"op"`
	By string    `json:"by,omitempty"`
}

// A Remark is what a person said about a task: it goes into the next prompt.
type Remark struct {
	Task  Identity `json:"task"`
	Text  string   `json:"text,omitempty"`
	By    string   `json:"by,omitempty"`
	Retry bool     `json:"retry,omitempty"` // attempts are counted from zero here
}
