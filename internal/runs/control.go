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

// A ControlOp is the kind of a request.
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

// Leads returns the phase that a decision of a person leads to from another one; false: it
// does not fit. Approve and Retry exclude one another.
func (op ControlOp) Leads(from Phase) (Phase, bool) {
	switch op {
	case Approve:
		return Approved, from == Waiting || from == Handed
	case Retry:
		return Released, from == Waiting || from != Completed && from.Over()
	}
	return "", false
}

// Persons reports whether only a person may ask for it: it decides on work that waits for
// their approval.
func (op ControlOp) Persons(a *Attempt) bool {
	_, waits := Approve.Leads(a.Phase)
	return op == Approve || op == Retry && waits
}

// Fits refuses a request that does not fit how the last attempt at a task stands. Alive
// says whether a runner is at work.
func (op ControlOp) Fits(a *Attempt, alive bool) error {
	_, leads := op.Leads(a.Phase)
	switch {
	case op == Approve && !leads, op == Retry && a.Phase.Queued():
		what := "does not wait for approval"
		if op == Retry {
			what = "cannot be sent back"
		}
		return pawl.Errorf(pawl.Conflict, "attempt %d at %v %s: it is %s", a.N, a.ID, what, a.Phase.Word()).
			Say("pawl run status")
	case op == Retry && a.Phase == Completed:
		return pawl.Errorf(pawl.Conflict, "%v is completed", a.ID).Next(pawl.HintReopen, a.ID)
	case op == StopOne && (a.Phase.Over() || !alive):
		return pawl.Errorf(pawl.Conflict, "no attempt at %v is at work: the last one is %s", a.ID, a.Phase.Word())
	}
	return nil
}
