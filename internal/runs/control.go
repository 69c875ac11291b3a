package runs

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// A Control is what a person asks of a run. It is written to a file that the runner
// reads; without a runner the next one carries it out.
type Control struct {
	Op   ControlOp `json:"op"`
	ID   pawl.ID   `json:"id,omitempty"`
	Task Identity  `json:"task,omitempty"`
	Text string    `json:"text,omitempty"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// A ControlOp is what a person can ask for.
type ControlOp string

// The requests.
const (
	Drain   ControlOp = "drain"   // begin nothing more, and end when all is done
	StopAll ControlOp = "stop"    // end all attempts now, and the runner; without a task
	StopOne ControlOp = "stopOne" // end the attempt at a task, and put the task on hold
	Approve ControlOp = "approve" // integrate what waits; without a task: accept what all work trees share as it is now
	Retry   ControlOp = "retry"   // count attempts from zero, lift the run's hold; with Text: a remark for the next prompt
	Take    ControlOp = "take"    // end the attempt; a person goes on in its work tree
)
